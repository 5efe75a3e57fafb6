/** A cap: it trips on what the agent's own log tells, is raised by one click, put back by another, and adds up. */
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { axeViolations } from './support/axe.ts';
import { ClaudeSession } from './support/claude-session.ts';
import { cardOf, expect, test } from './support/test.ts';

test.use({ settings: { breaker: { agentTokenCaps: { shop: 1000 } } } });

test('an agent over its cap: raised and put back by a click, its tokens in the usage of all', async ({
	window,
	floor,
}) => {
	const log = join(floor.home, 'shop.jsonl');
	let answers = 0;
	/** One more answer of the model, as Claude Code logs it: 600 work tokens. */
	const answer = async () => {
		answers += 1;
		const message = {
			id: `msg_${answers}`,
			model: 'claude-sonnet-4-5',
			role: 'assistant',
			usage: { input_tokens: 100, output_tokens: 500 },
		};
		const timestamp = new Date().toISOString();
		const row = {
			type: 'assistant',
			sessionId: session.sessionId,
			requestId: `req_${answers}`,
			timestamp,
			message,
		};
		await appendFile(log, `${JSON.stringify(row)}\n`);
	};
	const session = new ClaudeSession(floor);
	await answer();
	await session.send('UserPromptSubmit', { prompt: 'go', transcript_path: log });
	const card = cardOf(window, session);
	const raise = card.getByTestId('raise-cap');
	// A cap acts on an agent that goes on spending, and only as long as it does.
	const spending = setInterval(() => void answer(), 100);
	await expect(card).toContainText('work tokens, limit 1k');
	const cap = async () => {
		const settings = JSON.parse(await readFile(join(floor.data, 'settings.json'), 'utf8')) as {
			breaker: { agentTokenCaps: Record<string, number> };
		};
		return settings.breaker.agentTokenCaps[`claude-code:${session.sessionId}`];
	};
	await raise.click();
	clearInterval(spending);
	const note = card.getByTestId('cap-raised');
	await expect(note).toContainText('it was 1 000 work tokens');
	expect(await cap()).toBeGreaterThanOrEqual(1500);
	await note.getByRole('button', { name: 'Put it back' }).click();
	await expect(note).toBeHidden();
	expect(await cap()).toBeUndefined();

	await window.getByTestId('usage-entry').click();
	const row = window.getByTestId('usage-agent').first();
	await expect(row).toContainText('shop');
	await window.getByRole('button', { name: 'Session cost' }).click();
	await expect(window.locator('th[aria-sort="descending"]')).toHaveText(/cost/);
	expect(await axeViolations(window)).toEqual([]);
	await row.getByRole('button', { name: 'shop' }).click();
	await window.getByTestId('agent-drawer').getByRole('tab', { name: 'Usage' }).click();
	await expect(window.getByTestId('usage-source')).toContainText('from its own log');
});
