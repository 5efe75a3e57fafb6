import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MirrorOptions } from '../../src/main/app/model-mirror.ts';
import { ModelMirrors } from '../../src/main/app/model-mirrors.ts';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { BreakersDriver, limited, MINI, MINUTE, ok, SONNET, START } from '../models/breakers-driver.ts';
import { SeedBreaker, type SeedRecord } from '../models/seed-port.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

class World {
	readonly base = temporaryDirectory();
	readonly driver: BreakersDriver;
	readonly problems: (string | null)[] = [];
	readonly mirrors: ModelMirrors;

	constructor(settings: object = {}) {
		this.driver = new BreakersDriver(settings);
		this.mirrors = this.mirrorsOf(this.driver);
	}

	mirrorsOf(driver: BreakersDriver, more: Partial<MirrorOptions> = {}): ModelMirrors {
		const mirrors = new ModelMirrors({
			breakers: driver.breakers,
			locksDirectory: join(this.base, 'data', 'locks'),
			now: () => driver.now,
			onProblem: (_file, problem) => this.problems.push(problem),
			patienceMs: 2_000,
			tornPatienceMs: 0,
			...more,
		});
		onTestFinished(() => mirrors.dispose());
		return mirrors;
	}

	repository(name = 'app', text?: string): { root: string; file: string } {
		const root = join(this.base, name);
		const file = join(root, '.squad', 'ralph-circuit-breaker.json');
		mkdirSync(join(root, '.squad'), { recursive: true });
		mkdirSync(join(root, '.git'));
		if (text !== undefined) writeFileSync(file, text);
		return { root, file };
	}

	recordIn(file: string): StateRecord {
		const parsed = parseStateFile(readFileSync(file), this.driver.now);
		if (!parsed.ok) throw new Error(parsed.problem);
		return parsed.record;
	}

	/** What scripts do, with the seed's functions. */
	script(file: string, work: (seed: SeedBreaker) => void): void {
		const seed = new SeedBreaker();
		seed.now = this.driver.now;
		seed.file = JSON.parse(readFileSync(file, 'utf8')) as SeedRecord;
		work(seed);
		writeFileSync(file, `${JSON.stringify(seed.file, null, 2)}\n`);
	}

	/** The first chain. */
	get chain() {
		const chain = this.driver.breakers.view().chains[0];
		if (!chain) throw new Error('there is no chain');
		return chain;
	}

	limit(): void {
		this.driver.breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'x' }, limited());
	}
}

const text = (record: Partial<StateRecord>): string =>
	Buffer.from(printStateFile({ ...defaultStateRecord, ...record }, null)).toString();

describe('where a state file lies', () => {
	it('is the nearest directory with .squad, up to the root of the repository', async () => {
		const world = new World();
		const { root, file } = world.repository();
		const inner = join(root, 'packages', 'inner');
		mkdirSync(join(inner, 'src'), { recursive: true });
		expect(world.mirrors.rootOf(join(inner, 'src'))).toBe(root);
		mkdirSync(join(inner, '.squad'));
		expect(world.mirrors.rootOf(join(inner, 'src'))).toBe(inner);
		await world.mirrors.write(root);
		expect(existsSync(file)).toBe(true);
	});

	it('is never above the repository, nor above a directory that is in none', () => {
		const world = new World();
		mkdirSync(join(world.base, '.squad'));
		for (const name of ['plain', 'worktree', 'repository']) mkdirSync(join(world.base, name));
		writeFileSync(join(world.base, 'worktree', '.git'), 'gitdir: elsewhere\n');
		mkdirSync(join(world.base, 'repository', '.git'));
		for (const name of ['plain', 'worktree', 'repository']) {
			expect(world.mirrors.rootOf(join(world.base, name))).toBe(join(world.base, name));
		}
	});

	it('is nowhere without .squad: nothing is made', async () => {
		const world = new World();
		const plain = join(world.base, 'plain');
		mkdirSync(plain);
		expect(await world.mirrors.sync(plain)).toBe(plain);
		await world.mirrors.write(plain);
		expect(readdirSync(plain)).toEqual([]);
		expect(world.mirrors.directories()).toEqual([]);
		expect(world.problems).toEqual([]);
	});
});

