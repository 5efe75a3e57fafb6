/** Tray and notifications open the window at an agent. */
import { cardOf, expect, test } from './support/test.ts';

test('a link opens its agent, clears itself, and works again', async ({ window, session, floor }) => {
	await session.prompt();
	await expect(cardOf(window, session)).toBeVisible();
	const link = `${floor.server.url}/#agent=${encodeURIComponent(`claude-code:${session.sessionId}`)}`;
	for (let again = 0; again < 2; again += 1) {
		await window.goto(link);
		await expect(window.getByTestId('agent-drawer')).toContainText('shop');
		expect(new URL(window.url()).hash).toBe('');
		await window.keyboard.press('Escape');
		await expect(window.getByTestId('agent-drawer')).toHaveCount(0);
	}
});
