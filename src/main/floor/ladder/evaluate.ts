/** The arms of the ladder, the seed's seven first: the first that trips gives the reason. Each shows what it counts. Pure. */
import type { AgentEvidence } from './agent-evidence.ts';
import type { FoundLoop } from './call-history.ts';
import { WINDOW_SIZE } from './call-window.ts';
import { agentCapTrip, costCapTrip, type FloorCapGauges, tokenCapTrip } from './caps.ts';
import type { Limits } from './configuration.ts';
import type { FloorSpend } from './floor-spend.ts';
import type { GaugeSheet } from './gauge-sheet.ts';
import { NO_PROGRESS_BEATS, NO_PROGRESS_WINDOW_MS } from './progress-track.ts';
import { readResultArms } from './result-arms.ts';
import { EVIDENCE_MAX_AGE_MS, isFresh } from './time.ts';
import type { Trip } from './trip.ts';
import { grouped, oneLine, span } from './wording.ts';

/** What is judged: one agent on one beat. */
export interface Case {
	readonly agentId: string;
	readonly evidence: AgentEvidence;
	/** Work tokens; `null`: no cap. */
	readonly tokenCap: number | null;
	readonly floor: FloorSpend;
	readonly floorCaps: FloorCapGauges;
	readonly limits: Limits;
	readonly sheet: GaugeSheet;
	readonly now: number;
}

/** Reads every arm into the sheet. The first trip, or `null`: a clean beat. */
export function evaluate(judged: Case): Trip | null {
	const { agentId, evidence, tokenCap, floor, floorCaps, limits, sheet, now } = judged;
	const counts = evidence.calls.counts(limits, now);
	const trips = [
		repeatedToolTrip(counts.loop, limits, sheet),
		errorStormTrip(evidence, limits, sheet, now),
		agentCapTrip(evidence.usage, tokenCap, sheet, now),
		costCapTrip(agentId, evidence.usage, floor, limits, now),
		tokenCapTrip(agentId, evidence.usage, floor, limits, now),
		velocityTrip(evidence, limits, sheet, now),
		noProgressTrip(evidence, sheet, now),
		readResultArms(evidence, limits, counts, sheet),
	];
	floorCaps.read(agentId, sheet);
	return trips.find((trip) => trip !== null) ?? null;
}

const SWITCHED_OFF = 'Switched off in the settings.';
const COMPACTING = 'Its context is being compacted: what it writes is not counted.';
const NO_USAGE = 'No usage of it was read on this beat.';

const OWN_ERRORS = "consecutive API errors of the agent's own making";
const SPEED = 'output tokens a minute between two beats';
const IDLE_WINDOW = span(NO_PROGRESS_WINDOW_MS);
const IDLE_BEATS = `beats in a row with output, but no changed file, prompt or different call within ${IDLE_WINDOW}`;

function repeatedToolTrip(loop: FoundLoop | null, { repeatedTool }: Limits, sheet: GaugeSheet): Trip | null {
	const counted = loop === null ? 'identical calls' : countedOf(loop);
	const note = repeatedTool === null ? SWITCHED_OFF : '';
	const trips = sheet.put('repeated-tool', counted, loop?.count ?? 0, repeatedTool, 'calls', note);
	if (!trips || loop === null || repeatedTool === null) return null;
	// No more calls than that are remembered; the true number is higher.
	const isCapped = loop.count >= WINDOW_SIZE && loop.count > repeatedTool;
	const count = `${isCapped ? 'at least ' : ''}${grouped(loop.count)}`;
	return {
		reason: `Called ${loop.label} ${count} times${howItRepeats(loop)} (limit ${grouped(repeatedTool)})`,
		evidence: {
			arm: 'repeated-tool',
			counted,
			count: loop.count,
			limit: repeatedTool,
			unit: isCapped ? 'calls or more' : 'calls',
			since: loop.since,
			lastAt: loop.lastAt,
			lastOccurrences: [...loop.last],
			clears: `It makes a different call or gets a different result, a file changes, a person writes to it, or ${span(EVIDENCE_MAX_AGE_MS)} pass without this call.`,
		},
	};
}

/** Phrases of loops, which are the same objects from beat to beat while nothing happens. */
const phrases = new WeakMap<FoundLoop, string>();

