/** What is said of a try that failed: to the operator in the popup, and to the agent where its provider said nothing. */
import type { ModelFit } from '../../shared/capability.ts';

/** `silentMs`: how long it was silent. */
export function localSilent(model: ModelFit, silentMs: number): string {
	return `${model.name} was loaded, and sent nothing for ${Math.round(silentMs / 1_000)} s: its server hangs, or the prompt is too long for this machine. Choose another model, or restart the server.`;
}
