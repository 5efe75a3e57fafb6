/** What telemetry tells, as the floor takes it and as people read it. */
import type { ProviderTrouble } from '../usage/session-format.ts';
import type { HookProblem } from './telemetry-sink.ts';

/** As `floor/events.ts` names it: shown, heard by the model breakers, and never counted against the agent. */
export interface TroubleHappening {
	readonly kind: 'provider-trouble';
	readonly error: string;
	readonly message: string;
	readonly status: number | null;
}

export function happeningOf({ error, message, status }: ProviderTrouble): TroubleHappening {
	return { kind: 'provider-trouble', error, message, status };
}

/** Title and detail of an incident. `agent`: its name. The event's name comes from the program and is bounded. */
export function hookProblemWords(
	{ event, hooks, failed, cancelled, durationMs }: HookProblem,
	agent: string,
): { readonly title: string; readonly detail: string } {
	const name = event.slice(0, 60);
	const took = durationMs === null ? '' : ` after ${(durationMs / 1000).toFixed(1)} s`;
	const parts = [
		failed > 0 ? `${failed} of ${hooks} failed` : '',
		cancelled > 0 ? `${cancelled} of ${hooks} ${cancelled === 1 ? 'was' : 'were'} cut off${took}` : '',
	].filter((part) => part !== '');
	const isOurs =
		failed + cancelled >= hooks
			? 'The floor’s hook is among them'
			: 'Claude Code does not say which; the floor’s hook may be among them';
	return {
		title: `Hooks of ${agent} did not do their work`,
		detail: `At ${name} ${parts.join(', ')}. ${isOurs}: then what happened there was not counted, and a note or a refusal did not reach the agent. Run "agent-floor doctor", and install the hooks again if it says so.`,
	};
}
