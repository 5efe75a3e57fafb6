/** What is said of a try that failed: to the operator in the popup, and to the agent where its provider said nothing. */
import type { ModelFit } from '../../shared/capability.ts';
import type { ProviderSettings } from '../../shared/failover-settings.ts';
import { nameOf } from './words.ts';

/** `silentMs`: how long it was silent. */
export function localSilent(model: ModelFit, silentMs: number): string {
	return `${model.name} was loaded, and sent nothing for ${Math.round(silentMs / 1_000)} s: its server hangs, or the prompt is too long for this machine. Choose another model, or restart the server.`;
}

/** The client's stream had begun when the answer came in one piece. */
export function notStreamed(provider: ProviderSettings): string {
	return `${nameOf(provider)} sent its answer in one piece, though a stream was asked for and had begun.`;
}

/** `reason`: a sentence. */
export function notQueued(reason: string): string {
	return `It could not be queued: ${reason}`;
}

/** A queued turn whose credentials cannot be told. */
export function ambiguousCaller(provider: ProviderSettings): string {
	return `Several programs that name no session call ${nameOf(provider)} with different credentials, so Agent Floor cannot tell whose this request is and sends it with nobody's. Give each program a label in its base URL ("/as/<name>"), or set "credentialEnv" for ${nameOf(provider)}; or discard it.`;
}
