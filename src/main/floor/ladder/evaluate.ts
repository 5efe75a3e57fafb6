/** The arms of the ladder, in the seed's order: the first that trips gives the reason. Pure. */
import type { AgentEvidence } from './agent-evidence.ts';
import type { FoundLoop } from './call-history.ts';
import { WINDOW_SIZE } from './call-window.ts';
import { agentCapTrip, costCapTrip, tokenCapTrip } from './caps.ts';
import type { Limits } from './configuration.ts';
import type { FloorSpend } from './floor-spend.ts';
import { NO_PROGRESS_BEATS, NO_PROGRESS_WINDOW_MS } from './progress-track.ts';
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
	readonly limits: Limits;
	readonly now: number;
}

/** The first trip, or `null`: a clean beat. */
export function evaluate({ agentId, evidence, tokenCap, floor, limits, now }: Case): Trip | null {
	return (
		repeatedToolTrip(evidence, limits, now) ??
		errorStormTrip(evidence, limits, now) ??
		agentCapTrip(evidence.usage, tokenCap, now) ??
		costCapTrip(agentId, evidence.usage, floor, limits, now) ??
		tokenCapTrip(agentId, evidence.usage, floor, limits, now) ??
		velocityTrip(evidence, limits, now) ??
		noProgressTrip(evidence, now)
	);
}

function repeatedToolTrip(evidence: AgentEvidence, { repeatedTool }: Limits, now: number): Trip | null {
	const loop = repeatedTool === null ? null : evidence.calls.loop(repeatedTool, now);
	if (loop === null || repeatedTool === null) return null;
	// No more calls than that are remembered; the true number is higher.
	const isCapped = loop.count >= WINDOW_SIZE && loop.count > repeatedTool;
	const count = `${isCapped ? 'at least ' : ''}${grouped(loop.count)}`;
	return {
		reason: `Called ${loop.label} ${count} times${howItRepeats(loop)} (limit ${grouped(repeatedTool)})`,
		evidence: {
			arm: 'repeated-tool',
			counted: `identical calls of ${loop.label}${howItRepeats(loop)}`,
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

function howItRepeats({ period, cycle, sameResult, varies, actor }: FoundLoop): string {
	const parts: string[] = [];
	if (period > 1) parts.push(` in a cycle of ${period} calls (${cycle.join(', ')})`);
	if (varies) parts.push(' with only numbers, ids or dates changed');
	if (sameResult !== null)
		parts.push(sameResult === 'failed' ? ' with the same failure' : ' with the same result');
	if (actor !== null) parts.push(` in subagent ${oneLine(actor, 40)}`);
	return parts.join('');
}

function errorStormTrip({ errorRun }: AgentEvidence, { errorStorm }: Limits, now: number): Trip | null {
	if (errorStorm === null || errorRun === null || errorRun.count <= errorStorm) return null;
	if (!isFresh(errorRun.lastAt, now)) return null;
	const newest = errorRun.last.at(-1)?.text ?? 'API error';
	return {
		reason: `${grouped(errorRun.count)} API errors of its own in a row (limit ${grouped(errorStorm)}), last "${newest}"`,
		evidence: {
			arm: 'error-storm',
			counted: "consecutive API errors of the agent's own making",
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

function velocityTrip({ velocity }: AgentEvidence, { tokenVelocity }: Limits, now: number): Trip | null {
	const { reading } = velocity;
	if (tokenVelocity === null || reading === null || reading.perMinute <= tokenVelocity) return null;
	const text = `${grouped(reading.tokens)} output tokens in ${span(reading.spanMs)}`;
	return {
		reason: `Wrote ${text}, ${grouped(reading.perMinute)} a minute (limit ${grouped(tokenVelocity)})`,
		evidence: {
			arm: 'token-velocity',
			counted: 'output tokens a minute between two beats',
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

function noProgressTrip({ progress }: AgentEvidence, now: number): Trip | null {
	const { count, output, since, last } = progress.idle;
	if (count < NO_PROGRESS_BEATS) return null;
	const window = span(NO_PROGRESS_WINDOW_MS);
	return {
		reason: `Wrote ${grouped(output)} output tokens over ${count} beats in a row with no changed file and no new tool call for ${window} (trips at ${NO_PROGRESS_BEATS} beats)`,
		evidence: {
			arm: 'no-progress',
			counted: `beats in a row with output, but no changed file, prompt or different call within ${window}`,
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
