/** What the tier stands on, as a page of its own. */
import { sentenceWords, tierMeanings } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { TierEvidence } from './tier-panel.tsx';

export function ProvidersDialog() {
	const { view } = useFloorContext();
	const status = useStatus();
	const why = status === null ? '' : sentenceWords(status.tierReason || tierMeanings[status.tier]);
	return (
		<DialogFrame
			shape="wide"
			testId="providers-dialog"
			title="Providers & models"
			description={status === null ? 'Not known yet.' : `${status.tier}: ${visibleText(why, { limit: 400 })}`}
			onClose={() => view.setState({ dialog: null })}
		>
			<div className="dialog-body panel-page">
				<TierEvidence />
			</div>
		</DialogFrame>
	);
}
