import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, emptyAnswer, status } from '../support/provider-stub/steps.ts';
import { GatewayFixture, until } from './gateway-fixture.ts';

let floor: GatewayFixture;
beforeEach(async () => {
	floor = await GatewayFixture.start();
});
afterEach(async () => {
	expect(floor.unexpected).toEqual([]);
	await floor.dispose();
});

describe('a turn that a local model answers', () => {
	it('keeps protocol, tools and messages, names the model everywhere, and sends no cloud credentials', async () => {
		floor.provider.respond(status(529));
		floor.local.respond(answer({ text: 'Local words.' }));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.local30b());
		const reply = await call.reply;
		expect(reply.status).toBe(200);
		expect(reply.headers).toMatchObject({
			'x-agent-floor-served-by': 'local',
			'x-agent-floor-model': 'qwen3-coder:30b',
		});
		expect(reply.text).toMatch(/"model":"qwen3-coder:30b"/);
		expect(reply.text).toMatch(/\[Anthropic is lost; answered locally by qwen3-coder:30b\]/);
		const [sent] = floor.local.calls;
		expect(sent?.json).toMatchObject({ model: 'qwen3-coder:30b', tools: [{ name: 'Bash' }] });
		expect(JSON.stringify(sent?.headers)).not.toMatch(/secret/);
		expect(floor.warmed).toEqual(['ollama/qwen3-coder:30b']);
		expect(floor.desk.improvable).toMatchObject([{ model: 'qwen3-coder:30b' }]);
		expect(floor.desk.improvable[0]?.answer).toMatch(/Local words/);
		expect(floor.turns.of('turn-1')).toMatchObject({ path: '/v1/messages?beta=true' });
		expect(floor.desk.ends).toEqual([
			{ kind: 'answered', harness: 'local', at: 'ollama', model: 'qwen3-coder:30b' },
		]);
		expect(floor.modelCalls.at(-1)?.served).toMatchObject({ harness: 'local', at: 'ollama' });
	});

	it.each([
		['later ones', false, true],
		['any when the setting is off', true, false],
	])('labels the first answer only, not %s', async (_name, isFirst, labelAnswers) => {
		floor.settings = { ...floor.settings, failover: { ...floor.settings.failover, labelAnswers } };
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst };
		for (const stream of [true, false]) {
			const reply = await floor.ask({ stream }).reply;
			expect(reply.text).not.toMatch(/answered locally/);
			expect(reply.text).toMatch(/"model":"qwen3-coder:30b"/);
		}
		expect(floor.provider.calls).toEqual([]);
	});

	it('labels a whole answer as well', async () => {
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst: true };
		const reply = await floor.ask({ stream: false }).reply;
		expect(JSON.parse(reply.text).content[0].text).toMatch(/answered locally by qwen3-coder:30b/);
		expect(reply.headers['x-agent-floor-served-by']).toBe('local');
	});

	it('sends pings while a cold model is loaded', async () => {
		const loaded = Promise.withResolvers<void>();
		floor.warm = () => loaded.promise;
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst: true };
		const call = floor.ask();
		await until(() => floor.time.waiting > 0);
		floor.time.advance(10_000);
		await call.shows('event: ping');
		loaded.resolve();
		expect((await call.reply).text).toMatch(/event: ping[\s\S]*message_start[\s\S]*message_stop/);
	});

	it.each([
		[
			'cannot be loaded',
			async (it: GatewayFixture) => {
				it.warm = async () => {
					throw new Error('out of memory');
				};
			},
			/out of memory/,
		],
		['answers with an error', async (it: GatewayFixture) => it.local.respond(status(500)), /500/],
		['is not there', async (it: GatewayFixture) => it.local.goDark(), /ECONNREFUSED/],
		['says nothing', async (it: GatewayFixture) => it.local.respond(emptyAnswer()), /empty/],
	])('that %s: the provider’s own error is what the person sees', async (_name, breakIt, why) => {
		await breakIt(floor);
		floor.provider.respond(status(529, { message: 'the original' }));
		const call = floor.ask();
		await floor.desk.asked(1);
		floor.desk.decide(floor.local30b());
		await floor.desk.asked(2);
		expect(floor.desk.localFailures[0]).toMatch(why);
		expect(floor.desk.failures[1]).toMatchObject({ outcome: { status: 529 } });
		floor.desk.decide({ kind: 'give-up', why: 'hold-over' });
		const reply = await call.reply;
		expect([reply.status, JSON.parse(reply.text).error.message]).toEqual([529, 'the original']);
	});

	it('gets a token only from the environment variable that the settings name', async () => {
		floor.settings = {
			...floor.settings,
			localServers: [
				{ id: 'ollama', kind: 'ollama', baseUrl: floor.local.url, credentialEnv: 'LOCAL_TOKEN' },
			],
		};
		floor.environment = { LOCAL_TOKEN: 'local-secret' };
		floor.desk.nextRoute = { to: 'local', model: floor.model(), isFirst: false };
		await floor.ask().reply;
		expect(floor.local.calls[0]?.headers.authorization).toBe('Bearer local-secret');
	});
});
