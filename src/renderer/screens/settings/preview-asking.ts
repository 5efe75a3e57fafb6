/** Asks what another setting would have done with what was recorded, after a pause and never twice for one value. */
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { SettingsPatch } from '../../../shared/settings.ts';
import type { SettingsPreview } from '../../../shared/settings-preview.ts';
import type { FloorTransport } from '../../../shared/transport.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';

/** Typing a number takes a few keys; a replay takes a while. */
export const PREVIEW_PAUSE_MS = 700;

export type PreviewAnswer =
	| { readonly kind: 'told'; readonly preview: SettingsPreview }
	| { readonly kind: 'failed'; readonly error: ChannelErrorData };

/** Tells one answer, unless it was ended before. Returns the function that ends it. */
export function askPreview(
	transport: FloorTransport,
	patch: SettingsPatch,
	tell: (answer: PreviewAnswer) => void,
	pauseMs = PREVIEW_PAUSE_MS,
): () => void {
	let wanted = true;
	const ask = async (): Promise<void> => {
		let answer: PreviewAnswer;
		try {
			answer = { kind: 'told', preview: await transport.request('settings:preview', { patch }) };
		} catch (cause) {
			answer = { kind: 'failed', error: channelErrorOf(cause) };
		}
		if (wanted) tell(answer);
	};
	const timer = setTimeout(() => void ask(), pauseMs);
	return () => {
		wanted = false;
		clearTimeout(timer);
	};
}
