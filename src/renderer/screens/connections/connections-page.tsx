/** Which programs of this machine the floor hears. */
import { PageFrame } from '../../widgets/page-frame.tsx';

export function ConnectionsPage() {
	return (
		<PageFrame
			title="Connections"
			description="Which programs of this machine the floor hears."
			testId="connections-page"
		>
			{null}
		</PageFrame>
	);
}