describe('writing what is true', () => {
	it('makes the file once, then changes only what changed', async () => {
		const world = new World();
		const { root, file } = world.repository();
		await world.mirrors.write(root);
		expect(readFileSync(file, 'utf8')).toBe(text({}));
		const before = statSync(file);
		await world.mirrors.write(root);
		expect(statSync(file).ino).toBe(before.ino);
		world.limit();
		await world.mirrors.writeAll();
		expect(world.recordIn(file)).toMatchObject({ state: 'open', openedAt: START, currentFallbackIndex: 0 });
		expect(readdirSync(join(root, '.squad'))).toEqual(['ralph-circuit-breaker.json']);
	});

	it('tells every repository of a limit that one of them found', async () => {
		const world = new World();
		const [one, other] = [world.repository('one'), world.repository('other')];
		for (const { root } of [one, other]) {
			await world.mirrors.sync(root);
			await world.mirrors.write(root);
		}
		world.script(one.file, (seed) => seed.updateCircuitBreakerOnRateLimit());
		await world.mirrors.syncAll();
		await world.mirrors.writeAll();
		for (const { file } of [one, other]) {
			expect(world.recordIn(file)).toMatchObject({ state: 'open', metrics: { totalFallbacks: 1 } });
		}
	});

	it('writes soon after changes, and what is left when it is closed', async () => {
		const world = new World();
		const { root, file } = world.repository();
		await world.mirrors.write(root);
		world.driver.breakers.onChange(world.mirrors.writeSoon);
		world.limit();
		await vi.waitFor(() => expect(world.recordIn(file).state).toBe('open'), { timeout: 10_000 });
		world.driver.now += 10 * MINUTE;
		world.driver.breakers.current({ directory: root });
		await world.mirrors.close();
		expect(world.recordIn(file).state).toBe('half-open');
	});

	it('keeps what the file had counted before', async () => {
		const world = new World();
		const metrics = {
			totalFallbacks: 7,
			totalRecoveries: 5,
			lastFallbackAt: START - 99 * MINUTE,
			lastRecoveryAt: START - 88 * MINUTE,
		};
		const { root, file } = world.repository('app', text({ metrics }));
		await world.mirrors.sync(root);
		await world.mirrors.write(root);
		expect(world.recordIn(file).metrics).toEqual(metrics);
		world.limit();
		await world.mirrors.write(root);
		expect(world.recordIn(file).metrics).toEqual({ ...metrics, totalFallbacks: 8, lastFallbackAt: START });
	});

	it('puts right what a script would fail on', async () => {
		const world = new World();
		const { root, file } = world.repository(
			'app',
			'{\r\n  "preferredModel": "claude-sonnet-5",\r\n  "mine": 1\r\n}',
		);
		await world.mirrors.sync(root);
		await world.mirrors.write(root);
		expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
			mine: 1,
			metrics: { totalFallbacks: 0 },
			halfOpenSuccesses: 0,
		});
	});
});

