/** Looking back: an incident put away and taken back, a trip judged, figures with their tables, a file saved. */
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { axeViolations } from './support/axe.ts';
import { expect, test } from './support/test.ts';

async function expectNoViolations(window: Page): Promise<void> {
	for (const colorScheme of ['dark', 'light'] as const) {
		await window.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		expect(await axeViolations(window), colorScheme).toEqual([]);
	}
}

test('an incident: counted, unfolded, dismissed, taken back, found again', async ({ window, floor }) => {
	const { url, agentToken } = floor.server;
	const unreadable = (client: string) =>
		fetch(`${url}/hooks/${client}/PreToolUse`, {
			method: 'POST',
			headers: { authorization: `Bearer ${agentToken}`, 'content-type': 'application/json' },
			body: '{"session_id": ',
		});
	await window.getByTestId('nav-incidents').click();
	await expect(window.getByTestId('incidents-calm')).toContainText('Nothing has needed you since');
	await expectNoViolations(window);

	for (const client of ['codex', 'claude-code', 'claude-code']) await unreadable(client);
	const open = window.getByTestId('incidents-open').getByTestId('incident-row');
	await expect(open).toHaveCount(2);
	const own = open.filter({ hasText: 'claude-code' });
	await expect(own).toContainText('2 times');
	await expect(own.getByTestId('incident-state')).toHaveText('updated');

	// One stop for Tab; arrow keys and Enter in the rows.
	await open.first().focus();
	await window.keyboard.press('End');
	await expect(open.last()).toBeFocused();
	await window.keyboard.press('Enter');
	await expect(open.last().getByTestId('incident-whole')).toContainText('The agent was not disturbed');
	await expectNoViolations(window);

	await own.getByTestId('incident-dismiss').click();
	const ended = window.getByTestId('incidents-ended').getByTestId('incident-row');
	await expect(ended).toContainText(/claude-code.*dismissed/s);
	await expect(open).toHaveCount(1);
	// The focus has not fallen out of the list.
	await expect(window.locator('[data-testid="incident-row"]:focus')).toHaveCount(1);
	await window.getByTestId('undo-bar').getByRole('button', { name: 'Undo' }).click();
	await expect(open).toHaveCount(2);
	await expect(ended).toHaveCount(0);

	await window.getByLabel('Filter incidents by words').fill('codex');
	await expect(open).toHaveCount(1);
	await window.getByTestId('nav-floor').click();
	await window.getByTestId('all-incidents').click();
	await expect(open).toHaveCount(2);
});

test('figures of what was spent and tripped: judged by a key, read from a table, saved as a file', async ({
	window,
	floor,
	session,
}) => {
	await window.getByTestId('nav-insights').click();
	await expect(window.getByTestId('insights-empty')).toContainText('Nothing was worked');
	await expectNoViolations(window);

	const log = join(floor.home, 'shop.jsonl');
	const message = {
		id: 'msg_1',
		model: 'claude-sonnet-4-5',
		role: 'assistant',
		usage: { input_tokens: 1000, output_tokens: 500 },
	};
	const row = { type: 'assistant', sessionId: session.sessionId, requestId: 'req_1', message };
	await appendFile(log, `${JSON.stringify({ ...row, timestamp: new Date().toISOString() })}\n`);
	await session.send('UserPromptSubmit', { prompt: 'go', transcript_path: log });
	await session.loop(10);
	// It is pushed to the page that is open.
	const trip = window.getByTestId('trip').first();
	await expect(trip).toContainText('shop', { timeout: 30_000 });
	await expect(trip).toContainText(/Counted: \d+ calls, limit 8/);
	const figures = window.getByTestId('insights-figures');
	await expect(figures).toContainText('none of 1 judged');
	await expect(figures).toContainText(/Work tokens1\.5k/, { timeout: 30_000 });

	await trip.focus();
	await window.keyboard.press('n');
	await expect(trip.getByRole('button', { name: 'False alarm' })).toHaveAttribute('aria-pressed', 'true');
	await expect(figures).toContainText('0 of 1 judged right, 0 %');
	await window.getByTestId('undo-bar').getByRole('button', { name: 'Undo' }).click();
	await expect(figures).toContainText('none of 1 judged');
	await trip.getByRole('button', { name: 'Right', exact: true }).click();
	await expect(figures).toContainText('1 of 1 judged right, 100 %');

	const chart = window.getByTestId('chart').first();
	await expect(chart.locator('canvas')).toBeVisible();
	await chart.locator('summary').focus();
	await window.keyboard.press('Enter');
	await expect(chart.getByRole('row')).toHaveCount(8);
	await expectNoViolations(window);

	await window.getByTestId('insights-period').getByText('30 days').click();
	await expect(chart.getByRole('row', { includeHidden: true })).toHaveCount(31);
	await window.getByTestId('insights-export').click();
	const [download] = await Promise.all([
		window.waitForEvent('download'),
		window.getByRole('menuitem', { name: 'Trips with verdicts, CSV' }).click(),
	]);
	await expect(window.getByTestId('insights-saved')).toContainText(download.suggestedFilename());
	expect(await readFile(await download.path(), 'utf8')).toMatch(/shop/);

	// Narrow, and at twice the size: nothing is cut off to the side.
	await window.setViewportSize({ width: 320, height: 640 });
	const overflow = await window.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
	expect(overflow).toBeLessThanOrEqual(0);
	await trip.getByTestId('agent-name').click();
	await expect(window.getByRole('dialog')).toContainText('shop');
});
