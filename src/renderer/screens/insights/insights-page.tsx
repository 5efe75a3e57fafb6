/** What was spent, what tripped, and how well the floor held. */
import { PageFrame } from '../../widgets/page-frame.tsx';

export function InsightsPage() {
	return (
		<PageFrame
			title="Insights"
			description="What was spent, what tripped, and how well the floor held."
			testId="insights-page"
		>
			{null}
		</PageFrame>
	);
}