describe('taking over what scripts write', () => {
	async function begun(settings: object = {}) {
		const world = new World(settings);
		const { root, file } = world.repository();
		await world.mirrors.sync(root);
		await world.mirrors.write(root);
		const look = async (): Promise<void> => {
			await world.mirrors.sync(root);
			await world.mirrors.write(root);
		};
		return { world, root, file, look };
	}

	it('goes through a whole round with the seed’s functions, our mirror between any two steps', async () => {
		const { world, file, look } = await begun();
		world.script(file, (seed) => seed.updateCircuitBreakerOnRateLimit());
		await look();
		expect(world.chain).toMatchObject({ state: 'open', openedAt: START, modelInUse: MINI });
		world.script(file, (seed) => seed.updateCircuitBreakerOnRateLimit());
		await look();
		expect(world.chain).toMatchObject({ state: 'open', currentFallbackIndex: 1, openedAt: START });
		world.driver.now += 10 * MINUTE;
		world.script(file, (seed) => expect(seed.getCurrentModel()).toBe(SONNET));
		await look();
		expect(world.chain).toMatchObject({ state: 'half-open' });
		expect(world.chain.probe?.holder).toContain('script');
		world.script(file, (seed) => seed.updateCircuitBreakerOnSuccess());
		await look();
		expect(world.chain).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		world.script(file, (seed) => seed.updateCircuitBreakerOnSuccess());
		await look();
		expect(world.chain).toMatchObject({
			state: 'closed',
			metrics: { totalFallbacks: 1, totalRecoveries: 1 },
		});
		expect(world.recordIn(file)).toMatchObject({
			state: 'closed',
			openedAt: null,
			metrics: { totalFallbacks: 1, totalRecoveries: 1 },
		});
		expect(world.problems).toEqual([]);
	});

	it('is not told its own writes as deeds', async () => {
		const { world, root, file, look } = await begun();
		world.limit();
		await world.mirrors.write(root);
		const bytes = readFileSync(file);
		const before = [world.driver.changes, world.driver.events.length];
		for (let times = 0; times < 3; times += 1) await look();
		expect([world.driver.changes, world.driver.events.length]).toEqual(before);
		expect(readFileSync(file)).toEqual(bytes);
	});

	it('does not lose what a script wrote just before a write of ours', async () => {
		const { world, root, file } = await begun();
		world.script(file, (seed) => seed.updateCircuitBreakerOnRateLimit());
		await world.mirrors.write(root);
		expect(world.chain.state).toBe('open');
		expect(world.recordIn(file).state).toBe('open');
	});

	it('takes no file that was made anew for a recovery', async () => {
		const { world, root, file, look } = await begun();
		world.limit();
		await world.mirrors.write(root);
		writeFileSync(file, JSON.stringify(new SeedBreaker().file));
		await look();
		expect(world.chain.state).toBe('open');
		expect(world.recordIn(file)).toMatchObject({ state: 'open', metrics: { totalFallbacks: 1 } });
	});

	it('writes a deleted file again', async () => {
		const { world, root, file, look } = await begun();
		world.limit();
		await world.mirrors.write(root);
		rmSync(file);
		await look();
		expect(world.recordIn(file)).toMatchObject({ state: 'open', openedAt: START });
	});

	it('lets a configuration that was edited there hold for this repository only', async () => {
		const { world, root, file, look } = await begun();
		const record = world.recordIn(file);
		const edited = { ...record, fallbackChain: ['gpt-5-mini'], cooldownMinutes: 3 };
		writeFileSync(file, printStateFile(edited, readFileSync(file)));
		await look();
		expect(world.driver.breakers.recordFor(root)).toMatchObject({
			fallbackChain: ['gpt-5-mini'],
			cooldownMinutes: 3,
		});
		expect(world.recordIn(file)).toMatchObject({ fallbackChain: ['gpt-5-mini'], cooldownMinutes: 3 });
		expect(world.driver.breakers.recordFor(join(world.base, 'other'))).toMatchObject({ cooldownMinutes: 10 });
	});

	it('lets a file that says what the settings say follow them', async () => {
		const { world, file, look } = await begun();
		world.driver.settings = {
			...world.driver.settings,
			chains: [{ preferredModel: 'claude-opus-4.8', fallbackChain: [SONNET], cooldownMinutes: 7 }],
		};
		await look();
		expect(world.recordIn(file)).toMatchObject({
			preferredModel: 'claude-opus-4.8',
			fallbackChain: [SONNET],
			cooldownMinutes: 7,
		});
	});

	it('lets a file that was there before, and says what the settings say, follow them too', async () => {
		const world = new World();
		const { root, file } = world.repository('app', text({}));
		await world.mirrors.sync(root);
		world.driver.configure({
			chains: [{ preferredModel: SONNET, fallbackChain: [MINI], cooldownMinutes: 7 }],
		});
		await world.mirrors.write(root);
		expect(world.recordIn(file)).toMatchObject({ fallbackChain: [MINI], cooldownMinutes: 7 });
	});

	it('hears an open circuit in a file that it sees for the first time, unless that is long over', async () => {
		const world = new World();
		const openedAt = START - 4 * MINUTE;
		const { root } = world.repository('app', text({ state: 'open', openedAt, currentFallbackIndex: 1 }));
		await world.mirrors.sync(root);
		expect(world.chain).toMatchObject({ state: 'open', openedAt, currentFallbackIndex: 1 });

		const late = new World();
		const abandoned = late.repository('app', text({ state: 'open', openedAt: START - 999 * MINUTE }));
		await late.mirrors.sync(abandoned.root);
		expect(late.chain.state).toBe('closed');
	});

	it.each([
		['null', null, 'no date'],
		['in the future', START + 99 * MINUTE, 'in the future'],
	])(
		'counts the cooldown from now when openedAt is %s, says so, and writes it',
		async (_what, openedAt, words) => {
			const world = new World();
			const { root, file } = world.repository('app', text({ state: 'open', openedAt }));
			await world.mirrors.sync(root);
			expect(world.chain).toMatchObject({ state: 'open', openedAt: START });
			expect(world.problems.at(-1)).toContain(words);
			await world.mirrors.write(root);
			expect(world.recordIn(file).openedAt).toBe(START);
			await world.mirrors.sync(root);
			expect(world.problems.at(-1)).toBeNull();
		},
	);

	it('notices by itself what is written, and answers in the file', async () => {
		const { world, file } = await begun();
		world.mirrors.watch(20);
		world.driver.breakers.onChange(world.mirrors.writeSoon);
		world.script(file, (seed) => seed.updateCircuitBreakerOnRateLimit());
		await vi.waitFor(() => expect(world.chain.state).toBe('open'), { timeout: 10_000 });
		const other = world.repository('later');
		await world.mirrors.sync(other.root);
		await world.mirrors.write(other.root);
		world.driver.now += 10 * MINUTE;
		world.script(other.file, (seed) => expect(seed.getCurrentModel()).toBe(SONNET));
		// The test call that is under way there keeps everybody else's scripts away.
		const resumeAt = world.driver.now + 10 * MINUTE;
		await vi.waitFor(() => expect(world.recordIn(file)).toMatchObject({ state: 'open', resumeAt }), {
			timeout: 10_000,
		});
		expect(world.recordIn(other.file).state).toBe('half-open');
		world.script(file, (seed) => expect(seed.getCurrentModel()).toBe(MINI));
	});
});

