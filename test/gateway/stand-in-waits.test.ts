/** A limited model, and a turn that has to wait: which model it goes on with, and how the client learns of it. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Failure } from '../../src/main/failover/desk.ts';
import { answer, byModel, cut, reset, status } from '../support/provider-stub/steps.ts';
import { GatewayFixture } from './gateway-fixture.ts';

const PREFERRED = 'claude-sonnet-4-5';
const STAND_IN = 'claude-haiku-4-5';
const HOUR = 60 * 60_000;

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
	Object.assign(floor.settings.models, {
		chains: [{ preferredModel: PREFERRED, fallbackChain: [STAND_IN], cooldownMinutes: 10 }],
	});
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

const well = answer({ text: 'Hello there, and some more of it.' });
const broken = cut('mid-text', { text: 'Hello there, and some more of it.' });
const limited = status(429, { headers: { 'retry-after': '30' } });
const limitedThenLost = byModel({ [PREFERRED]: limited }, reset());

async function recovered(): Promise<void> {
	floor.provider.respond(well);
	floor.time.advance(HOUR);
	for (const session of ['s2', 's3']) {
		await floor.ask({ headers: { 'x-claude-code-session-id': session } }).reply;
	}
	expect(floor.models.view().chains[0]?.state).toBe('closed');
}

/** The turn goes on at its provider. */
function goOn(): void {
	floor.provider.respond(well);
	floor.desk.decide(floor.again());
}

it('goes to its own model when that has recovered meanwhile', async () => {
	floor.provider.respond(limitedThenLost);
	const call = floor.ask({ stream: false });
	await floor.desk.asked(1);
	await recovered();
	goOn();
	expect((await call.reply).headers['x-agent-floor-model']).toBe(PREFERRED);
	expect(floor.provider.requests.at(-1)?.json.model).toBe(PREFERRED);
});

it('names the stand-in in the text where no header can any more', async () => {
	floor.provider.respond(limitedThenLost);
	const call = floor.ask();
	await floor.desk.asked(1);
	floor.time.advance(20_000);
	expect((await call.head).headers['x-agent-floor-model']).toBeUndefined();
	goOn();
	const label = `\\[${PREFERRED} is rate-limited; answered by ${STAND_IN}\\]`;
	expect((await call.reply).text).toMatch(new RegExp(`${label}[\\s\\S]*Hello[\\s\\S]*message_stop`));
});

it.each([
	['the operator wants no labels', false, false],
	['its own model answers', true, true],
])('puts nothing into the text where %s', async (_why, labelAnswers, isRecovered) => {
	floor.settings.failover.labelAnswers = labelAnswers;
	floor.provider.respond(limitedThenLost);
	const call = floor.ask();
	await floor.desk.asked(1);
	floor.time.advance(20_000);
	await call.head;
	if (isRecovered) await recovered();
	goOn();
	const { text } = await call.reply;
	expect(text).toMatch(/Hello[\s\S]*message_stop/);
	expect(text).not.toMatch(/rate-limited|answered by/);
});

it.each([
	['the stand-in', false, STAND_IN],
	['its own model again', true, PREFERRED],
])(
	'names who goes on with an answer of the stand-in that broke off: %s',
	async (_who, isRecovered, model) => {
		floor.provider.respond(byModel({ [PREFERRED]: limited }, broken));
		const call = floor.ask();
		await floor.desk.asked(1);
		if (isRecovered) await recovered();
		goOn();
		const label = `\\[Connection to Anthropic lost; answer restarted on ${model}\\]`;
		expect((await call.reply).text).toMatch(new RegExp(`${label}[\\s\\S]*message_stop`));
	},
);

it('names nobody where its own model goes on with its own answer', async () => {
	floor.provider.respond(broken);
	const call = floor.ask();
	await floor.desk.asked(1);
	goOn();
	expect((await call.reply).text).toContain('[Connection to Anthropic lost; answer restarted]');
});

it('that meets a limit when it goes on tells of the limit, not of the connection', async () => {
	floor.provider.respond(broken);
	const call = floor.ask();
	await floor.desk.asked(1);
	floor.provider.respond(byModel({ [PREFERRED]: limited }, well));
	floor.desk.decide(floor.again());
	const { text } = await call.reply;
	expect(text).toContain(`[${PREFERRED} is rate-limited; answer restarted on ${STAND_IN}]`);
	expect(text).not.toMatch(/Connection to/);
});

it.each(['hold', 'local'] as const)(
	'gives the seat of its next model back when its way leads elsewhere: %s',
	async (to) => {
		const failure: Failure = {
			cause: 'network-lost',
			outcome: { kind: 'lost', status: null, code: 'ECONNRESET', latencyMs: null, retryAfterMs: null },
			detail: 'The connection was reset.',
			cutMidAnswer: false,
		};
		const settled: string[] = [];
		const settle = floor.models.settle.bind(floor.models);
		floor.models.settle = (ticket, outcome) => {
			settled.push(`${ticket.model} ${outcome.kind}`);
			settle(ticket, outcome);
		};
		floor.local.respond((call) => {
			expect(settled).toEqual([`${PREFERRED} limited`, `${STAND_IN} other`]);
			return well(call);
		});
		floor.provider.respond((call) => {
			floor.desk.nextRoute = to === 'hold' ? { to, failure } : { to, model: floor.model(), isFirst: false };
			return limited(call);
		});
		const call = floor.ask();
		if (to === 'hold') {
			await floor.desk.asked(1);
			floor.desk.decide(floor.local30b());
		}
		expect((await call.reply).headers['x-agent-floor-served-by']).toBe('local');
		expect(settled).toEqual([`${PREFERRED} limited`, `${STAND_IN} other`]);
	},
);

it('whose stand-in refuses it after the wait says so: the limit heard before it is an old one', async () => {
	floor.provider.respond(limitedThenLost);
	const call = floor.ask();
	await floor.desk.asked(1);
	floor.time.advance(5_000);
	floor.provider.respond(status(400));
	floor.desk.decide(floor.again());
	const reply = await call.reply;
	expect([reply.status, reply.headers['retry-after']]).toEqual([429, '595']);
	expect(reply.text).toMatch(/refused this request: claude-haiku-4-5/);
});
