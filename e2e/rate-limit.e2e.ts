/** A model is limited: every loop and agent moves to the fallback, one call tests the recovery, and the window tells it. */
import { answer, status } from '../test/support/provider-stub/steps.ts';
import { axeViolations } from './support/axe.ts';
import { test as failover, request, snapshot } from './support/failover.ts';
import { cardOf, modelsBadge, openCard, test } from './support/model-loops.ts';
import { cardOf as agentCard, expect } from './support/test.ts';

const PREFERRED = 'claude-sonnet-5';
const LIMITED = { said: '429 Too Many Requests' } as const;

test('a limit that one loop meets moves all; one call tests the recovery; two successes heal all', async ({
	window,
	loop,
	other,
}) => {
	await expect(modelsBadge(window)).toHaveAttribute('data-limited', '0');
	await loop.current();
	expect(await loop.report('rate-limit', LIMITED)).toMatchObject({ model: 'gpt-5.4-mini', isFallback: true });
	await expect(modelsBadge(window)).toHaveAttribute('data-limited', '1');
	await expect(window.getByTestId('limit-line')).toContainText(
		/^claude-sonnet-5 limited → gpt-5\.4-mini, \d/,
	);
	await expect(window.getByTestId('announce-polite')).toContainText(
		'claude-sonnet-5 is rate-limited: gpt-5.4-mini stands in until',
	);
	expect(await other.current()).toMatchObject({ model: 'gpt-5.4-mini', state: 'open' });

	const card = await openCard(window, PREFERRED);
	await expect(card).toHaveAttribute('data-circuit', 'open');
	await expect(card.getByTestId('chain-countdown')).toHaveText(/^\d+ m( \d+ s)?$/);
	await expect(card.getByTestId('chain-why')).toContainText('429 Too Many Requests');
	await expect(card.getByTestId('chain-fallbacks')).toContainText('1, last');

	const probe = card.getByRole('button', { name: 'Probe now' });
	await probe.click();
	await expect(card.getByTestId('chain-now')).toContainText('The next call tests claude-sonnet-5.');
	await expect(probe).toBeFocused();
	await expect(probe).toHaveAttribute('aria-disabled', 'true');
	expect(await loop.current()).toMatchObject({ model: PREFERRED, isProbe: true, state: 'half-open' });
	await expect(card).toHaveAttribute('data-circuit', 'half-open');
	await expect(card.getByTestId('chain-now')).toContainText(/makes the test call/);
	// Everybody else stays on the fallback meanwhile.
	expect(await other.current()).toMatchObject({ model: 'gpt-5.4-mini', isProbe: false });

	await loop.report('success');
	expect(await other.current()).toMatchObject({ model: PREFERRED, isProbe: true });
	await other.report('success');
	await expect(card).toHaveAttribute('data-circuit', 'closed');
	await expect(card.getByTestId('chain-recoveries')).toContainText('1, last');
	await expect(modelsBadge(window)).toHaveAttribute('data-limited', '0');
	await expect(window.getByTestId('announce-polite')).toContainText('claude-sonnet-5 has recovered');
	await expect(window.getByTestId('limit-line')).toHaveCount(0);
	expect(await loop.current()).toMatchObject({ model: PREFERRED, state: 'closed' });
});

test('held on the fallback until the operator lets it recover', async ({ window, loop }) => {
	await loop.report('rate-limit', LIMITED);
	const card = await openCard(window, PREFERRED);
	await card.getByRole('button', { name: 'Hold on fallback' }).click();
	await expect(card).toHaveAttribute('data-standing', 'held');
	await expect(card.getByTestId('chain-countdown')).toHaveCount(0);
	await expect(card.getByRole('button', { name: 'Probe now' })).toHaveAttribute('aria-disabled', 'true');
	expect(await loop.current()).toMatchObject({ model: 'gpt-5.4-mini' });
	const release = card.getByRole('button', { name: 'Let it recover' });
	await expect(release).toBeFocused();
	await release.click();
	await expect(card).toHaveAttribute('data-standing', 'fallback');
	await expect(card.getByTestId('chain-countdown')).toBeVisible();
});

test('a chain that is limited whole says until when everybody waits', async ({ window, loop, other }) => {
	for (const model of [PREFERRED, 'gpt-5.4-mini', 'gpt-5-mini']) {
		await loop.report('rate-limit', { model, ...LIMITED });
	}
	expect(await other.current()).toMatchObject({ model: null });
	const card = await openCard(window, PREFERRED);
	await expect(card).toHaveAttribute('data-standing', 'exhausted');
	await expect(card.getByTestId('chain-now')).toContainText('Callers wait until');
	await expect(card.locator('[data-model-state="limited"]')).toHaveCount(3);
	await expect(window.getByTestId('announce-polite')).toContainText('all its fallbacks are rate-limited');
});

