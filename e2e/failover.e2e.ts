/** Chaos: the provider is lost in every state a turn can be in; each ends with the right badge, label and conversation. */
import { answer, cut, paused, stall } from '../test/support/provider-stub/steps.ts';
import {
	expect,
	expectSameConversation,
	expectTier,
	LOCAL_TEXT,
	localCalls,
	lookForModels,
	MODEL,
	popupOf,
	request,
	snapshot,
	switchAndContinue,
	test,
} from './support/failover.ts';
import { cardOf } from './support/test.ts';

const SAID = 'Now I run the tests one by one, and I look at the first that fails. Grüße!';
const RESTART = /\[Connection to Anthropic lost; answer restarted on coder:30b\]/;
const LABEL = /^\[Anthropic is lost; answered locally by coder:30b\]/;
const runsTests = { text: 'First the tests.', toolCalls: [{ name: 'Bash', input: { command: 'npm test' } }] };

test.beforeEach(() => test.setTimeout(120_000));

test('Mid-stream disconnect chaos: kill socket during SSE -> breaker opens, popup fires <2s, switch to fixture local server completes turn, output badged', async ({
	window,
	floor,
	provider,
	local,
	agent,
}) => {
	provider.script([stall('mid-text', { text: SAID })]);
	const turn = agent.turn('Make the tests green');
	await provider.call(1);
	await agent.call?.holds('Now I run');
	await expectTier(window, 'NORMAL');
	const lostAt = Date.now();
	await provider.goDark();
	await expect(popupOf(window)).toContainText('Anthropic');
	await expect(popupOf(window)).toContainText(/Your conversation carries over/);
	const [popup] = (await snapshot(floor)).failover.popups;
	expect(popup?.openedAt).toBeLessThan(lostAt + 2_000);
	// The cut says that an answer broke off; the next try, that nothing answers any more.
	await expect
		.poll(async () => (await snapshot(floor)).failover.providers[0]?.breaker, { timeout: 20_000 })
		.toBe('open');
	await switchAndContinue(window);
	const read = await turn;
	expect(read).toMatchObject({ end: 'clean', breaches: [], toolCalls: [] });
	const text = read.texts.join('');
	expect(text).toMatch(RESTART);
	expect(text.endsWith(LOCAL_TEXT)).toBe(true);
	expect(SAID.startsWith((text.split(RESTART)[0] ?? '').trimEnd())).toBe(true);
	await expect(popupOf(window)).toHaveCount(0);
	await expectTier(window, 'LOCAL-ONLY', /Anthropic/);
	await expect(cardOf(window, agent.session).getByTestId('served-badge')).toContainText('coder:30b');
	expectSameConversation(provider.calls[0], localCalls(local)[0]);
});

test('Session carry-over: conversation log identical pre/post switch (same session id, same tools offered)', async ({
	window,
	floor,
	provider,
	local,
	agent,
}) => {
	provider.script([answer(runsTests), cut('before-content', { text: SAID })]);
	const turn = agent.turn('Make the tests green');
	await switchAndContinue(window);
	expect(await turn).toMatchObject({ end: 'clean', breaches: [] });
	// The same three messages: prompt, tool call, its result.
	expectSameConversation(provider.calls[1], localCalls(local)[0]);
	expect(agent.messages).toHaveLength(3);
	const before = await snapshot(floor);
	expect(before.agents.map(({ sessionId }) => sessionId)).toEqual([agent.session.sessionId]);
	expect(before.failover.routes).toMatchObject([
		{ sessionKey: agent.session.sessionId, modelId: 'ollama/coder:30b' },
	]);
	// The choice holds: the next turn of this session goes there at once, and nobody is asked.
	expect(await agent.turn('And the linter')).toMatchObject({ end: 'clean' });
	expect(provider.calls).toHaveLength(2);
	expect(localCalls(local)).toHaveLength(2);
	await expect(popupOf(window)).toHaveCount(0);
	expect(agent.answers.at(-2)?.texts.join('')).toMatch(LABEL);
	expect(agent.answers.at(-1)?.texts.join('')).toBe(LOCAL_TEXT);
});

test('mid-tool: a call that broke off is never run, neither half nor twice', async ({
	window,
	provider,
	local,
	agent,
}) => {
	provider.script([answer(runsTests), cut('mid-tool-arguments', runsTests)]);
	const turn = agent.turn('Make the tests green');
	await expect(popupOf(window)).toBeVisible();
	expect(agent.commands).toEqual(['npm test']);
	await switchAndContinue(window);
	expect(await turn).toMatchObject({ end: 'clean', breaches: [] });
	expect(agent.commands).toEqual(['npm test']);
	expect(agent.answers[1]?.texts.join('')).toMatch(RESTART);
	await expectTier(window, 'LOCAL-ONLY', /Anthropic/);
	expectSameConversation(provider.calls[1], localCalls(local)[0]);
});

