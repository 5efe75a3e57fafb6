/**
 * The circuit breaker: steer → constrain → stop, one rung a beat (seed 002). Pure: no timers, no I/O, the clock is
 * passed in. The arms are in `ladder/`; this class keeps one entry per agent and turns trips into levels.
 */
import type { ArmGauge, BreakerState, Evidence } from '../../shared/breaker-state.ts';
import type { BreakerAction, BreakerLevel } from '../../shared/words.ts';
import { AgentEvidence } from './ladder/agent-evidence.ts';
import type { BreakerInput } from './ladder/breaker-input.ts';
import { capWarnings, FloorCapGauges } from './ladder/caps.ts';
import { actionFor, LEVELS, type Step, step } from './ladder/climb.ts';
import { agentTokenCap, type CircuitBreakerConfig, type Limits, limitsOf } from './ladder/configuration.ts';
import { evaluate } from './ladder/evaluate.ts';
import { type FloorSpend, floorSpend, type Spender } from './ladder/floor-spend.ts';
import { GaugeSheet } from './ladder/gauge-sheet.ts';
import { type ForgottenSpend, RememberedUsage } from './ladder/remembered-usage.ts';
import { stampOf } from './ladder/time.ts';

export type { AgentUsageSample, BreakerInput } from './ladder/breaker-input.ts';
export { actionFor, LEVELS } from './ladder/climb.ts';
export type { CircuitBreakerConfig } from './ladder/configuration.ts';

/** What the ladder says about one agent on one beat. */
export interface BreakerDecision {
	readonly agentId: string;
	/** For the channel `control:breakerState`. */
	readonly state: BreakerState;
	/** What to do now: `none` unless the level went up on this beat. */
	readonly action: BreakerAction;
	readonly changed: boolean;
	/** What was counted, whenever an arm trips, also when the climb is held; otherwise `null`. */
	readonly evidence: Evidence | null;
	/** Why it did not climb although it tripped; empty otherwise. */
	readonly climbHeld: string;
	/** Caps coming near and samples that were not believed, one sentence each. */
	readonly warnings: string[];
	/**
	 * Every arm with what it counts, in the order of the schema; the same list as on the beat before while it says the
	 * same. An agent that is not judged keeps its last; empty while the ladder is off.
	 */
	readonly arms: readonly ArmGauge[];
}

/** An agent of which nothing was heard for this long, and that no beat names, is forgotten, ms. */
export const ENTRY_MAX_AGE_MS = 30 * 60_000;

const RESTORED = 'Kept from before the floor was started';
const SWITCHED_OFF = 'The ladder is switched off';
const NO_ARMS: readonly ArmGauge[] = [];

interface Entry {
	readonly agentId: string;
	level: BreakerLevel;
	reason: string;
	evidence: AgentEvidence;
	readonly sheet: GaugeSheet;
	/** It was there before the floor was started: what its first sample shows is not news. */
	restored: boolean;
	/** Number of the last beat that named it. */
	beat: number;
	/** Last beat that named it, or that came after something was recorded for it. */
	lastUsedAt: number;
	usedSinceBeat: boolean;
}

/** An agent that the present beat names. */
interface Named extends Spender {
	readonly entry: Entry;
	readonly input: BreakerInput;
}

export class CircuitBreaker {
	readonly #getConfig: () => CircuitBreakerConfig;
	readonly #clock: (() => number) | undefined;
	readonly #entries = new Map<string, Entry>();
	#beat = 0;
	#lastBeatAt = Number.NEGATIVE_INFINITY;

	/**
	 * `getConfig` is asked once per tick, so a change applies at the next beat. `options.now` stamps what is recorded
	 * without a time; without it such things are taken to have happened at the next beat.
	 */
	constructor(getConfig: () => CircuitBreakerConfig, options: { readonly now?: () => number } = {}) {
		this.#getConfig = getConfig;
		this.#clock = options.now;
	}

