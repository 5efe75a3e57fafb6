/** Plays one fault to one client, with an operator who switches or with nobody there, and judges what came of it. */
import { type ProtocolId, protocolSchema } from '../../../src/shared/failover-settings.ts';
import { answer, stall } from '../provider-stub/steps.ts';
import { readStrictly } from '../strict-client.ts';
import { cloudAnswer, type Fault, faults, type RightAction } from './faults.ts';
import { type Judgement, judge } from './judge.ts';
import { ask, type Observation } from './observe.ts';
import { LOCAL_TEXT, type World, type WorldOptions } from './world.ts';

export type StartWorld = (options: WorldOptions) => Promise<World>;

export interface MatrixCase {
	readonly fault: Fault;
	readonly protocol: ProtocolId;
	readonly stream: boolean;
}

export interface CaseResult extends Judgement {
	/** From the moment the provider was lost to the popup, ms; `null` without a popup. */
	readonly popupMs: number | null;
	/** From the click to the end of the local answer, ms. */
	readonly switchMs: number | null;
	/** Whether the provider's own words were passed byte for byte; `null` where it had none. */
	readonly unchanged: boolean | null;
	/** Whether its waiting time was understood, and kept; `null` where it named none that can be used. */
	readonly retryAfterKept: boolean | null;
}

const protocols: readonly ProtocolId[] = protocolSchema.options;
/** A silent provider is given up after this, ms: the matrix has no patience for five minutes. */
const SILENCE_MS = 300;
/** Where silence is not what is tried, no busy machine is to be taken for it, ms. */
const NO_SILENCE_MS = 60_000;
/** Nobody answers: the hold ends after this, s. */
const UNDECIDED_HOLD_SECONDS = 0.05;
const DECIDED_HOLD_SECONDS = 120;

/** Every fault in every protocol, streamed and not, where it can happen. */
export function matrixCases(): MatrixCase[] {
	return faults.flatMap((fault) =>
		protocols.flatMap((protocol) =>
			[true, false].map((stream) => ({ fault, protocol, stream })).filter((the) => rightOf(the) !== null),
		),
	);
}

export function rightOf({ fault, protocol, stream }: MatrixCase): RightAction | null {
	const right = stream ? fault.streamed : fault.whole;
	return typeof right === 'object' && right !== null ? right[protocol] : right;
}

/** True when somebody is asked about it. */
export function isAsked(the: MatrixCase): boolean {
	const right = rightOf(the);
	return right !== 'answers' && right !== 'passes';
}

export async function runCase(
	startWorld: StartWorld,
	the: MatrixCase,
	switched: boolean,
): Promise<CaseResult> {
	const { fault, protocol, stream } = the;
	const right = rightOf(the);
	if (right === null) throw new Error(`${fault.name} cannot happen here`);
	const world = await startWorld({
		provider: fault.provider,
		holdSeconds: switched ? DECIDED_HOLD_SECONDS : UNDECIDED_HOLD_SECONDS,
		silenceMs: fault.group === 'silence' ? SILENCE_MS : NO_SILENCE_MS,
	});
	try {
		if (fault.name.startsWith('kept connection')) await warmUp(world, protocol);
		world.provider.respond(fault.step);
		const startedAt = performance.now();
		const askedAt = Date.now();
		const call = ask(world.baseUrl, protocol, stream);
		let popupMs: number | null = null;
		let clickedAt: number | null = null;
		if (isAsked(the)) {
			const popup = await Promise.race([world.popup(), call.observed.then(() => null)]);
			if (popup !== null) {
				popupMs = performance.now() - (await lostAt(world, fault, startedAt));
				if (switched) {
					clickedAt = performance.now();
					world.switchTo(popup);
				}
			}
		}
		const seen = await call.observed;
		const judgement = judge({ protocol, stream, right, switched }, seen, world);
		const wrong = [...judgement.wrong];
		if (right === 'asks-again' && switched) wrong.push(...(await answeredNext(world, protocol)));
		const unchanged = isOwnWordsCase(the, switched) ? isPassedUnchanged(seen, world) : null;
		if (unchanged === false) wrong.push('the provider’s own words, unchanged');
		const retryAfterKept = keepsRetryAfter(the, world, askedAt);
		if (retryAfterKept === false) wrong.push('its waiting time kept');
		return {
			got: judgement.got,
			wrong,
			retryAfterKept,
			popupMs,
			switchMs: clickedAt === null ? null : seen.endedAt - clickedAt,
			unchanged,
		};
	} finally {
		await world.close();
	}
}

