/** There while something is changed and not saved: how much, and the two ways on. */
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { Failure } from '../../widgets/failure.tsx';

interface SaveBarProps {
	count: number;
	/** Something cannot be read as it stands. */
	blocked: boolean;
	saving: boolean;
	/** A refusal that is about no single field. */
	error: ChannelErrorData | null;
	onSave: () => void;
	onDiscard: () => void;
}

export function SaveBar({ count, blocked, saving, error, onSave, onDiscard }: SaveBarProps) {
	if (count === 0) return null;
	return (
		<section className="save-bar" aria-label="Unsaved changes" data-testid="save-bar">
			{error && <Failure error={error} />}
			<p role="status">
				{changesWords(count)}
				{blocked && <span className="soft">, one of them cannot be taken as it stands</span>}
			</p>
			<button type="button" className="button button-large" onClick={onDiscard}>
				Discard
			</button>
			<button
				type="button"
				className="button button-large button-main"
				disabled={blocked}
				aria-busy={saving}
				onClick={onSave}
			>
				{count === 1 ? 'Save the change' : `Save ${count} changes`}
			</button>
		</section>
	);
}

/** "2 changes are not saved". */
export function changesWords(count: number): string {
	return count === 1 ? '1 change is not saved' : `${count} changes are not saved`;
}
