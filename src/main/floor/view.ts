/** From the agent the floor remembers to the agent the window sees. */
import type { AgentView } from '../../shared/agent-view.ts';
import type { Agent } from './agent.ts';
import { standingOf } from './standing.ts';
import { stateOf } from './state.ts';

const SHOWN_CALLS = 8;
const SHOWN_NOTES = 6;

export function viewOf(agent: Agent, now: number): AgentView {
	const calls = agent.calls.map(({ callId: _, ...call }) => call);
	return {
		id: agent.id,
		client: agent.client,
		sessionId: agent.sessionId,
		name: nameOf(agent),
		directory: agent.directory,
		repository: agent.repository,
		model: agent.model,
		served: agent.served,
		state: stateOf(agent, now),
		level: agent.level,
		levelSince: agent.levelSince,
		levelReason: agent.levelReason,
		evidence: agent.evidence,
		climbHeld: agent.climbHeld,
		arms: [...agent.arms],
		standing: standingOf(agent),
		order: agent.order,
		stopProgress: agent.stopProgress,
		usage: agent.usage,
		outputTokensPerMinute: agent.outputTokensPerMinute,
		spark: agent.workSteps.view(),
		warnings: [...agent.warnings],
		doing: calls.findLast((call) => call.outcome === 'running') ?? null,
		lastTools: calls.slice(-SHOWN_CALLS).reverse(),
		notes: agent.notes
			.slice(-SHOWN_NOTES)
			.map(({ id, text, source, queuedAt, deliveredAt }) => ({ id, text, source, queuedAt, deliveredAt }))
			.reverse(),
		denials: { count: agent.denials, last: agent.lastDenial },
		providerTrouble: agent.providerTrouble,
		compacting: agent.compactingSince !== null,
		subagents: [...agent.subagents].map(([id, { type, since }]) => ({ id, type, since })),
		process: agent.process ? { pid: agent.process.pid, alive: agent.processAlive } : null,
		firstSeenAt: agent.firstSeenAt,
		demo: agent.demo,
	};
}

/** A person tells agents apart by where they work. */
export function nameOf(agent: Agent): string {
	const last = agent.directory
		.split(/[\\/]+/)
		.filter(Boolean)
		.at(-1);
	return last ?? `${agent.client} ${agent.sessionId.slice(0, 8)}`;
}
