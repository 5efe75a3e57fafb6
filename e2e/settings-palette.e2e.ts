/** Finding and doing by keyboard, and the settings: changed, looked at, saved together, taken back, not left by mistake. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe.ts';
import { ClaudeSession } from './support/claude-session.ts';
import type { FloorProcess } from './support/floor-process.ts';
import { cardOf, expect, test } from './support/test.ts';

async function expectAxeCleanInBothThemes(window: Page) {
	for (const colorScheme of ['dark', 'light'] as const) {
		await window.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		expect(await axeViolations(window), colorScheme).toEqual([]);
	}
}

async function savedSettings(floor: FloorProcess) {
	return JSON.parse(await readFile(join(floor.data, 'settings.json'), 'utf8')) as {
		heartbeatSeconds?: number;
		breaker?: { repeatedToolLimit?: number; agentTokenCaps?: Record<string, number> };
	};
}

test('the palette: while typing, an agent, an action on it, and the way back', async ({
	window,
	floor,
	session,
}) => {
	await session.prompt();
	const hostile = new ClaudeSession(floor, '/w/"] <img src=x onerror=alert(1)>');
	await hostile.prompt();
	const card = cardOf(window, session);
	const palette = window.getByTestId('palette');
	const items = palette.getByTestId('palette-item');
	await expect(card).toBeVisible();

	// From within a field, by the chord; the same chord closes it and gives the focus back.
	await window.getByLabel('Filter agents').focus();
	await window.keyboard.press('Control+k');
	await expect(palette.getByRole('combobox')).toBeFocused();
	await window.keyboard.press('Control+k');
	await expect(palette).toHaveCount(0);
	await expect(window.getByLabel('Filter agents')).toBeFocused();

	// An agent, then what can be done with it.
	await window.keyboard.press('Control+k');
	await window.keyboard.type('shop');
	await expect(items.first()).toContainText('shop');
	await expectAxeCleanInBothThemes(window);
	await window.keyboard.press('Enter');
	await expect(palette).toContainText('What to do with shop');
	await window.keyboard.type('hold');
	await window.keyboard.press('Enter');
	await expect(palette).toHaveCount(0);
	await expect(card).toHaveAttribute('data-standing', 'stopped');
	await expect(window.getByTestId('undo-bar')).toContainText('Held shop.');
	await expect(window.getByTestId('announce-assertive')).toContainText('shop is held by your order');
	await window.getByLabel('Filter agents').blur();
	await window.keyboard.press('z');
	await expect(card).toHaveAttribute('data-standing', 'healthy');
	await expect(window.getByTestId('undo-bar')).toHaveCount(0);

	// What was run last comes first; a hostile name is a name.
	await window.keyboard.press('p');
	await window.keyboard.type('go to conn');
	await window.keyboard.press('Enter');
	await expect(window.getByTestId('connections-page')).toBeVisible();
	await window.keyboard.press('1');
	await window.keyboard.press('p');
	await expect(palette).toContainText('Recent');
	await expect(items.first()).toContainText('Go to Connections');
	await window.keyboard.type('<img');
	await expect(items).toHaveCount(1);
	expect(await window.locator('img').count()).toBe(0);
	await window.keyboard.press('Escape');

	// Pages by digits, and no key acts on an agent from there.
	await card.getByRole('button', { name: 'shop' }).focus();
	await window.keyboard.press('4');
	await expect(window.getByTestId('connections-page')).toBeVisible();
	await window.keyboard.press('h');
	await window.keyboard.press('1');
	await expect(card).toHaveAttribute('data-standing', 'healthy');
	await window.keyboard.press('?');
	await expect(window.getByTestId('keys-dialog')).toContainText('Undo the last action');
	// What is announced is heard over an open dialog.
	await expect(window.locator('[aria-hidden="true"]:is(.unseen)')).toHaveCount(0);
	await expect(window.locator('[aria-hidden="true"] [aria-live]')).toHaveCount(0);
	await expectAxeCleanInBothThemes(window);
});

test.describe('with settings of its own', () => {
	test.use({
		settings: { breaker: { agentTokenCaps: { 'claude-code:0000-gone': 1000, later: 2000 } } },
	});

	test('the settings: what another value would have done, saved together, taken back, not left by mistake', async ({
		window,
		floor,
		session,
	}) => {
		await session.prompt();
		await session.loop(6);
		await window.keyboard.press(',');
		const page = window.getByTestId('settings-page');
		const limit = page.getByLabel('Repeated calls', { exact: true });
		const bar = window.getByTestId('save-bar');
		await limit.fill('3');
		await expect(bar).toContainText('1 change is not saved');
		const effect = page.getByTestId('setting-effect');
		await expect(effect).toHaveAttribute('aria-busy', 'false');
		await expect(effect).not.toBeEmpty();
		await limit.fill('4');
		// Never beside a newer value.
		await expect(effect).toHaveAttribute('aria-busy', 'true');
		await page.getByTestId('clear-gone-caps').click();
		await expect(bar).toContainText('2 changes are not saved');
		await expectAxeCleanInBothThemes(window);

		// Leaving asks once, and closing the question goes back to what was being changed.
		await window.getByTestId('nav-insights').click();
		const question = window.getByTestId('unsaved-dialog');
		await expect(question).toContainText('2 changes are not saved');
		await window.keyboard.press('Escape');
		await expect(limit).toHaveValue('4');

		await bar.getByRole('button', { name: /^Save/ }).click();
		await expect(bar).toHaveCount(0);
		await expect
			.poll(async () => (await savedSettings(floor)).breaker)
			.toMatchObject({ repeatedToolLimit: 4, agentTokenCaps: { later: 2000 } });
		expect((await savedSettings(floor)).breaker?.agentTokenCaps).toEqual({ later: 2000 });
		await window.getByTestId('undo-bar').getByRole('button', { name: /Undo/ }).click();
		await expect(limit).toHaveValue('8');
		await expect
			.poll(async () => (await savedSettings(floor)).breaker?.agentTokenCaps)
			.toEqual({ 'claude-code:0000-gone': 1000, later: 2000 });

		await window.keyboard.press('/');
		await window.keyboard.type('quiet hours');
		await expect(page.getByLabel('Quiet hours from')).toBeVisible();
		await expect(page.getByLabel('Heartbeat')).toHaveCount(0);
		await page.getByLabel('Quiet hours from').fill('22:00');
		await expect(page).toContainText('Quiet hours need both times, or neither.');
		await window.getByTestId('nav-floor').click();
		await question.getByRole('button', { name: 'Discard' }).click();
		await expect(question).toHaveCount(0);
		await expect(cardOf(window, session)).toBeVisible();
	});
});
