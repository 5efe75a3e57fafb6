/** The window itself: connecting, the demo, settings, a lost engine, hostile text, accessibility. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { axeViolations } from './support/axe.ts';
import { ClaudeSession } from './support/claude-session.ts';
import { cardOf, expect, test } from './support/test.ts';

test('connects Claude Code after showing the change, and takes it out again byte for byte', async ({
	window,
	floor,
}) => {
	const file = join(floor.home, '.claude', 'settings.json');
	await mkdir(join(floor.home, '.claude'), { recursive: true });
	const before = '{\n  "model": "opus",\n    "permissions": {"allow": ["Bash(ls:*)"]}\n}';
	await writeFile(file, before);
	await window.reload();
	await window.getByTestId('connect-found').click();
	await expect(window.getByText('/hooks/claude-code/PreToolUse').first()).toBeVisible();
	expect(await readFile(file, 'utf8')).toBe(before);
	await window.getByTestId('connect-write').click();
	await expect(window.getByTestId('result-claude-code')).toContainText('is connected');
	await expect(window.getByText(/Connected: waiting for the first session/)).toBeVisible();
	const installed = JSON.parse(await readFile(file, 'utf8')) as {
		model: string;
		hooks: Record<string, unknown>;
	};
	expect(installed.model).toBe('opus');
	expect(Object.keys(installed.hooks)).toContain('PreToolUse');
	const { url, operatorToken } = floor.server;
	const answer = await fetch(`${url}/request/hooks:apply`, {
		method: 'POST',
		headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
		body: JSON.stringify({ remove: true }),
	});
	expect(await answer.json()).toMatchObject({ ok: true, output: { status: 'absent' } });
	expect(await readFile(file, 'utf8')).toBe(before);
});

test('plays a demo whose agents are marked, and takes them away again', async ({ window }) => {
	await window.getByTestId('play-demo').click();
	const cards = window.getByTestId('agent-card');
	await expect(cards).toHaveCount(7);
	await expect(cards.first()).toContainText('demo');
	await expect(window.locator('[data-testid="agent-card"][data-group="needs-you"]').first()).toBeVisible();
	await expect(window.locator('[data-testid="agent-card"][data-level="steering"]').first()).toBeVisible({
		timeout: 40_000,
	});
	await window.getByRole('button', { name: 'Stop the demo' }).click();
	await expect(window.getByTestId('empty-floor')).toBeVisible();
});

test('says when the engine is lost, keeps the old picture, and comes back by itself', async ({
	window,
	session,
	floor,
}) => {
	await session.prompt();
	await expect(cardOf(window, session)).toBeVisible();
	await floor.stop('SIGKILL');
	const connection = window.getByTestId('connection-state');
	await expect(connection).toContainText('engine lost');
	await expect(cardOf(window, session)).toBeVisible();
	await floor.run();
	await expect(connection).toHaveAttribute('data-connection', 'connected', { timeout: 30_000 });
	await expect(cardOf(window, session)).toBeVisible();
	await session.send('Notification', { notification_type: 'permission_prompt', message: 'asks again' });
	await expect(cardOf(window, session)).toContainText('asks again');
});

test('a setting changed in the window is in force and in the file without a restart', async ({
	window,
	floor,
	session,
}) => {
	await window.getByTestId('nav-settings').click();
	const limit = window.getByLabel(/Identical tool calls|repeated/i).first();
	await limit.fill('3');
	await window.getByRole('button', { name: /^Save/ }).click();
	await expect
		.poll(
			async () =>
				JSON.parse(await readFile(join(floor.data, 'settings.json'), 'utf8')).breaker?.repeatedToolLimit,
		)
		.toBe(3);
	await window.getByTestId('nav-floor').click();
	await session.prompt();
	await session.loop(4);
	await expect(cardOf(window, session)).toHaveAttribute('data-level', 'steering');
});

test('shows hostile names as text', async ({ window, floor }) => {
	const hostile = new ClaudeSession(floor, '/w/<img src=x onerror=alert(1)>\u202eexe.txt');
	await hostile.prompt();
	await hostile.run('echo "<script>alert(1)</script>"\u001b[31m');
	const card = cardOf(window, hostile);
	await expect(card).toContainText('<img src=x onerror=alert(1)>');
	expect(await window.locator('img, script:not([src])').count()).toBe(0);
});

for (const theme of ['dark', 'light'] as const) {
	test(`axe finds nothing in ${theme}: empty floor, connections, full floor, drawer, dialogs`, async ({
		page,
		floor,
	}) => {
		await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
		await page.goto(floor.address);
		await expect(page.getByTestId('empty-floor')).toBeVisible();
		expect(await axeViolations(page)).toEqual([]);
		await page.getByTestId('nav-connections').click();
		await expect(
			page.getByTestId('gateway-guides').getByRole('button', { name: /^Copy/ }).first(),
		).toBeVisible();
		expect(await axeViolations(page)).toEqual([]);
		await page.getByTestId('nav-floor').click();
		const session = new ClaudeSession(floor);
		await session.prompt();
		await session.loop(10);
		await new ClaudeSession(floor, '/w/other').send('Notification', {
			notification_type: 'permission_prompt',
			message: 'asks',
		});
		const card = cardOf(page, session);
		await expect(card).toHaveAttribute('data-level', 'steering');
		expect(await axeViolations(page)).toEqual([]);
		await card.getByRole('button', { name: 'shop' }).click();
		await expect(page.getByRole('dialog')).toBeVisible();
		expect(await axeViolations(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await card.getByRole('button', { name: 'shop' }).focus();
		await page.keyboard.press('x');
		await expect(page.getByTestId('stop-dialog')).toBeVisible();
		expect(await axeViolations(page)).toEqual([]);
	});
}
