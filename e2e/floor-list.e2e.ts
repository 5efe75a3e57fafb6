/** The floor itself: two looks, two groupings, filters with a name, and a list that is only drawn where one looks. */
import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe.ts';
import { ClaudeSession } from './support/claude-session.ts';
import type { FloorProcess } from './support/floor-process.ts';
import { cardOf, expect, test } from './support/test.ts';

const cards = (window: Page) => window.getByTestId('agent-card');
const nameOf = (window: Page, name: string) => window.getByRole('button', { name, exact: true });

async function manyAgents(floor: FloorProcess, count: number): Promise<ClaudeSession[]> {
	const sessions = Array.from({ length: count }, (_, at) => new ClaudeSession(floor, `/home/dev/part-${at}`));
	for (const session of sessions) await session.prompt();
	return sessions;
}

test('a long list is drawn where one looks, and the keyboard goes through all of it', async ({
	window,
	floor,
}) => {
	const sessions = await manyAgents(floor, 120);
	await expect(window.getByRole('button', { name: '120 working' })).toBeVisible();
	expect(await cards(window).count()).toBeLessThan(40);
	await expect(cards(window).first()).toHaveAttribute('aria-setsize', '120');
	await nameOf(window, 'part-0').focus();
	await window.keyboard.press('End');
	await expect(nameOf(window, 'part-119')).toBeFocused();
	await expect(nameOf(window, 'part-119')).toBeInViewport();
	await expect(cards(window).last()).toHaveAttribute('aria-posinset', '120');
	for (let step = 0; step < 3; step += 1) await window.keyboard.press('ArrowUp');
	await expect(nameOf(window, 'part-116')).toBeFocused();
	// Out of sight it keeps the focus, and its place.
	await window.mouse.move(800, 500);
	await window.mouse.wheel(0, -100_000);
	await expect(nameOf(window, 'part-0')).toBeInViewport();
	await expect(nameOf(window, 'part-116')).toBeFocused();
	// It moves to the top of the floor and takes the focus with it.
	await sessions[116]?.send('Notification', { notification_type: 'permission_prompt', message: 'asks' });
	await expect(nameOf(window, 'part-116')).toBeInViewport();
	await expect(nameOf(window, 'part-116')).toBeFocused();
	await window.keyboard.press('ArrowDown');
	await expect(nameOf(window, 'part-0')).toBeFocused();
	// What is found is one key away from the box.
	await window.keyboard.press('/');
	await window.keyboard.type('repo:part-77');
	await expect(cards(window)).toHaveCount(1);
	await window.keyboard.press('Enter');
	await expect(nameOf(window, 'part-77')).toBeFocused();
});

test('groups, looks and folds are kept; a filter is kept by name, and can come back', async ({
	window,
	floor,
}) => {
	const [shop] = await manyAgents(floor, 3);
	await shop?.send('Notification', { notification_type: 'permission_prompt', message: 'asks' });
	await nameOf(window, 'part-1').focus();
	await window.keyboard.press('b');
	await expect(window.getByRole('heading', { name: /part-0.*1 needs you/ })).toBeVisible();
	await window.keyboard.press('v');
	await expect(window.locator('.agent-card')).toHaveCount(3);
	await window.getByRole('button', { name: 'part-2', exact: true, expanded: true }).click();
	await expect(cards(window)).toHaveCount(2);

	await window.getByLabel('Filter agents').fill('-needs:you');
	await expect(cards(window)).toHaveCount(1);
	await window.getByRole('button', { name: 'Save filter…' }).click();
	await window.getByLabel('Name of the filter').fill('Quiet ones');
	await window.keyboard.press('Enter');
	await window.reload();
	// Nobody is hidden by a filter of yesterday; it is one click away.
	await expect(cards(window)).toHaveCount(2);
	const chip = window.getByTestId('saved-filter').getByRole('button', { name: 'Quiet ones', exact: true });
	await chip.click();
	await expect(cards(window)).toHaveCount(1);
	await window.getByRole('button', { name: 'Change the filter Quiet ones' }).click();
	await window.getByRole('menuitem', { name: 'Remove' }).click();
	await expect(chip).toHaveCount(0);
	await window.getByTestId('undo-bar').getByRole('button', { name: /Undo/ }).click();
	await expect(chip).toBeVisible();
	await window.getByRole('button', { name: 'Only needs me' }).click();
	await expect(cards(window)).toHaveCount(1);
	await expect(cards(window)).toContainText('part-0');
});

for (const theme of ['dark', 'light'] as const) {
	test(`axe finds nothing in ${theme}: list and cards, both groupings, evidence open`, async ({
		page,
		floor,
		session,
	}) => {
		await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
		await page.goto(floor.address);
		await session.prompt();
		await session.loop(10);
		await new ClaudeSession(floor, '/w/other').send('Notification', {
			notification_type: 'permission_prompt',
			message: 'asks',
		});
		const card = cardOf(page, session);
		await expect(card).toHaveAttribute('data-level', 'steering');
		await card.getByRole('button', { name: 'Why' }).click();
		await expect(card).toContainText('Clears:');
		expect(await axeViolations(page)).toEqual([]);
		await nameOf(page, 'shop').focus();
		await page.keyboard.press('v');
		await page.keyboard.press('b');
		await expect(page.locator('.agent-card')).toHaveCount(2);
		expect(await axeViolations(page)).toEqual([]);
	});
}
