import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ModelBook, modelLocksDirectory, withModelBook } from '../../src/main/app/model-book.ts';
import { ModelMirrors } from '../../src/main/app/model-mirrors.ts';
import type { ModelBreakers } from '../../src/main/models/model-breakers.ts';
import { claimDataDirectory } from '../../src/main/store/directory-claim.ts';
import { modelsSettingsSchema } from '../../src/shared/models-settings.ts';
import { BreakersDriver, limited, MINI, SONNET, START } from '../models/breakers-driver.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

const BOOK = 'model-breakers.json';

class World {
	readonly data = join(temporaryDirectory(), 'data');
	readonly file = join(this.data, BOOK);
	readonly problems: (string | null)[] = [];
	now = START;

	readonly onProblem = (_file: string, problem: string | null): void => {
		this.problems.push(problem);
	};

	command<T>(work: (breakers: ModelBreakers, mirrors: ModelMirrors) => T | Promise<T>, patienceMs = 10_000) {
		const settings = modelsSettingsSchema.parse({});
		return withModelBook(
			this.data,
			{ settings, onProblem: this.onProblem, now: () => this.now, random: () => 0, patienceMs },
			work,
		);
	}

	/** What `agent-floor model current` is told. */
	async model(directory = '/repo'): Promise<string | null> {
		const result = await this.command((breakers) => breakers.current({ directory }).model);
		return result.kind === 'done' ? result.value : 'a floor runs';
	}

	async report(outcome: 'success' | 'rate-limit', directory = '/repo'): Promise<void> {
		await this.command((breakers) => void breakers.report({ directory, outcome }));
	}

	async claim(): Promise<() => void> {
		mkdirSync(this.data, { recursive: true });
		const claim = await claimDataDirectory(this.data, { answers: async () => false });
		if (!claim.claimed) throw new Error('not claimed');
		onTestFinished(() => claim.lock.dispose());
		return () => claim.lock.dispose();
	}

	async floor() {
		const driver = new BreakersDriver();
		driver.now = this.now;
		const { breakers } = driver;
		const mirrors = new ModelMirrors({
			breakers,
			locksDirectory: modelLocksDirectory(this.data),
			now: () => this.now,
			onProblem: this.onProblem,
		});
		const book = await ModelBook.open({
			dataDirectory: this.data,
			breakers,
			mirrors,
			onProblem: this.onProblem,
		});
		onTestFinished(() => book.close());
		return { driver, breakers, mirrors, book };
	}
}

describe('commands without a floor', () => {
	it('know what the ones before them learnt', async () => {
		const world = new World();
		expect(await world.model()).toBe(SONNET);
		await world.report('rate-limit');
		expect(await world.model()).toBe(MINI);
		expect(await world.model('/another')).toBe(MINI);
		expect(statSync(world.file).mode & 0o777).toBe(0o600);
		expect(readdirSync(world.data).sort()).toEqual(['locks', BOOK]);
	});

	it('wait for each other: none works on what another is about to change', async () => {
		const world = new World();
		let working = 0;
		const repositories = Array.from({ length: 12 }, (_, index) => `/repo-${index}`);
		await Promise.all(
			repositories.map((directory) =>
				world.command(async (breakers) => {
					working += 1;
					expect(working).toBe(1);
					await new Promise((resolve) => setTimeout(resolve, 2));
					breakers.current({ directory });
					working -= 1;
				}),
			),
		);
		const { breakers } = JSON.parse(readFileSync(world.file, 'utf8'));
		expect(JSON.stringify(breakers.callers)).toContain('/repo-0');
		for (const directory of repositories) expect(JSON.stringify(breakers.callers)).toContain(directory);
	});

	it('keep nothing of a work that failed', async () => {
		const world = new World();
		await world.model();
		const before = readFileSync(world.file);
		const failing = world.command((breakers) => {
			breakers.report({ directory: '/repo', outcome: 'rate-limit' });
			throw new Error('no');
		});
		await expect(failing).rejects.toThrow('no');
		expect(readFileSync(world.file)).toEqual(before);
		expect(await world.model()).toBe(SONNET);
	});

	it('mirror into every repository that is known, and hear its scripts', async () => {
		const world = new World();
		const [one = '', other = ''] = ['one', 'other'].map((name) => {
			const root = join(world.data, '..', name);
			mkdirSync(join(root, '.squad'), { recursive: true });
			mkdirSync(join(root, '.git'));
			return root;
		});
		const state = (root: string) =>
			JSON.parse(readFileSync(join(root, '.squad', 'ralph-circuit-breaker.json'), 'utf8'));
		for (const root of [one, other]) {
			await world.command(async (breakers, mirrors) => {
				const directory = await mirrors.sync(root);
				breakers.current({ directory });
				await mirrors.write(root);
			});
		}
		await world.report('rate-limit', one);
		expect([state(one).state, state(other).state]).toEqual(['open', 'open']);
		const file = join(other, '.squad', 'ralph-circuit-breaker.json');
		const scripts = { ...state(other), currentFallbackIndex: 1, consecutiveFailures: 2 };
		writeFileSync(file, JSON.stringify(scripts));
		expect(await world.model(one)).toBe('gpt-5-mini');
		expect(state(one).currentFallbackIndex).toBe(1);
		expect(world.problems).toEqual([]);
	});

	it.each(['{"breakers": {"ver', '[]', '{"other": 1}', '\0\0\0'])(
		'begin anew when the book holds %j, and say so',
		async (text) => {
			const world = new World();
			await world.report('rate-limit');
			writeFileSync(world.file, text);
			expect(await world.model()).toBe(SONNET);
			const aside = readdirSync(world.data).find((name) => name.includes('.corrupt-')) ?? '';
			expect(readFileSync(join(world.data, aside), 'utf8')).toBe(text);
			expect(world.problems).toEqual([expect.stringContaining(aside)]);
			expect(await world.model()).toBe(SONNET);
			expect(world.problems).toHaveLength(1);
		},
	);

	it('say what it costs when the directory cannot be used', async () => {
		const world = new World();
		writeFileSync(world.data, '');
		await expect(world.model()).rejects.toMatchObject({
			code: 'not-writable',
			meaning: expect.stringContaining('rate-limited models may be forgotten'),
		});
	});
});