function countedOf(loop: FoundLoop): string {
	const known = phrases.get(loop);
	if (known !== undefined) return known;
	const phrase = `identical calls of ${loop.label}${howItRepeats(loop)}`;
	phrases.set(loop, phrase);
	return phrase;
}

function howItRepeats({ period, cycle, sameResult, varies, actor }: FoundLoop): string {
	const parts: string[] = [];
	if (period > 1) parts.push(` in a cycle of ${period} calls (${cycle.join(', ')})`);
	if (varies) parts.push(' with only numbers, ids or dates changed');
	if (sameResult !== null)
		parts.push(sameResult === 'failed' ? ' with the same failure' : ' with the same result');
	if (actor !== null) parts.push(` in subagent ${oneLine(actor, 40)}`);
	return parts.join('');
}

function errorStormTrip(
	{ errorRun }: AgentEvidence,
	{ errorStorm }: Limits,
	sheet: GaugeSheet,
	now: number,
): Trip | null {
	const count = errorRun !== null && isFresh(errorRun.lastAt, now) ? errorRun.count : 0;
	const note = errorStorm === null ? SWITCHED_OFF : '';
	const trips = sheet.put('error-storm', OWN_ERRORS, count, errorStorm, 'errors', note);
	if (!trips || errorStorm === null || errorRun === null) return null;
	const newest = errorRun.last.at(-1)?.text ?? 'API error';
	return {
		reason: `${grouped(errorRun.count)} API errors of its own in a row (limit ${grouped(errorStorm)}), last "${newest}"`,
		evidence: {
			arm: 'error-storm',
			counted: OWN_ERRORS,
			count: errorRun.count,
			limit: errorStorm,
			unit: 'errors',
			since: errorRun.since,
			lastAt: errorRun.lastAt,
			lastOccurrences: [...errorRun.last],
			clears: `A tool call of it succeeds, a person writes to it, or ${span(EVIDENCE_MAX_AGE_MS)} pass without an error.`,
		},
	};
}

function velocityTrip(
	{ velocity, usage, isCompacting }: AgentEvidence,
	{ tokenVelocity }: Limits,
	sheet: GaugeSheet,
	now: number,
): Trip | null {
	const { reading } = velocity;
	const isKnown = reading !== null || (usage.seen !== 'none' && !isCompacting);
	const whyNot = isCompacting ? COMPACTING : NO_USAGE;
	const note = tokenVelocity === null ? SWITCHED_OFF : isKnown ? '' : whyNot;
	const count = isKnown ? (reading?.perMinute ?? 0) : null;
	const trips = sheet.put('token-velocity', SPEED, count, tokenVelocity, 'output tokens/min', note);
	if (!trips || tokenVelocity === null || reading === null) return null;
	const text = `${grouped(reading.tokens)} output tokens in ${span(reading.spanMs)}`;
	return {
		reason: `Wrote ${text}, ${grouped(reading.perMinute)} a minute (limit ${grouped(tokenVelocity)})`,
		evidence: {
			arm: 'token-velocity',
			counted: SPEED,
			count: reading.perMinute,
			limit: tokenVelocity,
			unit: 'output tokens/min',
			since: reading.since,
			lastAt: now,
			lastOccurrences: [{ at: now, text }],
			clears: 'It writes no faster than the limit for a beat.',
		},
	};
}

function noProgressTrip({ progress, idleNote }: AgentEvidence, sheet: GaugeSheet, now: number): Trip | null {
	const { count, output, since, last } = progress.idle;
	if (!sheet.put('no-progress', IDLE_BEATS, count, NO_PROGRESS_BEATS, 'beats', idleNote)) return null;
	return {
		reason: `Wrote ${grouped(output)} output tokens over ${count} beats in a row with no changed file and no new tool call for ${IDLE_WINDOW} (trips at ${NO_PROGRESS_BEATS} beats)`,
		evidence: {
			arm: 'no-progress',
			counted: IDLE_BEATS,
			count,
			limit: NO_PROGRESS_BEATS,
			unit: 'beats',
			since,
			lastAt: now,
			lastOccurrences: [...last],
			clears:
				'A file of its work tree changes, it makes a different call, a person writes to it, or it writes nothing for a beat.',
		},
	};
}