	/**
	 * One beat: judges every agent once and returns one decision for each, in the order of their first appearance.
	 * `nowMs` may jump; a stamp from the future counts as now. Throws only what the configuration getter throws.
	 */
	tick(inputs: readonly BreakerInput[], nowMs: number): BreakerDecision[] {
		const limits = limitsOf(this.#getConfig());
		const now = Number.isFinite(nowMs) ? nowMs : Math.max(this.#lastBeatAt, 0);
		this.#lastBeatAt = now;
		this.#beat += 1;
		const named = this.#takeIn(inputs, limits, now);
		const floor = floorSpend(named);
		const floorCaps = new FloorCapGauges(floor, limits);
		const decisions = named.map((agent) => judge(agent, floor, floorCaps, limits, now));
		this.#prune(now, limits);
		return decisions;
	}

	/** A tool call started or finished. Told twice with one `callId` it counts once. */
	recordToolUse(
		agentId: string,
		toolName: string,
		toolInput: unknown,
		details?: {
			readonly callId?: string | null;
			readonly actor?: string | null;
			readonly at?: number;
			/** The floor refused it: what is told of it later is the floor's own word. */
			readonly denied?: boolean;
		},
	): void {
		this.#told(agentId)?.toolUsed({
			tool: toolName,
			input: toolInput,
			callId: nameOrNull(details?.callId),
			actor: nameOrNull(details?.actor),
			at: stampOf(details?.at, this.#clock),
			denied: details?.denied === true,
		});
	}

	/** Calls that the agent made in one turn, where they were told one after the other: equal ones among them are one. */
	recordToolBatch(agentId: string, callIds: readonly string[]): void {
		if (Array.isArray(callIds)) this.#told(agentId)?.madeInOneTurn(callIds);
	}

	/**
	 * What came back of a tool call. Belongs to the call with the same `callId`, or else to the newest equal call
	 * without a result; where there is none, it counts as a call itself. `result` undefined: not known.
	 */
	recordToolResult(
		agentId: string,
		outcome: {
			readonly callId: string | null;
			readonly tool: string;
			readonly input: unknown;
			readonly actor?: string | null;
			readonly result: string | undefined;
			readonly failed: boolean;
			readonly at?: number;
		},
	): void {
		this.#told(agentId)?.toolAnswered({
			tool: outcome?.tool,
			input: outcome?.input,
			callId: nameOrNull(outcome?.callId),
			actor: nameOrNull(outcome?.actor),
			at: stampOf(outcome?.at, this.#clock),
			result: outcome?.result,
			failed: outcome?.failed === true,
		});
	}

	/** An API error of the agent's own making. A successful tool call or a prompt after it ends the run. */
	recordError(agentId: string, details?: { readonly at?: number; readonly text?: string }): void {
		this.#told(agentId)?.errorSeen(stampOf(details?.at, this.#clock), details?.text);
	}

	/** A file changed or a person wrote at `at`: streaks of what came before it end. */
	recordProgress(agentId: string, what: 'file' | 'prompt', at?: number): void {
		this.#told(agentId)?.progressMade(what, stampOf(at, this.#clock));
	}

	/** A turn ended well: a request of the agent was answered, which ends a run of its API errors. */
	recordAnswer(agentId: string): void {
		this.#told(agentId)?.answered();
	}

	recordCompactStart(agentId: string, at?: number): void {
		this.#told(agentId)?.compactionStarted(stampOf(at, this.#clock));
	}

	recordCompactEnd(agentId: string, at?: number): void {
		this.#told(agentId)?.compactionEnded(stampOf(at, this.#clock));
	}

	/** Forgets the agent. Something told of it later makes a new entry, which ages away like any other. */
	forget(agentId: string): void {
		this.#entries.delete(agentId);
	}

