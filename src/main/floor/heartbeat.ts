/**
 * One beat: what the heartbeat knows of each agent becomes the ladder's input, and the ladder's decisions become
 * levels, notes and records. Pure but for the agents it is handed.
 */
import type { BreakerSettings } from '../../shared/settings.ts';
import type { Agent } from './agent.ts';
import { looksDifferent } from './arms-seen.ts';
import type { BreakerDecision, BreakerInput, CircuitBreaker } from './breaker.ts';
import { climbNote, liftedNote, queueNote, withdrawLadderNotes } from './notes.ts';
import type { FloorRecord } from './records.ts';
import { nameOf } from './view.ts';

/** Trouble older than this says nothing about the provider now, ms. */
const TROUBLE_MAX_AGE_MS = 10 * 60_000;

export interface BeatContext {
	readonly now: number;
	readonly previousBeatAt: number | null;
	readonly settings: BreakerSettings;
	readonly record: (record: FloorRecord) => void;
	readonly nextId: () => string;
}

/** Judges every agent once. Returns the ids of the agents whose view changed. */
export function beat(agents: Iterable<Agent>, breaker: CircuitBreaker, context: BeatContext): string[] {
	const judged = new Map<string, Agent>();
	const inputs: BreakerInput[] = [];
	for (const agent of agents) {
		judged.set(agent.id, agent);
		inputs.push(inputOf(agent, context));
	}
	for (const agent of judged.values()) agent.sampleHasEarlierWork = false;
	const changed: string[] = [];
	for (const decision of breaker.tick(inputs, context.now)) {
		const agent = judged.get(decision.agentId);
		if (!agent || isFrozen(agent)) continue;
		if (takeDecision(agent, decision, context)) changed.push(agent.id);
	}
	return changed;
}

/** Not judged: it ended, or somebody already stopped it. Its spend still counts in the floor's totals. */
function isFrozen(agent: Agent): boolean {
	const byOrder = agent.order?.kind === 'stop' || agent.order?.kind === 'hold';
	return agent.exited !== null || agent.ladderStop !== null || byOrder;
}

function inputOf(agent: Agent, { now, previousBeatAt, settings }: BeatContext): BreakerInput {
	const changedAt = agent.lastFileChangeAt;
	const trouble = agent.providerTrouble;
	const steerNote = agent.notes.findLast((note) => note.source === 'ladder' && note.level !== null);
	const cap = tokenCapOf(agent, settings.agentTokenCaps);
	return {
		agentId: agent.id,
		sample: agent.sample,
		progressing: changedAt !== null && changedAt > (previousBeatAt ?? Number.NEGATIVE_INFINITY),
		...(steerNote && { steer: { deliveredAt: steerNote.deliveredAt, actedAt: agent.lastActedAt } }),
		...(trouble && now - trouble.at < TROUBLE_MAX_AGE_MS && { providerTrouble: true }),
		...(cap !== undefined && { tokenCap: cap }),
		...(agent.sampleHasEarlierWork && { earlierWork: true }),
		...(isFrozen(agent) && { frozen: true }),
	};
}

/** A cap may be given for an agent's id, a session, a name or a directory; the most specific wins. */
function tokenCapOf(agent: Agent, caps: Readonly<Record<string, number>>): number | undefined {
	for (const key of [agent.id, agent.sessionId, nameOf(agent), agent.directory]) {
		const cap = Object.hasOwn(caps, key) ? caps[key] : undefined;
		if (cap !== undefined) return cap;
	}
	return undefined;
}

function takeDecision(agent: Agent, decision: BreakerDecision, context: BeatContext): boolean {
	const { now, record } = context;
	const { state, action, changed, evidence, climbHeld, warnings, arms } = decision;
	record({ kind: 'breaker-state', state, changed });
	const from = agent.level;
	const shown = JSON.stringify([agent.evidence, agent.climbHeld, agent.warnings, agent.levelReason]);
	agent.evidence = evidence;
	agent.climbHeld = climbHeld;
	agent.warnings = warnings;
	const armsMoved = looksDifferent(agent.arms, arms);
	if (armsMoved) agent.arms = arms;
	agent.levelReason = state.level === 'healthy' ? '' : state.reason || agent.levelReason;
	if (!changed) {
		return armsMoved || shown !== JSON.stringify([evidence, climbHeld, warnings, agent.levelReason]);
	}
	agent.level = state.level;
	agent.levelSince = now;
	if (action === 'stop') {
		agent.ladderStop = { at: now, reason: state.reason };
		if (evidence) agent.evidence = { ...evidence, clears: 'You resume it.' };
	}
	record({
		kind: 'transition',
		agentId: agent.id,
		sessionId: agent.sessionId,
		at: now,
		from,
		to: state.level,
		action,
		reason: state.reason,
		evidence,
	});
	if (action === 'none') sayItClears(agent, from, context);
	else if (action !== 'stop') {
		const text = climbNote(state.level, state.reason, evidence);
		queueNote(agent, { id: context.nextId(), text, source: 'ladder', level: state.level }, now);
		record({ kind: 'note', agentId: agent.id, at: now, text, delivered: false });
	}
	return true;
}

/** On the way down an unread note is no longer true; a lifted constraint is worth telling a model that met it. */
function sayItClears(agent: Agent, from: Agent['level'], { now, nextId, record }: BeatContext): void {
	const metConstraint =
		agent.lastDenial !== null && agent.lastDenial.at >= agent.notes.reduce(newestClimb, 0);
	withdrawLadderNotes(agent);
	if (from !== 'constrained' || !metConstraint || agent.order?.kind === 'constrain') return;
	const text = liftedNote();
	queueNote(agent, { id: nextId(), text, source: 'ladder', level: null }, now);
	record({ kind: 'note', agentId: agent.id, at: now, text, delivered: false });
}

function newestClimb(newest: number, note: Agent['notes'][number]): number {
	return note.level === null ? newest : Math.max(newest, note.queuedAt);
}
