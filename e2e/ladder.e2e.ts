/** The main journey: an agent appears by itself, climbs, is steered, constrained and stopped, recovers, is resumed. */
import { cardOf, expect, test } from './support/test.ts';

test('a session appears by itself, and an empty floor teaches until then', async ({ window, session }) => {
	await expect(window.getByTestId('empty-floor')).toContainText('No agent is on the floor yet');
	// Whatever this machine has of them.
	await expect(window.getByTestId('empty-floor')).toContainText(
		/Found on this machine|install one, then look again/,
	);
	await expect(window.getByTestId('play-demo')).toBeVisible();
	await session.prompt();
	const card = cardOf(window, session);
	await expect(card).toContainText('shop');
	await expect(card).toContainText('/home/dev/shop');
	await expect(card).toHaveAttribute('data-state', 'live');
	await expect(card).toContainText('healthy');
	await expect(window.getByTestId('tier-badge')).toContainText('NORMAL');
	await expect(window.getByTestId('empty-floor')).toHaveCount(0);
});

test('a looping agent is steered; the note reaches it once; it recovers when it changes its ways', async ({
	window,
	session,
}) => {
	await session.prompt();
	await session.loop(9);
	const card = cardOf(window, session);
	await expect(card).toHaveAttribute('data-level', 'steering');
	await expect(card).toContainText('npm test');
	await expect(card).toContainText(/9\D+8/);
	const { before } = await session.run('git status');
	expect(before.hookSpecificOutput?.additionalContext).toMatch(/npm test/);
	const again = await session.run('git diff');
	expect(again.before.hookSpecificOutput?.additionalContext).toBeUndefined();
	for (const path of ['a', 'b', 'c', 'd'])
		await session.use('Read', { file_path: `/home/dev/shop/${path}.ts` });
	await expect(card).toHaveAttribute('data-level', 'healthy');
});

test('an agent that does not listen is constrained to reading, and says why and what clears it', async ({
	window,
	session,
}) => {
	await session.prompt();
	await session.loop(10);
	const card = cardOf(window, session);
	await expect(card).toHaveAttribute('data-level', 'steering');
	await session.loop(2);
	await expect(card).toHaveAttribute('data-level', 'constrained');
	// It goes on looping in between, or a clean beat would lift the constraint.
	const amid = async <T>(work: () => Promise<T>): Promise<T> => {
		await session.run('npm test');
		return work();
	};
	const file = { file_path: '/home/dev/shop/a.ts' };
	const write = await amid(() => session.use('Write', { ...file, content: 'x' }));
	expect(write.before.hookSpecificOutput?.permissionDecision).toBe('deny');
	expect(write.before.hookSpecificOutput?.permissionDecisionReason).toMatch(
		/limits this agent to reading.*clears/s,
	);
	expect((await amid(() => session.use('Read', file))).after).not.toBeNull();
	expect((await amid(() => session.run('git log --oneline | head -3'))).after).not.toBeNull();
	expect((await amid(() => session.run('echo x > a.ts'))).after).toBeNull();
	await expect(card).toContainText(/\d+ calls refused/);
});

test.describe('with hardStop', () => {
	test.use({ settings: { breaker: { hardStop: true } } });

	test('a stop is sticky over reload and restart, until the operator resumes', async ({
		window,
		session,
		floor,
	}) => {
		await session.prompt();
		await session.loop(10);
		const card = cardOf(window, session);
		await expect(card).toHaveAttribute('data-level', 'steering');
		await session.loop(2);
		await expect(card).toHaveAttribute('data-level', 'constrained');
		await session.loop(2);
		await expect(card).toHaveAttribute('data-level', 'stopped');
		await expect(window.getByTestId('incident')).toContainText('stopped by the ladder');
		expect((await session.prompt('go on')).decision).toBe('block');
		await window.reload();
		await expect(card).toHaveAttribute('data-level', 'stopped');
		await floor.restart();
		await window.goto(floor.address);
		await expect(card).toHaveAttribute('data-level', 'stopped');
		expect((await session.use('Read', { file_path: 'a' })).after).toBeNull();
		await card.getByRole('button', { name: 'Resume' }).click();
		await expect(card).toHaveAttribute('data-level', 'healthy');
		await expect(window.getByTestId('incident')).toHaveCount(0);
		expect((await session.prompt('go on')).decision).toBeUndefined();
		expect((await session.use('Read', { file_path: 'a' })).after).not.toBeNull();
	});
});

test('a provider in trouble is shown on the agent and never counted against it', async ({
	window,
	session,
}) => {
	for (let turn = 0; turn < 8; turn += 1) {
		await session.prompt(`try ${turn}`);
		await session.send('StopFailure', { error: 'rate_limit', last_assistant_message: 'API Error: 429' });
	}
	const card = cardOf(window, session);
	await expect(card).toHaveAttribute('data-state', 'waiting');
	await expect(card).toContainText('rate_limit');
	await expect(card).toHaveAttribute('data-level', 'healthy');
});
