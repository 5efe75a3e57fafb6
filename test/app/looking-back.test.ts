/** What the window asks about the past, over a real floor, real HTTP and a real database. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestChannel, RequestOutput } from '../../src/shared/channels.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { assistantLine } from '../usage/transcript-files.ts';

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000001';
const AGENT = `claude-code:${SESSION}`;

let floor: RunningTestFloor;
let directory: string;

beforeEach(async () => {
	floor = await RunningTestFloor.start({ heartbeatSeconds: 0.2 }, async (home) => {
		directory = join(home, 'shop');
		await mkdir(directory);
		const transcripts = join(home, '.claude/projects/shop');
		await mkdir(transcripts, { recursive: true });
		const line = assistantLine({ id: 'm-1', timestamp: new Date().toISOString(), sessionId: SESSION });
		await writeFile(join(transcripts, `${SESSION}.jsonl`), `${line}\n`);
	});
});
afterEach(() => floor.dispose());

async function ask<C extends RequestChannel>(channel: C, input: unknown = {}): Promise<RequestOutput<C>> {
	const { ok, output, error } = await floor.request(channel, input);
	if (!ok) throw new Error(JSON.stringify(error));
	return output as RequestOutput<C>;
}

const hook = (event: string, body: object = {}) =>
	floor.hook(event, { session_id: SESSION, cwd: directory, hook_event_name: event, ...body });

async function call(id: string, command: string): Promise<void> {
	const input = { tool_name: 'Bash', tool_input: { command }, tool_use_id: id };
	await hook('PreToolUse', input);
	await hook('PostToolUse', { ...input, tool_response: { stdout: 'same' } });
}

const until = (condition: () => void | Promise<void>): Promise<void> =>
	vi.waitFor(condition, { timeout: 10_000, interval: 50 });

describe('an agent that looped', () => {
	it('has a timeline, a trip that can be judged, and both over a restart', async () => {
		await hook('UserPromptSubmit', { prompt: 'mend the tests' });
		for (let index = 0; index < 10; index += 1) await call(`c${index}`, 'npm test');
		await until(() => expect(floor.snapshot().agents[0]?.level).not.toBe('healthy'));
		await hook('Stop');
		const page = await ask('agent:timeline', { agentId: AGENT });
		expect(page.olderBefore).toBeNull();
		expect(page.entries.filter(({ kind }) => kind === 'turn')).toMatchObject([
			{ prompt: 'mend the tests', outcome: 'done' },
		]);
		expect(page.entries.filter(({ kind }) => kind === 'tool')).toHaveLength(10);
		expect(page.entries.find(({ kind }) => kind === 'level')).toMatchObject({
			from: 'healthy',
			to: 'steering',
		});
		// The oldest: on a slow machine it may have climbed on.
		const trip = (await ask('insights:read', { days: 1 })).trips.list.at(-1);
		expect(trip).toMatchObject({ agentId: AGENT, agentName: 'shop', to: 'steering', verdict: null });
		expect(await ask('trip:judge', { tripId: trip?.id, verdict: 'false-alarm' })).toMatchObject({
			id: trip?.id,
			verdict: 'false-alarm',
		});
		await floor.restart();
		const { trips } = await ask('insights:read', { days: 30 });
		expect(trips.list.at(-1)).toMatchObject({ id: trip?.id, verdict: 'false-alarm' });
		expect(trips.total).toMatchObject({ right: 0, falseAlarms: 1, precision: 0 });
		expect((await ask('trip:judge', { tripId: trip?.id, verdict: null })).verdict).toBeNull();
		const kept = await ask('agent:timeline', { agentId: AGENT });
		expect(kept.entries.filter(({ kind }) => kind === 'tool')).toHaveLength(10);
	});

	it('is read page by page from turn to turn, each entry once', async () => {
		for (let turn = 0; turn < 5; turn += 1) {
			await hook('UserPromptSubmit', { prompt: `turn ${turn}` });
			for (let index = 0; index < 4; index += 1) await call(`t${turn}c${index}`, `step ${turn} ${index}`);
			await hook('Stop');
		}
		const ids: string[] = [];
		const prompts: string[] = [];
		let before: number | null = null;
		let pages = 0;
		do {
			const page: RequestOutput<'agent:timeline'> = await ask('agent:timeline', {
				agentId: AGENT,
				before,
				limit: 14,
			});
			ids.unshift(...page.entries.map(({ id }) => id));
			prompts.unshift(...page.entries.flatMap((entry) => (entry.kind === 'turn' ? entry.prompt : [])));
			before = page.olderBefore;
			pages += 1;
		} while (before !== null && pages < 20);
		expect(pages).toBeGreaterThan(2);
		expect(new Set(ids).size).toBe(ids.length);
		expect(prompts).toEqual(['turn 0', 'turn 1', 'turn 2', 'turn 3', 'turn 4']);
	});
});

describe('usage looked back at', () => {
	it('is what the floor says of today, also by agent, repository and model', async () => {
		await hook('UserPromptSubmit', { prompt: 'x' });
		await until(() => expect(floor.snapshot().usage.today?.work).toBeGreaterThan(0));
		const { usage } = await ask('insights:read', { days: 7 });
		const today = floor.snapshot().usage.today;
		expect(usage.days).toHaveLength(7);
		expect(usage.days.at(-1)?.amount).toEqual(today);
		expect(usage.agents).toMatchObject([
			{ key: AGENT, name: 'shop', directory, amount: { work: today?.work } },
		]);
		expect(usage.repositories).toMatchObject([{ path: directory, amount: { work: today?.work } }]);
		expect(usage.models.map(({ amount }) => amount.work)).toEqual([today?.work]);
		expect(await ask('agent:usage', { agentId: AGENT })).toEqual([expect.objectContaining({ local: false })]);
	});
});

describe('the work tree of an agent', () => {
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: directory });

	it('is told against its last commit; nothing that it configures is run', async () => {
		git('init', '-q');
		await writeFile(join(directory, 'a.txt'), 'one\ntwo\n');
		git('add', '.');
		git('commit', '-qm', 'first');
		const marker = join(directory, '..', 'was-run');
		const evil = join(directory, '..', 'evil.sh');
		await writeFile(evil, `#!/bin/sh\ntouch ${marker}\ncat\n`);
		await chmod(evil, 0o755);
		for (const name of [
			'filter.x.clean',
			'filter.a=b.clean',
			'diff.x.textconv',
			'diff.external',
			'core.fsmonitor',
		])
			git('config', name, evil);
		await writeFile(join(directory, '.gitattributes'), '* filter=x diff=x\nb.txt filter=a=b\n');
		await writeFile(join(directory, 'a.txt'), 'one\nthree\nfour\n');
		await writeFile(join(directory, 'new "file"\n.txt'), 'x\n');
		await hook('UserPromptSubmit', { prompt: 'x' });
		const changes = await ask('agent:changes', { agentId: AGENT });
		expect(changes).toMatchObject({ source: 'git', more: 0, note: '' });
		const byPath = new Map(changes.files.map((file) => [file.path, file]));
		expect(byPath.get('a.txt')).toMatchObject({ change: 'modified', added: 2, removed: 1 });
		expect(byPath.get('new "file"\n.txt')).toMatchObject({ change: 'untracked', added: null });
		await expect(import('node:fs/promises').then(({ access }) => access(marker))).rejects.toThrow('ENOENT');
		await until(() =>
			expect(floor.snapshot().agents[0]?.repository).toEqual({ path: directory, name: 'shop' }),
		);
	});

	it('without git says so, and no more than it knows', async () => {
		await hook('UserPromptSubmit', { prompt: 'x' });
		const { source, note } = await ask('agent:changes', { agentId: AGENT });
		expect(source).not.toBe('git');
		expect(note).toMatch(/no git work tree/);
	});
});

describe('incidents of the past', () => {
	it('tell who decided, are read page by page, and a dismissal is taken back', async () => {
		await hook('UserPromptSubmit', { prompt: 'x' });
		await ask('model:report', { directory, outcome: 'rate-limit', said: '429 Too Many Requests' });
		const [open] = floor.snapshot().incidents;
		expect(await ask('incident:dismiss', { incidentId: open?.id })).toMatchObject({
			endReason: 'dismissed by the operator',
			decisions: [{ by: 'operator', words: 'Dismissed' }],
		});
		expect((await ask('incident:history')).incidents.map(({ id }) => id)).toEqual([open?.id]);
		expect(await ask('incident:restore', { incidentId: open?.id })).toMatchObject({ endedAt: null });
		expect((await ask('incident:history')).incidents).toEqual([]);
		await expect(ask('incident:restore', { incidentId: 'no such' })).rejects.toThrow('not-possible');
	});
});

describe('connections', () => {
	it('name every program, what is there first, and run nothing to find it', async () => {
		const { clients, gatewayAddress } = await ask('connections:read');
		expect(clients).toHaveLength(7);
		expect(gatewayAddress).toBe(floor.server.url);
		const claude = clients.find(({ client }) => client === 'claude-code');
		expect(claude).toMatchObject({ found: true, status: 'absent', lastHeardAt: null, agents: 0 });
		const found = clients.map((one) => one.found);
		expect(found.toSorted((a, b) => Number(b) - Number(a))).toEqual(found);
		await hook('UserPromptSubmit', { prompt: 'x' });
		expect((await ask('connections:read')).clients.find(({ agents }) => agents === 1)?.client).toBe(
			'claude-code',
		);
	});
});
