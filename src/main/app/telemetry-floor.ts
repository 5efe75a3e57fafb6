/** What an agent program's telemetry brings to the floor: counts, trouble, compactions, hooks that did not work. */
import { unhookedContext } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import { nameOf } from '../floor/view.ts';
import type { TelemetrySink } from '../telemetry/telemetry-sink.ts';
import { hookProblemWords } from '../telemetry/telemetry-words.ts';
import type { ProviderTrouble } from '../usage/session-format.ts';
import type { SessionCounters } from './session-counters.ts';

/** The only program whose telemetry is taken. */
const CLIENT = 'claude-code';

export interface TelemetryFloorOptions {
	readonly floor: Floor;
	readonly counters: SessionCounters;
	readonly now: () => number;
	readonly isConnected: () => boolean;
	readonly onTrouble: (client: string, sessionId: string, trouble: ProviderTrouble) => void;
	/** The agent's figures may have changed. */
	readonly onUsage: (agentId: string) => void;
	readonly onChange: () => void;
}

/** Sessions that are not on the floor are counted, and otherwise left alone. */
export function createTelemetrySink(options: TelemetryFloorOptions): TelemetrySink {
	const { floor, counters, now, isConnected, onTrouble, onUsage, onChange } = options;
	const agentOf = (sessionId: string) => floor.agentOfSession(CLIENT, sessionId);
	return {
		usage: (report) => {
			counters.told(report);
			const agent = agentOf(report.sessionId);
			if (agent) onUsage(agent.id);
		},
		trouble: (sessionId, trouble) => onTrouble(CLIENT, sessionId, trouble),
		hookProblem: (problem) => {
			const agent = agentOf(problem.sessionId);
			// Where ours are not installed, others failed.
			if (!agent || !isConnected()) return;
			floor.incidents.report(
				`hook-problem:${agent.id}`,
				{
					kind: 'hook-problem',
					severity: 'info',
					...hookProblemWords(problem, nameOf(agent)),
					agentId: agent.id,
				},
				problem.at ?? now(),
			);
			onChange();
		},
		compacted: (sessionId, at) => {
			if (!agentOf(sessionId)) return;
			const ended = Math.min(at ?? now(), now());
			const context = unhookedContext({ at: ended, client: CLIENT, name: 'compaction', sessionId });
			floor.apply({ ...context, kind: 'compact-end' });
			onChange();
		},
	};
}
