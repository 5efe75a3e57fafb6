/**
 * What an agent may do now, from memory alone: the stricter of the ladder's level and the operator's order, turned
 * into the verdict that a reply has to bring about.
 */
import type { BreakerLevel } from '../../shared/words.ts';
import type { Agent } from './agent.ts';
import type { FloorEvent } from './events.ts';
import { sentence } from './notes.ts';
import { PASS, type Verdict } from './verdict.ts';

/** Tells whether a tool call only reads. Synchronous: it is asked while an agent waits. */
export type ReadOnlyJudge = (tool: string, input: unknown) => { readOnly: boolean; why: string };

/** The rung that is enforced. An order outranks the ladder; a hold refuses like a stop but ends nothing. */
export function standingOf(agent: Agent): BreakerLevel {
	if (agent.ladderStop || agent.order?.kind === 'stop' || agent.order?.kind === 'hold') return 'stopped';
	if (agent.order?.kind === 'constrain') return 'constrained';
	return agent.level;
}

/**
 * Why the gateway refuses this agent's model calls; `null` when it lets them pass. A hold only keeps tools from
 * running: the agent may still talk.
 */
export function refusalOfModelCall(agent: Agent): string | null {
	if (standingOf(agent) !== 'stopped' || agent.order?.kind === 'hold') return null;
	return stopReason(agent);
}

/** The verdict on an event, before any note is added to it. */
export function verdictOn(agent: Agent, event: FloorEvent, isReadOnly: ReadOnlyJudge): Verdict {
	const standing = standingOf(agent);
	if (standing === 'stopped') return whenStopped(agent, event);
	if (standing === 'constrained' && event.kind === 'tool-call') {
		const judged = isReadOnly(event.tool, event.input);
		if (!judged.readOnly)
			return { kind: 'deny', reason: `${constraintReason(agent)} Refused: ${judged.why}.` };
	}
	return PASS;
}

function whenStopped(agent: Agent, event: FloorEvent): Verdict {
	const reason = stopReason(agent);
	if (agent.order?.kind === 'hold') {
		// A hold keeps the session usable for talk; only tools wait.
		const asksToRun = event.kind === 'tool-call' || (event.kind === 'waiting' && event.on === 'permission');
		return asksToRun ? { kind: 'deny', reason } : PASS;
	}
	// Halted wherever the CLI can halt: the dialect says nothing where it cannot.
	return event.kind === 'prompt' ? { kind: 'block-prompt', reason } : { kind: 'halt', reason };
}

function stopReason(agent: Agent): string {
	const { order, ladderStop } = agent;
	const words = order?.words ? ` They say: ${sentence(order.words)}` : '';
	if (order?.kind === 'hold') {
		return `The operator holds this agent in Agent Floor: no tool runs until they release it.${words} End your turn and wait; repeating the call will not help.`;
	}
	if (order?.kind === 'stop') {
		return `The operator stopped this agent in Agent Floor: no tool runs until they resume it.${words} End your turn now.`;
	}
	const why = ladderStop ? ladderStop.reason : agent.levelReason;
	return `Agent Floor stopped this agent: ${why}. No tool runs until the operator resumes it. End your turn now.`;
}

function constraintReason(agent: Agent): string {
	if (agent.order?.kind === 'constrain') {
		const words = agent.order.words ? ` They say: ${sentence(agent.order.words)}` : '';
		return `The operator limits this agent to reading in Agent Floor.${words} Reading works (Read, Glob, Grep, LS, read-only shell commands); it ends when they resume you.`;
	}
	const clears = agent.evidence ? ` What clears it: ${agent.evidence.clears}` : '';
	return `Agent Floor limits this agent to reading: ${agent.levelReason}. Reading still works (Read, Glob, Grep, LS, read-only shell commands).${clears}`;
}
