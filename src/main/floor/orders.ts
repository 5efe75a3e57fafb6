/** What the operator says. An order outranks the ladder and is sticky; every one of them is recorded. */
import { ChannelError } from '../../shared/channels.ts';
import type { OrderKind } from '../../shared/words.ts';
import type { Agent } from './agent.ts';
import type { Floor } from './floor.ts';
import { operatorNote, queueNote, withdrawLadderNotes } from './notes.ts';

/** Puts the operator's words on the next reply that can carry them. */
export function steer(floor: Floor, agentId: string, words: string, at: number): Agent {
	const agent = present(floor, agentId);
	if (agent.exited) {
		throw new ChannelError({
			code: 'not-possible',
			message: 'This agent has ended.',
			meaning: 'A note can only reach a running agent; nothing was queued.',
			remedy: 'Start or resume the session, then steer it.',
		});
	}
	const text = operatorNote(words);
	queueNote(agent, { id: floor.nextId('note'), text, source: 'operator', level: null }, at);
	floor.record({ kind: 'operator-action', agentId, at, action: 'steer', words });
	floor.record({ kind: 'note', agentId, at, text, delivered: false });
	return changed(floor, agent);
}

/** Lays `kind` on the agent, in place of any order before it. */
export function order(floor: Floor, agentId: string, kind: OrderKind, words: string, at: number): Agent {
	const agent = present(floor, agentId);
	agent.order = { kind, words, at };
	if (kind === 'stop') agent.stopProgress ??= { phase: 'refusing', pids: [], checkedAt: at };
	floor.record({ kind: 'operator-action', agentId, at, action: kind, words });
	return changed(floor, agent);
}

/** Lifts orders and a ladder stop. The agent starts again from healthy, with no old evidence to trip on. */
export function resume(floor: Floor, agentId: string, at: number): Agent {
	const agent = present(floor, agentId);
	const from = agent.level;
	agent.order = null;
	agent.ladderStop = null;
	agent.stopProgress = null;
	agent.stateSince = at;
	forgetEvidence(floor, agent);
	floor.breaker.restore(agentId, 'healthy');
	agent.level = 'healthy';
	agent.levelSince = at;
	agent.levelReason = '';
	withdrawLadderNotes(agent);
	floor.record({ kind: 'operator-action', agentId, at, action: 'resume', words: '' });
	if (from !== 'healthy') {
		floor.record({
			kind: 'transition',
			agentId,
			sessionId: agent.sessionId,
			at,
			from,
			to: 'healthy',
			action: 'none',
			reason: 'resumed by the operator',
			evidence: null,
		});
		const state = { agentId, level: 'healthy' as const, reason: '', ts: at };
		floor.record({ kind: 'breaker-state', state, changed: true });
	}
	const decision = { at, by: 'operator', words: 'Resumed the agent' } as const;
	floor.incidents.recover(`stopped:${agentId}`, at, 'resumed by the operator', decision);
	return changed(floor, agent);
}

/** Forgets what the ladder has counted, the spend against caps included. The level goes down by itself, a rung a beat. */
export function resetEvidence(floor: Floor, agentId: string, at: number): Agent {
	const agent = present(floor, agentId);
	forgetEvidence(floor, agent);
	floor.record({ kind: 'operator-action', agentId, at, action: 'reset-evidence', words: '' });
	return changed(floor, agent);
}

function forgetEvidence(floor: Floor, agent: Agent): void {
	floor.breaker.resetEvidence(agent.id);
	const { sample } = agent;
	if (sample !== null) {
		agent.forgotten = { work: sample.input + sample.output + sample.cacheCreation, usd: sample.usd ?? 0 };
	}
	agent.evidence = null;
	agent.arms = [];
	agent.climbHeld = '';
	agent.warnings = [];
}

function present(floor: Floor, agentId: string): Agent {
	const agent = floor.agent(agentId);
	if (agent) return agent;
	throw new ChannelError({
		code: 'unknown-agent',
		message: 'This agent is not on the floor any more.',
		meaning: 'Nothing was changed.',
		remedy: 'Reload the window to see who is there now.',
	});
}

function changed(floor: Floor, agent: Agent): Agent {
	floor.touch(agent.id);
	return agent;
}