	/** Forgets what was counted, and what was spent counts no more against caps. The level stays. */
	resetEvidence(agentId: string): void {
		const entry = this.#entries.get(agentId);
		if (!entry) return;
		const { usage } = entry.evidence;
		usage.forgetSpent(stampOf(Math.max(this.#lastBeatAt, 0), this.#clock));
		entry.evidence = new AgentEvidence(usage);
	}

	/**
	 * Puts an agent on the level it had, after a restart of the floor or by the operator's word. `forgotten`: what was
	 * spent and reset before a restart counts no more.
	 */
	restore(agentId: string, level: BreakerLevel, forgotten: ForgottenSpend | null = null): void {
		if (typeof agentId !== 'string' || !LEVELS.includes(level)) return;
		const entry = this.#entryOf(agentId);
		if (forgotten !== null) entry.evidence = new AgentEvidence(new RememberedUsage(forgotten));
		entry.level = level;
		entry.reason = level === 'healthy' ? '' : RESTORED;
		entry.restored = true;
		entry.usedSinceBeat = true;
	}

	/** `healthy` for an agent that is not known. */
	levelFor(agentId: string): BreakerLevel {
		return this.#entries.get(agentId)?.level ?? 'healthy';
	}

	/** Reads the inputs, the first of each agent. */
	#takeIn(inputs: readonly BreakerInput[], limits: Limits, now: number): Named[] {
		const named: Named[] = [];
		for (const input of inputs) {
			if (typeof input?.agentId !== 'string') continue;
			const entry = this.#entryOf(input.agentId);
			if (entry.beat === this.#beat) continue;
			entry.beat = this.#beat;
			if (!limits.enabled) forgetCounted(entry);
			const { agentId, evidence } = entry;
			evidence.observe(input, now, !entry.restored);
			named.push({ agentId, usage: evidence.usage, judged: input.frozen !== true, entry, input });
		}
		return named;
	}

	/** Agents no beat names go with age, and with the ladder switched off they are healthy as well. */
	#prune(now: number, limits: Limits): void {
		for (const entry of this.#entries.values()) {
			const isNamed = entry.beat === this.#beat;
			if (isNamed || entry.usedSinceBeat || entry.lastUsedAt > now) entry.lastUsedAt = now;
			entry.usedSinceBeat = false;
			if (isNamed) continue;
			if (now - entry.lastUsedAt >= ENTRY_MAX_AGE_MS) this.#entries.delete(entry.agentId);
			else if (!limits.enabled) {
				entry.level = 'healthy';
				entry.reason = '';
				forgetCounted(entry);
			}
		}
	}

	#told(agentId: string): AgentEvidence | null {
		if (typeof agentId !== 'string') return null;
		const entry = this.#entryOf(agentId);
		entry.usedSinceBeat = true;
		return entry.evidence;
	}

	#entryOf(agentId: string): Entry {
		const known = this.#entries.get(agentId);
		if (known) return known;
		const entry: Entry = {
			agentId,
			level: 'healthy',
			reason: '',
			evidence: new AgentEvidence(),
			sheet: new GaugeSheet(),
			restored: false,
			beat: -1,
			lastUsedAt: this.#lastBeatAt,
			usedSinceBeat: true,
		};
		this.#entries.set(agentId, entry);
		return entry;
	}
}

/** Everything but what it has spent, which stays spent. */
function forgetCounted(entry: Entry): void {
	entry.evidence = new AgentEvidence(entry.evidence.usage);
}

function judge(
	{ entry, input, usage }: Named,
	floor: FloorSpend,
	floorCaps: FloorCapGauges,
	limits: Limits,
	now: number,
): BreakerDecision {
	const { agentId, evidence, level, sheet } = entry;
	const tokenCap = agentTokenCap(limits, agentId, input.tokenCap);
	const warnings = limits.enabled ? capWarnings(agentId, usage, tokenCap, floor, limits) : [];
	if (usage.problem !== '') {
		warnings.unshift(`The usage sample of this beat cannot be true (${usage.problem}) and was not counted`);
	}
	if (input.frozen === true) return decide(entry, entry, now, null, warnings);
	if (!limits.enabled) {
		const off = { level: 'healthy' as const, reason: level === 'healthy' ? '' : SWITCHED_OFF };
		return decide(entry, off, now, null, warnings, NO_ARMS);
	}
	const trip = evaluate({ agentId, evidence, tokenCap, floor, floorCaps, limits, sheet, now });
	const next = step(level, trip, limits.hardStop ? 'stopped' : 'constrained', input);
	return decide(entry, next, now, trip?.evidence ?? null, warnings);
}

/** Puts the agent on its new level. */
function decide(
	entry: Entry,
	{ level, reason, climbHeld = '' }: Pick<Step, 'level' | 'reason'> & Partial<Step>,
	now: number,
	evidence: Evidence | null,
	warnings: string[],
	arms: readonly ArmGauge[] = entry.sheet.gauges,
): BreakerDecision {
	const { agentId, level: before } = entry;
	entry.level = level;
	entry.reason = reason;
	return {
		agentId,
		state: { agentId, level, reason, ts: now },
		action: LEVELS.indexOf(level) > LEVELS.indexOf(before) ? actionFor(level) : 'none',
		changed: level !== before,
		evidence,
		climbHeld,
		warnings,
		arms,
	};
}

/** An id, or `null` where none was given; the empty string is none. */
function nameOrNull(value: unknown): string | null {
	return typeof value === 'string' && value !== '' ? value : null;
}
