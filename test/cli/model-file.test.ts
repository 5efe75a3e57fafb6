/** `agent-floor model` where no floor runs, or one that does not answer: on the machine-wide file, on the mirror. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelLocksDirectory } from '../../src/main/app/model-book.ts';
import { claimDataDirectory } from '../../src/main/store/directory-claim.ts';
import { withLockedFile } from '../../src/main/store/locked-file.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { type Printed, runIn } from './command-line.ts';

let place: string;
let data: string;
beforeEach(() => {
	place = mkdtempSync(join(tmpdir(), 'agent-floor-model-'));
	data = join(place, 'data');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function repository(name: string): string {
	const directory = join(place, name);
	mkdirSync(join(directory, '.squad'), { recursive: true });
	mkdirSync(join(directory, '.git'));
	return directory;
}

/** A floor that does not answer is not waited for. */
const model = (directory: string, ...args: readonly string[]): Promise<Printed> =>
	runIn({ floorPatienceMs: 0 }, data, 'model', ...args, `--directory=${directory}`);

const stateFile = (directory: string): string => join(directory, '.squad/ralph-circuit-breaker.json');
const stateOf = (directory: string): Record<string, unknown> =>
	JSON.parse(readFileSync(stateFile(directory), 'utf8')) as Record<string, unknown>;

describe('without a floor', { timeout: 60_000 }, () => {
	it('ten repositories share one truth, and each has it in its state file', async () => {
		const repositories = Array.from({ length: 10 }, (_, index) => repository(`r${index}`));
		for (const each of repositories) expect((await model(each, 'current')).out).toBe('claude-sonnet-5');
		const [first = ''] = repositories;
		const { err } = await model(first, 'rate-limit');
		expect(err).toBe('[circuit-breaker] RATE LIMITED — falling back to gpt-5.4-mini (cooldown: 10m)');
		for (const each of repositories) {
			expect(await model(each, 'current')).toEqual({ code: 0, out: 'gpt-5.4-mini', err: '' });
			expect(stateOf(each)).toMatchObject({ state: 'open', currentFallbackIndex: 0 });
		}
		await model(first, 'probe');
		const tested = await Promise.all(repositories.map((each) => model(each, 'current')));
		expect(tested.filter(({ out }) => out === 'claude-sonnet-5')).toHaveLength(1);
		const tester = repositories[tested.findIndex(({ out }) => out === 'claude-sonnet-5')] ?? '';
		expect((await model(tester, 'success')).err).toBe('[circuit-breaker] Half-open success 1/2');
		await model(tester, 'current');
		expect((await model(tester, 'success')).err).toMatch(/RECOVERED/);
		for (const each of repositories) expect((await model(each, 'current')).out).toBe('claude-sonnet-5');
	});

	it('what a script wrote counts, and a directory below finds its repository', async () => {
		const here = repository('app');
		await model(here, 'current');
		writeFileSync(
			stateFile(here),
			JSON.stringify({
				...stateOf(here),
				state: 'open',
				openedAt: new Date().toISOString(),
				currentFallbackIndex: 0,
			}),
		);
		mkdirSync(join(here, 'src'));
		expect((await model(join(here, 'src'), 'current')).out).toBe('gpt-5.4-mini');
		expect((await model(repository('other'), 'current')).out).toBe('gpt-5.4-mini');
	});

	it('a repository without .squad gets no file and the same answer', async () => {
		const bare = join(place, 'bare');
		mkdirSync(bare);
		await model(bare, 'current');
		await model(bare, 'rate-limit');
		expect((await model(bare, 'current')).out).toBe('gpt-5.4-mini');
		expect(() => readFileSync(stateFile(bare))).toThrow();
	});

	it('the settings count as they do on the floor; what is wrong with a file is said once', async () => {
		const here = repository('app');
		mkdirSync(data);
		const chains = [{ preferredModel: 'gpt-5.4', fallbackChain: ['gpt-5-mini'] }];
		writeFileSync(join(data, 'settings.json'), JSON.stringify({ models: { chains } }));
		writeFileSync(stateFile(here), '{"state": "op');
		const { code, out, err } = await model(here, 'current');
		expect([code, out]).toEqual([0, 'gpt-5.4']);
		expect(err.match(/was set aside as/g)).toHaveLength(1);
		const status = await model(here, 'status', '--json');
		expect(JSON.parse(status.out)).toMatchObject({ chains: [{ preferredModel: 'gpt-5.4' }] });
	});

	it('a lock that is kept is told where it is, with the file, and nowhere else', async () => {
		const [here, elsewhere] = [repository('app'), repository('api')];
		for (const each of [here, elsewhere]) await model(each, 'current');
		const lock = `${stateFile(here)}.lock`;
		mkdirSync(lock);
		writeFileSync(join(lock, 'owner'), `${process.pid} ${hostname()} token\n`);
		expect((await model(elsewhere, 'rate-limit')).err.split('\n')).toEqual([
			expect.stringMatching(/RATE LIMITED/),
		]);
		expect((await model(here, 'current')).err).toMatch(
			new RegExp(`A script has kept the lock ${lock} .* If it happens again, end the script that hangs`),
		);
	});

	it('a file that is set aside is told whoever finds it', async () => {
		const [here, elsewhere] = [repository('app'), repository('api')];
		await model(here, 'current');
		writeFileSync(stateFile(here), '{"state": "op');
		const { err } = await model(elsewhere, 'current');
		expect(err).toMatch(/was set aside as .*corrupt-/);
		expect(err).toContain(stateFile(here));
	});

	it('a floor that starts knows what was said before, and the other way round', async () => {
		const here = repository('app');
		const floor = await RunningTestFloor.start();
		data = floor.directory;
		await model(here, 'current');
		await model(here, 'rate-limit');
		await floor.app.stop();
		expect((await model(here, 'current')).out).toBe('gpt-5.4-mini');
		expect((await model(here, 'rate-limit')).err).toBe(
			'[circuit-breaker] Fallback also limited — trying gpt-5-mini',
		);
		await floor.restart();
		expect((await model(here, 'current')).out).toBe('gpt-5-mini');
		expect(floor.snapshot().models.chains[0]).toMatchObject({ state: 'open', currentFallbackIndex: 1 });
		await floor.dispose();
	});
});

