/** What can truthfully be said of an agent now: `live`, `waiting`, `unverifiable` or `exited`, with the reason. */
import type { AgentView } from '../../shared/agent-view.ts';
import type { Agent } from './agent.ts';

/** Silence after which an agent whose process is not known can no longer be called live, ms. */
export const SILENCE_LIMIT_MS = 4 * 60_000;
/** A tool in flight may be silent this long (a shell command may run 10 minutes), ms. */
export const TOOL_SILENCE_LIMIT_MS = 15 * 60_000;
/** An agent at its prompt says nothing for good reason; later than this nobody can tell, ms. */
export const PROMPT_SILENCE_LIMIT_MS = 2 * 3_600_000;

/** Derives the state. Pure; `now` on the floor's clock. */
export function stateOf(agent: Agent, now: number): AgentView['state'] {
	const said = { since: agent.stateSince, lastHeardAt: agent.lastHeardAt };
	if (agent.exited) {
		return { kind: 'exited', reason: agent.exited.reason, needsYou: false, ...said, since: agent.exited.at };
	}
	const stopped = agent.ladderStop !== null && agent.order === null;
	const silence = now - agent.lastHeardAt;
	if (agent.processAlive !== true && silence > silenceLimit(agent)) {
		const what = agent.process ? 'its process could not be checked' : 'its process is not known';
		return {
			kind: 'unverifiable',
			reason: `nothing heard and ${what}`,
			needsYou: stopped,
			...said,
			since: agent.lastHeardAt + silenceLimit(agent),
		};
	}
	if (stopped) {
		return { kind: 'waiting', reason: 'stopped by the ladder, resume or leave it', needsYou: true, ...said };
	}
	const { waiting } = agent;
	if (!waiting) return { kind: 'live', reason: '', needsYou: false, ...said };
	const needsYou = waiting.on === 'permission' || waiting.on === 'question' || waiting.on === 'trouble';
	return { kind: 'waiting', reason: waiting.message, needsYou, ...said, since: waiting.since };
}

function silenceLimit(agent: Agent): number {
	if (agent.waiting) return PROMPT_SILENCE_LIMIT_MS;
	const inFlight = agent.calls.some((call) => call.outcome === 'running');
	return inFlight ? TOOL_SILENCE_LIMIT_MS : SILENCE_LIMIT_MS;
}
