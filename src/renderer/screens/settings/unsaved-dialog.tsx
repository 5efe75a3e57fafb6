/** Somebody left the settings with changes that are not saved: the one question that leaving asks. */
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import { openPage } from '../../store/page-link.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { changesWords } from './save-bar.tsx';
import { discardEdits, saveEdits, unsavedCount, unsavedOf, useUnsaved } from './unsaved.ts';

export function UnsavedSettings() {
	const away = useView(({ page, dialog }) => page !== 'settings' && dialog === null);
	const count = useUnsaved(unsavedCount);
	return away && count > 0 ? <UnsavedDialog count={count} /> : null;
}

export function UnsavedDialog({ count }: { count: number }) {
	const { transport, view } = useFloorContext();
	const store = unsavedOf(view);
	const refusal = useUnsaved((state) => state.refusal);
	const saving = useUnsaved((state) => state.saving);
	// Closing answers nothing: back to what was being changed.
	const back = () => openPage(view, 'settings');
	return (
		<DialogFrame
			testId="unsaved-dialog"
			title="Save the settings?"
			description={`${changesWords(count)}. Until then the floor goes on as it was.`}
			onClose={back}
		>
			<div className="dialog-body">
				{refusal && <Failure error={refusal.error} />}
				<div className="dialog-foot">
					<button type="button" className="button button-large" onClick={() => discardEdits(store)}>
						Discard
					</button>
					<button type="button" className="button button-large" onClick={back}>
						Back to the settings
					</button>
					<button
						type="button"
						className="button button-large button-main"
						aria-busy={saving}
						onClick={() => void saveEdits(transport, view, store)}
					>
						Save
					</button>
				</div>
			</div>
		</DialogFrame>
	);
}