/** The connection has carried an answer already. */
async function warmUp(world: World, protocol: ProtocolId): Promise<void> {
	world.provider.respond(answer(cloudAnswer));
	await ask(world.baseUrl, protocol, false).observed;
}

/** The provider was lost when its answer was over; where it never got the call, at the call. */
async function lostAt(world: World, fault: Fault, startedAt: number): Promise<number> {
	const [call] = world.provider.calls;
	if (!call || fault.provider !== 'here') return startedAt;
	await call.over;
	return call.overAt ?? startedAt;
}

/** The choice holds for the session: the client that asks again is answered locally, at once. */
async function answeredNext(world: World, protocol: ProtocolId): Promise<string[]> {
	const seen = await ask(world.baseUrl, protocol, true).observed;
	const read = readStrictly(protocol, true, seen.bytes);
	const isLocal = read.end === 'clean' && read.texts.join('').endsWith(LOCAL_TEXT);
	return isLocal && read.breaches.length === 0 ? [] : ['the next call answered locally'];
}

/** Errors with a status, where they pass or nobody decided. */
function isOwnWordsCase(the: MatrixCase, switched: boolean): boolean {
	const isStatus = the.fault.group === 'status' || the.fault.group === 'rate limit';
	return isStatus && (rightOf(the) === 'passes' || !switched);
}

function isPassedUnchanged(seen: Observation, world: World): boolean {
	const sent = world.provider.calls[0]?.replied;
	if (!sent) return false;
	const hasHeaders = Object.entries(sent.headers).every(([name, value]) => seen.headers[name] === value);
	return seen.status === sent.status && seen.bytes.equals(sent.body) && hasHeaders;
}

/** Dates have whole seconds; a time that cannot be used must not be made up. */
function keepsRetryAfter({ fault }: MatrixCase, world: World, askedAt: number): boolean | null {
	if (fault.retryAfter === null) return null;
	const { meansMs } = fault.retryAfter;
	const until = world.providerView().retryAfterUntil;
	if (meansMs === null) return until === null ? null : false;
	if (meansMs === 0) return until === null || until <= Date.now();
	const isRead = until !== null && until >= askedAt + meansMs - 1_000 && until <= Date.now() + meansMs;
	return isRead && world.provider.calls.length === 1;
}

/** Answers that are still under way when the client may leave. */
export function canLeave({ fault }: MatrixCase): boolean {
	return fault.group === 'silence' || fault.name === 'slow drip';
}

/** The client leaves in the middle: the provider is let go at once, nobody is blamed, nobody is asked. */
export async function runLeaving(startWorld: StartWorld, the: MatrixCase): Promise<readonly string[]> {
	const { fault, protocol, stream } = the;
	const world = await startWorld({
		provider: fault.provider,
		holdSeconds: DECIDED_HOLD_SECONDS,
		silenceMs: NO_SILENCE_MS,
	});
	try {
		world.provider.respond(fault.group === 'silence' ? fault.step : stall('mid-text', cloudAnswer));
		const call = ask(world.baseUrl, protocol, stream);
		const asked = await world.provider.call(1);
		call.leave();
		const wrong: string[] = [];
		if ((await asked.over) !== 'aborted') wrong.push('the provider let go');
		await call.observed;
		if (world.popupCount > 0) wrong.push('nobody asked');
		const { errors, breaker } = world.providerView();
		if (errors > 0 || breaker !== 'closed') wrong.push('nobody blamed');
		return wrong;
	} finally {
		await world.close();
	}
}
