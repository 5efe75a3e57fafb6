/** Plays one fault to one client, with an operator who switches or with nobody there, and judges what came of it. */
import { type ProtocolId, protocolSchema } from '../../../src/shared/failover-settings.ts';
import { answer } from '../provider-stub/steps.ts';
import { readStrictly } from '../strict-client.ts';
import { cloudAnswer, type Fault, faults } from './faults.ts';
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
}

const protocols: readonly ProtocolId[] = protocolSchema.options;
/** A silent provider is given up after this, ms; the matrix has no patience for five minutes. */
const SILENCE_MS = 300;
/** Nobody answers: the hold ends after this, s. */
const UNDECIDED_HOLD_SECONDS = 0.15;
const DECIDED_HOLD_SECONDS = 120;

/** Every fault in every protocol, streamed and not, where it can happen. */
export function matrixCases(): MatrixCase[] {
	return faults.flatMap((fault) =>
		protocols.flatMap((protocol) =>
			[true, false]
				.filter((stream) => rightOf(fault, stream) !== null)
				.map((stream) => ({ fault, protocol, stream })),
		),
	);
}

export function rightOf(fault: Fault, stream: boolean): Fault['streamed'] {
	return stream ? fault.streamed : fault.whole;
}

/** True when somebody is asked about it. */
export function isAsked({ fault, stream }: MatrixCase): boolean {
	const right = rightOf(fault, stream);
	return right !== 'answers' && right !== 'passes';
}

export async function runCase(
	startWorld: StartWorld,
	the: MatrixCase,
	switched: boolean,
): Promise<CaseResult> {
	const { fault, protocol, stream } = the;
	const right = rightOf(fault, stream);
	if (right === null) throw new Error(`${fault.name} cannot happen here`);
	const world = await startWorld({
		provider: fault.provider,
		holdSeconds: switched ? DECIDED_HOLD_SECONDS : UNDECIDED_HOLD_SECONDS,
		silenceMs: SILENCE_MS,
	});
	try {
		if (fault.name.startsWith('kept connection')) await warmUp(world, protocol);
		world.provider.respond(fault.step);
		const startedAt = performance.now();
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
		return {
			got: judgement.got,
			wrong,
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
function isOwnWordsCase({ fault, stream }: MatrixCase, switched: boolean): boolean {
	const isStatus = fault.group === 'status' || fault.group === 'rate limit';
	return isStatus && (rightOf(fault, stream) === 'passes' || !switched);
}

function isPassedUnchanged(seen: Observation, world: World): boolean {
	const sent = world.provider.calls[0]?.replied;
	if (!sent) return false;
	const hasHeaders = Object.entries(sent.headers).every(([name, value]) => seen.headers[name] === value);
	return seen.status === sent.status && seen.bytes.equals(sent.body) && hasHeaders;
}
