/** Every way in which a model can be limited, in every protocol, streamed and not: what the client gets, and what is asked. */
import { afterEach, describe, expect, test } from 'vitest';
import { protocolSchema } from '../../src/shared/failover-settings.ts';
import { cloudAnswer } from '../support/fault-matrix/faults.ts';
import { startGatewayWorld } from '../support/fault-matrix/gateway-world.ts';
import type { LimitCase } from '../support/fault-matrix/judge-limits.ts';
import { FIRST_FALLBACK } from '../support/fault-matrix/limits.ts';
import { ask, requestBody } from '../support/fault-matrix/observe.ts';
import {
	isLoss,
	type LimitWorldOptions,
	limitCases,
	runLimit,
	startLimitWorld,
} from '../support/fault-matrix/run-limits.ts';
import { CLOUD_MODEL, type World } from '../support/fault-matrix/world.ts';
import { answer, byModel, paused, type Step, stall, status } from '../support/provider-stub/steps.ts';
import { readStrictly } from '../support/strict-client.ts';

const byLimit = Map.groupBy(limitCases(), ({ limit }) => `${limit.group}: ${limit.name}`);
const formOf = ({ protocol, stream }: LimitCase): string => `${protocol}, ${stream ? 'stream' : 'whole'}`;

describe('what the client gets', () => {
	test.each([...byLimit])('%s', { timeout: 60_000 }, async (_name, cases) => {
		const runs = cases.flatMap((the) =>
			(isLoss(the) ? [true, false] : [false]).map(async (switched) => {
				const { got, wrong } = await runLimit(startGatewayWorld, the, switched);
				return wrong.length === 0
					? []
					: [`${formOf(the)}, ${switched ? 'switched' : 'undecided'}: ${got}; must be ${wrong.join('; ')}`];
			}),
		);
		expect((await Promise.all(runs)).flat()).toEqual([]);
	});
});

const well = answer(cloudAnswer);
const limited = status(429, { headers: { 'retry-after': '7' } });
const isLimited: Step = byModel({ [CLOUD_MODEL]: limited }, well);
const worlds: World[] = [];

async function worldOf(options: LimitWorldOptions = {}): Promise<World> {
	const world = await startLimitWorld(startGatewayWorld, options);
	worlds.push(world);
	return world;
}

const models = (world: World): unknown[] => world.provider.calls.map(({ json }) => json.model);

afterEach(async () => {
	await Promise.all(worlds.splice(0).map((world) => world.close()));
});

