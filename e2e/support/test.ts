/** Every test gets a floor of its own; the trace is kept when it fails (see playwright.config.ts). */
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { ClaudeSession } from './claude-session.ts';
import { FloorProcess } from './floor-process.ts';

interface Fixtures {
	/** Settings of the floor, given with `test.use({ settings })`. */
	settings: Record<string, unknown>;
	floor: FloorProcess;
	/** The window, with the floor on screen: what happens from then on is news to it. */
	window: Page;
	session: ClaudeSession;
}

export const test = base.extend<Fixtures>({
	settings: [{}, { option: true }],
	floor: async ({ settings }, use) => {
		const floor = await FloorProcess.start(settings);
		await use(floor);
		await floor.dispose();
	},
	window: async ({ floor, page }, use) => {
		const problems: string[] = [];
		page.on('pageerror', (error) => problems.push(String(error)));
		await page.goto(floor.address);
		await expect(page.getByTestId('connection-state')).toHaveText('engine connected');
		await use(page);
		expect(problems, 'errors in the window').toEqual([]);
	},
	session: async ({ floor }, use) => {
		await use(new ClaudeSession(floor));
	},
});

export { expect };

/** The card of an agent. */
export function cardOf(window: Page, session: ClaudeSession): Locator {
	return window.locator(`[data-testid="agent-card"][data-agent-id="claude-code:${session.sessionId}"]`);
}