test('money that ran out is not taken for a limit: it asks the operator, once', async ({ window, loop }) => {
	await loop.report('spend-limit', { said: 'Your credit balance is too low' });
	await expect(window.getByTestId('announce-assertive')).toContainText('spending limit');
	await expect(window).toHaveTitle(/^\(1\) /);
	const incident = window.getByTestId('incident');
	await expect(incident).toHaveAttribute('data-severity', 'urgent');
	expect((await incident.textContent())?.match(/does not help/gi)).toHaveLength(1);
	expect(await loop.current()).toMatchObject({ model: PREFERRED, isFallback: false });
	const card = await openCard(window, PREFERRED);
	await expect(card).toHaveAttribute('data-circuit', 'closed');
	await expect(card.getByTestId('chain-spend-limit')).toContainText('Your credit balance is too low');
	await expect(card.getByTestId('chain-spend-limit')).toContainText('waiting does not help');
	await expect(card.getByTestId('chain-spend-limit')).toContainText('Calls still go to it');
});

failover('the headline counts what asks, and leads to it', async ({ window, floor, agent, provider }) => {
	provider.script([answer({ text: 'Here.' })]);
	await agent.turn('Say something');
	await expect(window.getByText('Nothing needs you')).toBeVisible();
	await request(floor, 'model:report', {
		directory: floor.directory,
		preferredModel: 'claude-sonnet-5',
		outcome: 'spend-limit',
	});
	const count = window.getByTestId('count-incidents');
	await expect(count).toHaveText('1 incident needs you');
	await expect(window.getByText('Nothing needs you')).toHaveCount(0);
	await count.click();
	await expect(window.getByTestId('incident')).toBeFocused();
	expect(await axeViolations(window)).toEqual([]);
});

for (const colorScheme of ['dark', 'light'] as const) {
	test(`axe finds nothing in ${colorScheme}: a floor with limited models and the page of their chains`, async ({
		page,
		floor,
		loop,
	}) => {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		await page.goto(floor.address);
		await loop.report('rate-limit', LIMITED);
		await loop.report('spend-limit', { model: 'gpt-5.4-mini', said: 'No credit' });
		await expect(page.getByTestId('limit-line')).toBeVisible();
		expect(await axeViolations(page)).toEqual([]);
		await openCard(page, PREFERRED);
		await expect(page.getByTestId('chain-spend-limit')).toBeVisible();
		expect(await axeViolations(page)).toEqual([]);
	});
}

failover.describe('through the gateway', () => {
	failover.use({
		settings: {
			models: { chains: [{ preferredModel: 'claude-sonnet-4-5', fallbackChain: ['claude-haiku-4-5'] }] },
		},
	});

	failover(
		'an agent whose model is limited is answered by the next one and marked, and the mark leads to the chain',
		async ({ window, floor, provider, agent }) => {
			provider.script([status(429), answer({ text: 'All green.' })]);
			expect(await agent.turn('Make the tests green')).toMatchObject({ end: 'clean', texts: ['All green.'] });
			expect(provider.calls.map(({ json }) => json?.model)).toEqual([
				'claude-sonnet-4-5',
				'claude-haiku-4-5',
			]);
			const mark = agentCard(window, agent.session).getByTestId('served-badge');
			await expect(mark).toContainText('claude-haiku-4-5');
			await expect(mark).toContainText('for claude-sonnet-4-5');
			await expect(mark).toContainText('rate-limited');
			await expect(mark).toHaveAttribute('title', /claude-haiku-4-5 stands in until (\d+ \w+ )?\d\d:\d\d/);
			await mark.click();
			const card = cardOf(window, 'claude-sonnet-4-5');
			await expect(card).toHaveAttribute('data-circuit', 'open');
			expect(await axeViolations(window)).toEqual([]);
			await window.keyboard.press('Escape');
			await expect(mark).toBeFocused();
			const { models, failover: view } = await snapshot(floor);
			expect(models.chains[0]).toMatchObject({ state: 'open', modelInUse: 'claude-haiku-4-5' });
			// One model's limit says nothing of the provider.
			expect(view.providers[0]?.breaker).toBe('closed');
		},
	);
});