describe.each(protocolSchema.options)('%s', (protocol) => {
	const turn = (world: World) => ask(world.baseUrl, protocol, true).observed;
	const modelOf = async (observed: ReturnType<typeof turn>): Promise<unknown> => {
		const seen = await observed;
		const read = readStrictly(protocol, true, seen.bytes);
		return read.end === 'clean' && read.breaches.length === 0 ? read.models.join() : seen.status;
	};

	test('after the cooldown two answers of the preferred model close the circuit', async () => {
		const world = await worldOf();
		world.provider.respond(isLimited);
		expect(await modelOf(turn(world))).toBe(FIRST_FALLBACK);
		expect(world.chainView()).toMatchObject({ state: 'open', metrics: { totalFallbacks: 1 } });

		world.provider.respond(well);
		world.later(9 * 60_000);
		expect(await modelOf(turn(world))).toBe(FIRST_FALLBACK);
		world.later(60_000);
		expect(await modelOf(turn(world))).toBe(CLOUD_MODEL);
		expect(world.chainView()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		expect(await modelOf(turn(world))).toBe(CLOUD_MODEL);
		expect(world.chainView()).toMatchObject({ state: 'closed', metrics: { totalRecoveries: 1 } });
	});

	test('a test call that is limited is answered by the fallback, and the cooldown begins anew', async () => {
		const world = await worldOf();
		world.provider.respond(isLimited);
		await turn(world);
		world.later(10 * 60_000);
		expect(await modelOf(turn(world))).toBe(FIRST_FALLBACK);
		expect(models(world)).toEqual([CLOUD_MODEL, FIRST_FALLBACK, CLOUD_MODEL, FIRST_FALLBACK]);
		expect(world.chainView()).toMatchObject({
			state: 'open',
			openedAt: world.modelsNow,
			metrics: { totalFallbacks: 2 },
		});
	});

	test('one test call at a time: who comes meanwhile is answered by the fallback', async () => {
		const world = await worldOf();
		world.provider.respond(isLimited);
		await turn(world);
		world.later(10 * 60_000);
		const gate = Promise.withResolvers<void>();
		const waits = paused('before-any', gate.promise, cloudAnswer);
		world.provider.respond(byModel({ [CLOUD_MODEL]: waits }, well));
		const testing = turn(world);
		await world.provider.call(3);
		const others = await Promise.all(Array.from({ length: 5 }, () => modelOf(turn(world))));
		expect(others).toEqual(Array.from({ length: 5 }, () => FIRST_FALLBACK));
		gate.resolve();
		expect(await modelOf(testing)).toBe(CLOUD_MODEL);
	});

	test('a test call whose client leaves is given back', async () => {
		const world = await worldOf();
		world.provider.respond(isLimited);
		await turn(world);
		world.later(10 * 60_000);
		world.provider.respond(byModel({ [CLOUD_MODEL]: stall('before-head', cloudAnswer) }, well));
		const testing = ask(world.baseUrl, protocol, true);
		const asked = await world.provider.call(3);
		testing.leave();
		expect(await asked.over).toBe('aborted');
		await testing.observed;
		world.provider.respond(well);
		await expect.poll(() => world.chainView()?.probe).toBeNull();
		expect(await modelOf(turn(world))).toBe(CLOUD_MODEL);
	});

	test('the client leaves while the fallback answers: it is let go, and nobody is blamed', async () => {
		const world = await worldOf();
		world.provider.respond(
			byModel({ [CLOUD_MODEL]: limited, [FIRST_FALLBACK]: stall('mid-text', cloudAnswer) }, well),
		);
		const call = ask(world.baseUrl, protocol, true);
		const asked = await world.provider.call(2);
		call.leave();
		expect(await asked.over).toBe('aborted');
		await call.observed;
		expect(world.providerView()).toMatchObject({ errors: 0, breaker: 'closed' });
		expect(world.popupCount).toBe(0);
		world.provider.respond(well);
		expect(await modelOf(turn(world))).toBe(FIRST_FALLBACK);
	});

	test('ten agents that meet the limit at once: ten whole answers, one limit', async () => {
		const world = await worldOf();
		world.provider.respond(isLimited);
		const answers = await Promise.all(Array.from({ length: 10 }, () => modelOf(turn(world))));
		expect(answers).toEqual(Array.from({ length: 10 }, () => FIRST_FALLBACK));
		expect(world.chainView()).toMatchObject({
			state: 'open',
			currentFallbackIndex: 0,
			metrics: { totalFallbacks: 1 },
		});
	});

	test('a helper call goes the same way', async () => {
		const world = await worldOf();
		world.provider.respond(isLimited);
		const { tools: _tools, ...body } = requestBody(protocol, false);
		const limit = protocol === 'openai-responses' ? 'max_output_tokens' : 'max_tokens';
		const seen = await ask(world.baseUrl, protocol, false, { body: { ...body, [limit]: 32 } }).observed;
		expect(readStrictly(protocol, false, seen.bytes)).toMatchObject({
			models: [FIRST_FALLBACK],
			breaches: [],
		});
	});

	test('a model that no chain names keeps its own 429', async () => {
		const world = await worldOf();
		world.provider.respond(limited);
		const body = { ...requestBody(protocol, true), model: 'another-model' };
		const seen = await ask(world.baseUrl, protocol, true, { body }).observed;
		expect([seen.status, seen.headers['retry-after'], models(world)]).toEqual([429, '7', ['another-model']]);
		const again = await ask(world.baseUrl, protocol, true, { body }).observed;
		expect(again.status).toBe(429);
		expect(models(world)).toHaveLength(2);
	});
});
