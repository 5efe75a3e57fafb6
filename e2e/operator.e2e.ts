/** What the operator does: own words, hold, constrain, stop, resume, by mouse and by keyboard. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cardOf, expect, test } from './support/test.ts';

test('own words reach the model with its next reply, and the card says when', async ({ window, session }) => {
	await session.prompt();
	const card = cardOf(window, session);
	await card.getByRole('button', { name: 'Steer…' }).click();
	const dialog = window.getByTestId('steer-dialog');
	await dialog.getByLabel('Your words').fill('Use the staging database');
	await dialog.getByRole('button', { name: 'Send note' }).click();
	await expect(dialog).toHaveCount(0);
	await expect(card).toContainText(/queued/i);
	const { before } = await session.run('psql -c "select 1"');
	expect(before.hookSpecificOutput?.additionalContext).toContain('Use the staging database');
	await expect(card).toContainText(/delivered/i);
});

test('hold, constrain and resume by keyboard', async ({ window, session }) => {
	await session.prompt();
	const card = cardOf(window, session);
	await card.getByRole('button', { name: 'shop' }).focus();
	await window.keyboard.press('h');
	await expect(card).toHaveAttribute('data-standing', 'stopped');
	await expect(card).toContainText(/held/i);
	expect((await session.use('Read', { file_path: 'a' })).after).toBeNull();
	await window.keyboard.press('r');
	await expect(card).toHaveAttribute('data-standing', 'healthy');
	await window.keyboard.press('c');
	await expect(card).toHaveAttribute('data-standing', 'constrained');
	expect((await session.use('Read', { file_path: 'a' })).after).not.toBeNull();
	expect((await session.use('Write', { file_path: 'a', content: '' })).after).toBeNull();
	await window.keyboard.press('r');
	await expect(card).toHaveAttribute('data-standing', 'healthy');
});

test('stop asks how, starts on the choice that can be undone, and is resumed', async ({
	window,
	session,
}) => {
	await session.prompt();
	const card = cardOf(window, session);
	await card.getByRole('button', { name: 'shop' }).focus();
	await window.keyboard.press('x');
	const dialog = window.getByTestId('stop-dialog');
	await expect(dialog.getByRole('radio', { name: /Refuse every tool call/ })).toBeFocused();
	await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
	await expect(card).toHaveAttribute('data-standing', 'stopped');
	await expect(card.getByTestId('stop-progress')).toContainText(/refused/i);
	const { before } = await session.run('ls');
	expect(before.hookSpecificOutput?.permissionDecision).toBe('deny');
	expect(before.continue).toBe(false);
	await card.getByRole('button', { name: 'Resume' }).click();
	await expect(card).toHaveAttribute('data-standing', 'healthy');
});

test('a stop can end the process tree, and says so only when it is seen gone', async ({
	window,
	session,
	floor,
}) => {
	const program = spawn('sh', ['-c', 'sleep 300 & sleep 300'], { stdio: 'ignore' });
	const gone = once(program, 'exit');
	const { url, agentToken } = floor.server;
	await fetch(`${url}/hooks/claude-code/SessionStart`, {
		method: 'POST',
		headers: { authorization: `Bearer ${agentToken}`, 'x-agent-floor-pid': String(program.pid) },
		body: JSON.stringify({ session_id: session.sessionId, cwd: session.cwd, source: 'startup' }),
	});
	await session.prompt();
	const card = cardOf(window, session);
	await card.getByRole('button', { name: 'Stop…' }).click();
	const dialog = window.getByTestId('stop-dialog');
	await dialog.getByRole('radio', { name: /Also end its process tree/ }).check();
	await expect(dialog).toContainText(`Process ${program.pid}`);
	await dialog.getByRole('button', { name: 'Stop and end process' }).click();
	await gone;
	await expect(card).toHaveAttribute('data-state', 'exited');
	await expect(card).toContainText('stopped by you');
});

test('a permission that is waited for is seen first, with its reason', async ({ window, session }) => {
	await session.prompt();
	await session.send('Notification', {
		notification_type: 'permission_prompt',
		message: 'Claude needs your permission to use Bash',
	});
	const card = cardOf(window, session);
	await expect(card).toHaveAttribute('data-state', 'waiting');
	await expect(card).toHaveAttribute('data-group', 'needs-you');
	await expect(card).toContainText('needs your permission to use Bash');
	await session.run('ls');
	await expect(card).toHaveAttribute('data-state', 'live');
});
