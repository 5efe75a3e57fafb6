/** One agent whole: what it did, what was done to it, played again, and what it was told. */
import { axeViolations } from './support/axe.ts';
import { cardOf, expect, test } from './support/test.ts';

test('a looping agent is looked back at: timeline, replay, notes, and the next agent', async ({
	window,
	session,
}) => {
	await session.prompt();
	await session.loop(10);
	const card = cardOf(window, session);
	await expect(card).toHaveAttribute('data-level', 'steering');
	await session.run('git status');
	await card.getByRole('button', { name: 'shop' }).click();
	const drawer = window.getByTestId('agent-drawer');
	await drawer.getByRole('tab', { name: 'Timeline' }).click();
	const rows = drawer.getByTestId('timeline-entry');
	await expect(drawer.getByTestId('timeline-turn').first()).toBeVisible();
	await expect(rows.filter({ hasText: 'npm test' }).first()).toBeVisible();
	const level = drawer.locator('[data-testid="timeline-entry"][data-kind="level"]').first();
	await expect(level).toContainText(/healthy.*steering/i);
	for (const colorScheme of ['dark', 'light'] as const) {
		await window.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		expect(await axeViolations(window)).toEqual([]);
	}
	// By keyboard: to the level, its evidence, and on.
	await drawer.getByTestId('timeline-turn').first().focus();
	await window.keyboard.press(']');
	await expect(level).toBeFocused();
	await window.keyboard.press('Enter');
	await expect(level).toContainText(/calls/);
	await window.keyboard.press('ArrowDown');
	await expect(level).not.toBeFocused();
	// At its beginning the agent stood on the lowest rung.
	const moment = drawer.getByRole('slider', { name: 'Moment of the replay' });
	await moment.focus();
	await window.keyboard.press('Home');
	await expect(drawer.getByTestId('standing')).toContainText(/Level\s*healthy/i);
	await window.keyboard.press('End');
	await expect(drawer.getByTestId('standing')).toContainText(/Level\s*(steering|constrained)/i);
	await drawer.getByRole('searchbox').fill('git status');
	await expect(rows).toHaveCount(1);
	await drawer.getByRole('tab', { name: /Notes/ }).click();
	await expect(drawer.getByTestId('kept-note').last()).toContainText(/npm test.*delivered/);
	await drawer.getByRole('tab', { name: 'Changes' }).click();
	await expect(drawer.getByTestId('changes')).toContainText('is not there any more');
	await window.keyboard.press('Escape');
	await expect(drawer).toHaveCount(0);
	await expect(card.getByRole('button', { name: 'shop' })).toBeFocused();
});