describe('over a restart', () => {
	async function opened() {
		const world = new World();
		const { root, file } = world.repository('app', text({ cooldownMinutes: 5 }));
		await world.mirrors.sync(root);
		world.limit();
		await world.mirrors.write(root);
		return { world, root, file };
	}

	/** Another process, which got what was kept as text. */
	function again(world: World, saved = JSON.stringify(kept(world))): World & { mirrors: ModelMirrors } {
		const next = new BreakersDriver();
		next.now = world.driver.now;
		const mirrors = world.mirrorsOf(next);
		const book = JSON.parse(saved) as ReturnType<typeof kept>;
		next.breakers.restore(book.breakers);
		mirrors.restore(book.mirrors);
		return Object.assign(Object.create(world), { driver: next, mirrors });
	}

	function kept(world: World) {
		return { breakers: world.driver.breakers.saved(), mirrors: world.mirrors.saved() };
	}

	it('knows what it saw last, so that only what scripts did meanwhile is news', async () => {
		const { world, root, file } = await opened();
		const saved = JSON.stringify(kept(world));
		world.script(file, (seed) => seed.updateCircuitBreakerOnRateLimit());
		const next = again(world, saved);
		await next.mirrors.syncAll();
		const record = next.driver.breakers.recordFor(root);
		expect(record).toMatchObject({ state: 'open', cooldownMinutes: 5, currentFallbackIndex: 1 });
		expect(record.metrics.totalFallbacks).toBe(1);
	});

	it('counts nothing twice when the program ended between two writes', async () => {
		const { world, root, file } = await opened();
		world.driver.now += 5 * MINUTE;
		world.driver.breakers.current({ directory: root });
		await world.mirrors.write(root);
		// One success is in the book; the file has it too, but the book does not know that.
		const before = world.mirrors.saved();
		world.driver.breakers.report({ directory: root, outcome: 'success' });
		world.driver.breakers.current({ directory: root });
		const book = JSON.stringify({ breakers: world.driver.breakers.saved(), mirrors: before });
		await world.mirrors.write(root);
		expect(world.recordIn(file).halfOpenSuccesses).toBe(1);
		const next = again(world, book);
		await next.mirrors.syncAll();
		expect(next.driver.breakers.recordFor(root)).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
	});

	it.each(['7', '[1, {"directory": 5}]', '{}'])('sees everything anew when %s was kept', async (mirrors) => {
		const { world, root } = await opened();
		const next = again(world, `{"breakers": {}, "mirrors": ${mirrors}}`);
		await next.mirrors.sync(root);
		expect(next.driver.breakers.recordFor(root)).toMatchObject({ state: 'open', openedAt: START });
	});
});

