/** Meets one limit with one client, and judges what came of it. */
import { protocolSchema } from '../../../src/shared/failover-settings.ts';
import { readStrictly } from '../strict-client.ts';
import { judgeLimit, type LimitCase } from './judge-limits.ts';
import { FIRST_FALLBACK, limits, SECOND_FALLBACK, stepOf } from './limits.ts';
import { ask } from './observe.ts';
import type { StartWorld } from './run.ts';
import { CLOUD_MODEL, type World } from './world.ts';

export interface LimitResult {
	readonly got: string;
	/** Empty: it was right. */
	readonly wrong: readonly string[];
	/** From the last bytes of each limited answer to the head of the next model's request at the provider, ms. */
	readonly nextModelMs: readonly number[];
}

const COOLDOWN_MINUTES = 10;
/** So short that the provider's own waiting time decides, where it names one. */
const BRIEF_COOLDOWN_MINUTES = 0.0001;
const UNDECIDED_HOLD_SECONDS = 0.05;
const DECIDED_HOLD_SECONDS = 120;
const NO_SILENCE_MS = 60_000;

/** Every limit in every protocol, streamed and not, where it can happen. */
export function limitCases(): LimitCase[] {
	return limits.flatMap((limit) =>
		protocolSchema.options.flatMap((protocol) =>
			(limit.forms === 'both' ? [true, false] : [true]).map((stream) => ({ limit, protocol, stream })),
		),
	);
}

/** True when the operator is asked about it. */
export function isLoss({ limit }: LimitCase): boolean {
	return limit.right === 'fails-over';
}

export async function runLimit(
	startWorld: StartWorld,
	the: LimitCase,
	switched: boolean,
): Promise<LimitResult> {
	const { limit, protocol, stream } = the;
	const world = await startLimitWorld(startWorld, {
		cooldownMinutes: limit.retryAfter === null ? COOLDOWN_MINUTES : BRIEF_COOLDOWN_MINUTES,
		holdSeconds: switched ? DECIDED_HOLD_SECONDS : UNDECIDED_HOLD_SECONDS,
	});
	try {
		if (limit.before !== null) {
			world.provider.respond(stepOf(limit.before));
			await ask(world.baseUrl, protocol, stream).observed;
		}
		const earlier = world.provider.calls.length;
		world.provider.respond(stepOf(limit.steps));
		const call = ask(world.baseUrl, protocol, stream);
		if (switched) {
			const popup = await Promise.race([world.popup(), call.observed.then(() => null)]);
			if (popup !== null) world.switchTo(popup);
		}
		const seen = await call.observed;
		const calls = world.provider.calls.slice(earlier);
		const judgement = judgeLimit(the, seen, calls, { world, switched });
		const wrong = [...judgement.wrong];
		if (!isWishKept(the, world)) wrong.push('its waiting time kept');
		if (limit.right === 'asks-again') wrong.push(...(await answeredNext(world, the)));
		const nextModelMs = calls.slice(1).flatMap(({ json, receivedAt }, at) => {
			const before = calls[at];
			const isNext = before !== undefined && before.json.model !== json.model;
			return isNext && before.lastBytesAt !== null ? receivedAt - before.lastBytesAt : [];
		});
		return { got: judgement.got, wrong, nextModelMs };
	} finally {
		await world.close();
	}
}

export interface LimitWorldOptions {
	readonly cooldownMinutes?: number;
	/** s */
	readonly holdSeconds?: number;
}

/** A provider whose model has two stand-ins. */
export function startLimitWorld(startWorld: StartWorld, options: LimitWorldOptions = {}): Promise<World> {
	const { cooldownMinutes = COOLDOWN_MINUTES, holdSeconds = DECIDED_HOLD_SECONDS } = options;
	return startWorld({
		provider: 'here',
		holdSeconds,
		silenceMs: NO_SILENCE_MS,
		chain: {
			preferredModel: CLOUD_MODEL,
			fallbackChain: [FIRST_FALLBACK, SECOND_FALLBACK],
			cooldownMinutes,
		},
	});
}

/** The preferred model is left alone for as long as the provider said, and no longer. */
function isWishKept({ limit }: LimitCase, world: World): boolean {
	if (limit.retryAfter === null) return true;
	const { meansMs, headers } = limit.retryAfter;
	const waitMs = (world.chainView()?.resumeAt ?? world.modelsNow) - world.modelsNow;
	const leastMs = Math.max(meansMs ?? 0, BRIEF_COOLDOWN_MINUTES * 60_000);
	const isDate = Object.values(headers).some((value) => typeof value === 'function');
	// A date has whole seconds, and some time passes before it is read.
	return isDate && meansMs !== null
		? waitMs > leastMs / 2 && waitMs <= leastMs
		: Math.abs(waitMs - leastMs) < 1;
}

/** The client that asks again is answered at once, by what stands in. */
async function answeredNext(world: World, { limit, protocol }: LimitCase): Promise<string[]> {
	const seen = await ask(world.baseUrl, protocol, true).observed;
	const read = readStrictly(protocol, true, seen.bytes);
	const isAnswered = read.end === 'clean' && read.breaches.length === 0 && read.models.join() === limit.by;
	return isAnswered ? [] : [`the next call answered by ${limit.by}`];
}