describe('with a floor that does not answer', { timeout: 60_000 }, () => {
	const words = /^A floor has the machine-wide state of the models, but does not answer: /;

	async function silent<T>(work: () => Promise<T>): Promise<T> {
		mkdirSync(data, { recursive: true });
		const claim = await claimDataDirectory(data);
		if (!claim.claimed) throw new Error('not claimed');
		try {
			return await work();
		} finally {
			claim.lock.dispose();
		}
	}

	it('the repository’s file is read and written as a script would, and taken over later', async () => {
		const here = repository('app');
		await model(here, 'current');
		await silent(async () => {
			const current = await model(here, 'current');
			expect([current.code, current.out, current.err]).toEqual([
				0,
				'claude-sonnet-5',
				expect.stringMatching(words),
			]);
			const limited = await model(here, 'rate-limit');
			expect(limited.err).toMatch(/\n\[circuit-breaker] RATE LIMITED — falling back to gpt-5\.4-mini$/);
			expect((await model(here, 'current')).out).toBe('gpt-5.4-mini');
			await model(here, 'rate-limit');
			expect((await model(here, 'current')).out).toBe('gpt-5-mini');
		});
		expect(stateOf(here)).toMatchObject({
			state: 'open',
			currentFallbackIndex: 1,
			metrics: { totalFallbacks: 1 },
		});
		expect((await model(here, 'current')).out).toBe('gpt-5-mini');
		expect((await model(repository('other'), 'current')).out).toBe('gpt-5-mini');
	});

	it('the settings’ chain is used where no file says another, and a report on a model that is in neither is refused', async () => {
		mkdirSync(data);
		const chains = [
			{ preferredModel: 'my-model', fallbackChain: ['my-small'] },
			{ preferredModel: 'other-model', fallbackChain: [] },
		];
		writeFileSync(join(data, 'settings.json'), JSON.stringify({ models: { chains } }));
		const here = repository('app');
		await silent(async () => {
			expect((await model(place, 'current')).out).toBe('my-model');
			expect((await model(place, 'current', '--preferred=other-model')).out).toBe('other-model');
			const lost = await model(here, 'rate-limit', '--model=gpt-5.4');
			expect([lost.code, lost.out]).toEqual([2, '']);
			expect(lost.err).toMatch(/knows nothing of gpt-5\.4, so the report was not kept/);
			expect((await model(here, 'rate-limit', '--model=my-model')).err).toContain('falling back to my-small');
			expect((await model(here, 'current')).out).toBe('my-small');
		});
		expect(stateOf(here)).toMatchObject({ state: 'open', preferredModel: 'my-model' });
	});

	it('it is waited for, in case it is only starting', async () => {
		const { answer } = await silent(async () => {
			const asked = runIn({ floorPatienceMs: 60_000 }, data, 'model', 'current', `--directory=${place}`);
			await sleep(300);
			return { answer: asked };
		});
		expect(await answer).toEqual({ code: 0, out: 'claude-sonnet-5', err: '' });
	});

	it('a floor that stopped while it had the book’s lock is not waited for', async () => {
		await silent(async () => {
			const options = { locksDirectory: modelLocksDirectory(data), meaning: '' };
			await withLockedFile(join(data, 'model-breakers.json'), options, async () => {
				const { code, out, err } = await model(place, 'current');
				expect([code, out, err]).toEqual([0, 'claude-sonnet-5', expect.stringMatching(words)]);
			});
		});
	});

	it('where there is no such file a report is lost, and said to be', async () => {
		await silent(async () => {
			const { code, err } = await model(place, 'rate-limit');
			expect([code, err]).toEqual([2, expect.stringMatching(/the report was not kept/)]);
			expect((await model(place, 'status')).code).toBe(2);
		});
	});
});