describe('what is wrong with a file', () => {
	it('torn: it is set aside, told, and written anew from what is known', async () => {
		const world = new World();
		const { root, file } = world.repository('app', '{"state": "op');
		world.limit();
		await world.mirrors.sync(root);
		expect(world.problems).toHaveLength(1);
		expect(world.problems[0]).toContain(`${file} is no whole JSON`);
		const [, aside = ''] = readdirSync(join(root, '.squad')).sort();
		expect(readFileSync(join(root, '.squad', aside), 'utf8')).toBe('{"state": "op');
		expect(world.problems[0]).toContain(aside);
		expect(world.recordIn(file).state).toBe('open');
	});

	it('half written by a script at this moment: it is waited for', async () => {
		const world = new World();
		const mirrors = world.mirrorsOf(world.driver, { tornPatienceMs: 10_000 });
		const { root, file } = world.repository('app', '{"state": "op');
		const looking = mirrors.sync(root);
		await new Promise((resolve) => setTimeout(resolve, 60));
		writeFileSync(file, text({ state: 'open', openedAt: START }));
		await looking;
		expect(world.chain.state).toBe('open');
		expect(world.problems).toEqual([]);
		expect(readdirSync(join(root, '.squad'))).toEqual(['ralph-circuit-breaker.json']);
	});

	it('locked by a script that hangs: told once, adopted from nothing, and told when it is over', async () => {
		const world = new World();
		const { root, file } = world.repository('app', text({}));
		await world.mirrors.sync(root);
		const squad = join(root, '.squad');
		mkdirSync(`${file}.lock`);
		const mirrors = world.mirrorsOf(world.driver, { patienceMs: 10 });
		await mirrors.sync(root);
		world.limit();
		for (let times = 0; times < 3; times += 1) {
			await mirrors.write(root);
			await mirrors.sync(root);
		}
		expect(world.problems).toEqual([expect.stringContaining(`${file}.lock`)]);
		expect(world.chain.state).toBe('open');
		rmSync(`${file}.lock`, { recursive: true });
		await mirrors.write(root);
		expect(world.problems.at(-1)).toBeNull();
		expect(readdirSync(squad)).toEqual(['ralph-circuit-breaker.json']);
	});

	it('not to be read: told, and nobody is stopped', async () => {
		const world = new World();
		const { root, file } = world.repository();
		mkdirSync(file);
		await world.mirrors.sync(root);
		await world.mirrors.write(root);
		expect(world.problems[0]).toContain(`Could not read ${file}`);
		rmSync(file, { recursive: true });
		symlinkSync(join(root, 'kept.json'), file);
		await world.mirrors.sync(root);
		await world.mirrors.write(root);
		expect(world.problems.at(-1)).toBeNull();
	});

	it('gone with its directory: nothing to tell, and nothing is made', async () => {
		const world = new World();
		const { root } = world.repository('app', text({}));
		await world.mirrors.sync(root);
		rmSync(root, { recursive: true });
		world.limit();
		await world.mirrors.syncAll();
		await world.mirrors.writeAll();
		expect(existsSync(root)).toBe(false);
		expect(world.problems).toEqual([]);
	});

	it('nothing to say: a success while closed leaves the file as it is', async () => {
		const world = new World();
		const { root, file } = world.repository();
		await world.mirrors.write(root);
		const bytes = readFileSync(file);
		world.driver.breakers.observe({ provider: 'anthropic', model: SONNET, holder: 'x' }, ok);
		await world.mirrors.write(root);
		expect(readFileSync(file)).toEqual(bytes);
	});
});