describe('a floor and commands', () => {
	it('a command does nothing while a floor has the directory', async () => {
		const world = new World();
		await world.report('rate-limit');
		const before = readFileSync(world.file);
		const release = await world.claim();
		let didWork = false;
		const result = await world.command(() => {
			didWork = true;
		});
		expect([result, didWork]).toEqual([{ kind: 'floor-runs' }, false]);
		expect(readFileSync(world.file)).toEqual(before);
		release();
		expect(await world.model()).toBe(MINI);
	});

	it('a floor that starts while a command works waits, and knows what it did', async () => {
		const world = new World();
		let begin = (): void => {};
		let finish = (): void => {};
		const hasBegun = new Promise<void>((resolve) => {
			begin = resolve;
		});
		const mayFinish = new Promise<void>((resolve) => {
			finish = resolve;
		});
		const command = world.command(async (breakers) => {
			begin();
			await mayFinish;
			breakers.report({ directory: '/repo', outcome: 'rate-limit' });
		});
		await hasBegun;
		await world.claim();
		let isOpen = false;
		const opening = world.floor().then((floor) => {
			isOpen = true;
			return floor;
		});
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(isOpen).toBe(false);
		finish();
		await command;
		const { breakers } = await opening;
		expect(breakers.current({ directory: '/repo' }).model).toBe(MINI);
		expect(await world.model()).toBe('a floor runs');
	});

	it('keeps what changed, soon, and once for changes that come together', async () => {
		const world = new World();
		await world.claim();
		const { breakers } = await world.floor();
		for (let count = 0; count < 50; count += 1) breakers.current({ directory: `/repo-${count}` });
		breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'x' }, limited());
		await vi.waitFor(() => expect(readFileSync(world.file, 'utf8')).toContain('"open"'), { timeout: 10_000 });
		const { ino } = statSync(world.file);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(statSync(world.file).ino).toBe(ino);
	});

	it('loses nothing that changed just before it was closed', async () => {
		const world = new World();
		const release = await world.claim();
		const { breakers, book } = await world.floor();
		breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'x' }, limited());
		await book.close();
		release();
		expect(await world.model()).toBe(MINI);
	});

	it('says once that the book cannot be written, and when it can be again', async () => {
		const world = new World();
		await world.claim();
		const { breakers, book } = await world.floor();
		rmSync(world.file, { force: true });
		mkdirSync(world.file);
		for (let count = 0; count < 3; count += 1) {
			breakers.current({ directory: `/repo-${count}` });
			await new Promise((resolve) => setTimeout(resolve, 30));
		}
		expect(world.problems).toEqual([expect.stringContaining(world.file)]);
		rmSync(world.file, { recursive: true });
		await book.close();
		expect(world.problems.at(-1)).toBeNull();
		expect(readFileSync(world.file, 'utf8')).toContain('/repo-2');
	});

	it('sets a damaged book aside, begins anew and goes on saying so', async () => {
		const world = new World();
		await world.claim();
		writeFileSync(world.file, '{"half');
		const { breakers, book } = await world.floor();
		breakers.current({ directory: '/repo' });
		await book.close();
		expect(world.problems).toEqual([expect.stringContaining(`${world.file} is no whole JSON`)]);
		expect(JSON.parse(readFileSync(world.file, 'utf8'))).toHaveProperty('breakers');
	});
});
