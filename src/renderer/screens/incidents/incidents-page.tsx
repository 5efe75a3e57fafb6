/** What needed you, what happened to it, and who decided. */
import { PageFrame } from '../../widgets/page-frame.tsx';

export function IncidentsPage() {
	return (
		<PageFrame
			title="Incidents"
			description="What needed you, what happened to it, and who decided."
			testId="incidents-page"
		>
			{null}
		</PageFrame>
	);
}