test('while a model loads: the turn is held until it can answer', async ({
	window,
	floor,
	provider,
	local,
	agent,
}) => {
	local.set({ models: [{ ...MODEL, loaded: false, loadMs: 2_500 }] });
	await lookForModels(floor);
	provider.script([cut('before-content', { text: SAID })]);
	const turn = agent.turn('Make the tests green');
	await switchAndContinue(window);
	await expectTier(window, 'LOCAL-ONLY', /Anthropic/);
	expect(await turn).toMatchObject({ end: 'clean', breaches: [] });
	expect(agent.answers[0]?.texts.join('')).toMatch(LABEL);
	expectSameConversation(provider.calls[0], localCalls(local)[0]);
	await expect(cardOf(window, agent.session).getByTestId('served-badge')).toContainText('coder:30b');
});

test('mid-download: a model that is being fetched goes on, and the turn goes on beside it', async ({
	window,
	floor,
	provider,
	local,
	agent,
}) => {
	local.set({ pull: { steps: 20, stepMs: 250 } });
	await request(floor, 'models:pull', { serverId: 'ollama', model: 'tiny:1b' });
	const download = async () =>
		(await snapshot(floor)).failover.outbox.entries.find(({ kind }) => kind === 'download');
	await expect.poll(async () => (await download())?.progress ?? 0).toBeGreaterThan(0);
	provider.script([cut('mid-text', { text: SAID })]);
	const turn = agent.turn('Make the tests green');
	await switchAndContinue(window);
	expect(await turn).toMatchObject({ end: 'clean', breaches: [] });
	expect(agent.answers[0]?.texts.join('')).toMatch(RESTART);
	await expectTier(window, 'LOCAL-ONLY', /Anthropic/);
	expectSameConversation(provider.calls[0], localCalls(local)[0]);
	await expect.poll(async () => (await download())?.state, { timeout: 20_000 }).toBe('reconciled');
	expect(local.requestsTo('/api/pull')).toHaveLength(1);
});

test('nothing local fits: an explicit message, a queue, and never an answer nobody gave', async ({
	window,
	floor,
	provider,
	local,
	agent,
}) => {
	local.set({ models: [{ ...MODEL, contextInUse: 16 }] });
	await expect
		.poll(async () => {
			await request(floor, 'failover:refresh');
			return (await snapshot(floor)).failover.capability.localModels[0]?.context.inUse;
		})
		.toBe(16);
	await provider.goDark();
	const turn = agent.turn('Make the tests green');
	await expect(popupOf(window).getByTestId('failover-refusal')).toBeVisible();
	await expectTier(window, 'REFUSING');
	await popupOf(window).getByTestId('failover-queue').click();
	expect(await turn).toMatchObject({ end: 'error', texts: [], toolCalls: [] });
	expect(agent.answers[0]?.error).toMatch(/queued/i);
	await expect(popupOf(window)).toHaveCount(0);
	await expectTier(window, 'READ-ONLY-REMOTE', /1 queued item/);
	await expect(window.getByTestId('outbox-badge')).toContainText('1');
	expect(localCalls(local)).toHaveLength(0);
	expect(provider.calls).toHaveLength(0);
});

test('high latency is no loss: slow answers stay with the provider, and nobody is asked', async ({
	window,
	provider,
	local,
	agent,
}) => {
	provider.script([
		answer({ ...runsTests, text: SAID }, { everyMs: 250 }),
		answer({ text: SAID }, { everyMs: 250 }),
	]);
	const read = await agent.turn('Make the tests green');
	expect(read).toMatchObject({ end: 'clean', breaches: [], texts: [SAID] });
	expect(agent.commands).toEqual(['npm test']);
	await expectTier(window, 'NORMAL');
	await expect(popupOf(window)).toHaveCount(0);
	await expect(cardOf(window, agent.session).getByTestId('served-badge')).toHaveCount(0);
	expect(localCalls(local)).toHaveLength(0);
});

test('provider back: the popup closes as recovered, the held turn goes to the provider, the badge is NORMAL', async ({
	window,
	floor,
	provider,
	local,
	agent,
}) => {
	await provider.goDark();
	const turn = agent.turn('Make the tests green');
	await expect(popupOf(window)).toBeVisible();
	await popupOf(window).getByTestId('failover-wait').click();
	await expectTier(window, 'LOCAL-ONLY', /Anthropic/);
	provider.respond(answer({ text: SAID }));
	await provider.comeBack();
	// The breaker lets a trial go after thirty seconds.
	expect(await turn).toMatchObject({ end: 'clean', breaches: [], texts: [SAID] });
	await expect(popupOf(window)).toHaveCount(0);
	await expectTier(window, 'NORMAL');
	expect(localCalls(local)).toHaveLength(0);
	const { incidents } = await snapshot(floor);
	const lost = incidents.find(({ title }) => title.includes('Anthropic'));
	expect(lost?.endedAt).not.toBeNull();
	expect(provider.calls).toHaveLength(1);
});

test('an agent that leaves while it is held takes its popup with it', async ({
	window,
	provider,
	local,
	agent,
}) => {
	const gate = Promise.withResolvers<void>();
	provider.script([paused('mid-text', gate.promise, { text: SAID })]);
	const turn = agent.turn('Make the tests green');
	await provider.call(1);
	await agent.call?.holds('Now I run');
	await provider.goDark();
	gate.resolve();
	await expect(popupOf(window)).toBeVisible();
	agent.call?.leave();
	await turn;
	await expect(popupOf(window)).toHaveCount(0);
	expect(localCalls(local)).toHaveLength(0);
});
