/** State files that more than one floor, git or a hostile repository have a hand in. */
import { execFileSync } from 'node:child_process';
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ModelMirrors } from '../../src/main/app/model-mirrors.ts';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { BreakersDriver, limited, MINI, MINUTE, ok, SONNET, START } from '../models/breakers-driver.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

const isWindows = process.platform === 'win32';

/** One data directory. */
class Floor {
	readonly driver: BreakersDriver;
	readonly mirrors: ModelMirrors;
	readonly problems = new Map<string, string | null>();

	constructor(settings: object = {}) {
		this.driver = new BreakersDriver(settings);
		this.mirrors = new ModelMirrors({
			breakers: this.driver.breakers,
			locksDirectory: join(temporaryDirectory(), 'locks'),
			now: () => this.driver.now,
			onProblem: (file, problem) => this.problems.set(file, problem),
			patienceMs: 2_000,
			tornPatienceMs: 0,
		});
		onTestFinished(() => this.mirrors.dispose());
	}

	async look(directory: string): Promise<void> {
		await this.mirrors.sync(directory);
		await this.mirrors.write(directory);
	}

	get problem(): string {
		return [...this.problems.values()].join();
	}
}

function repository(base = temporaryDirectory(), name = 'app'): { root: string; file: string } {
	const root = join(base, name);
	mkdirSync(join(root, '.squad'), { recursive: true });
	mkdirSync(join(root, '.git'));
	return { root, file: join(root, '.squad', 'ralph-circuit-breaker.json') };
}

function recordIn(file: string, now = START): StateRecord {
	const parsed = parseStateFile(readFileSync(file), now);
	if (!parsed.ok) throw new Error(parsed.problem);
	return parsed.record;
}

const text = (record: Partial<StateRecord>): Uint8Array =>
	printStateFile({ ...defaultStateRecord, ...record }, null);

describe('a state file that is no plain file of its repository', () => {
	it.each<[string, (file: string, victim: string) => void]>([
		['is a link out of it', (file, victim) => symlinkSync(victim, file)],
		[
			'lies in a directory that is a link out of it',
			(file, victim) => {
				rmSync(join(file, '..'), { recursive: true });
				symlinkSync(join(victim, '..'), join(file, '..'));
			},
		],
	])('%s: nothing there is read, moved or written, and the operator is told', async (_what, make) => {
		for (const content of ['{"token":"keep me"}', Buffer.from(text({ state: 'open', openedAt: START }))]) {
			const { root, file } = repository();
			const elsewhere = temporaryDirectory();
			const victim = join(elsewhere, 'ralph-circuit-breaker.json');
			writeFileSync(victim, content);
			make(file, victim);
			const floor = new Floor();
			for (let times = 0; times < 3; times += 1) await floor.look(root);
			floor.driver.turn(limited());
			await floor.mirrors.writeAll();
			expect(readdirSync(elsewhere)).toEqual(['ralph-circuit-breaker.json']);
			expect(readFileSync(victim)).toEqual(Buffer.from(content));
			expect(floor.driver.chain()).toMatchObject({ openedAt: START, metrics: { totalFallbacks: 1 } });
			expect(floor.problem).toContain('is a link that leads out of');
		}
	});

	it('is a link to another file of it: that is not set aside', async () => {
		const { root, file } = repository();
		writeFileSync(join(root, 'package.json'), '{"name":"app"}');
		symlinkSync(join('..', 'package.json'), file);
		const floor = new Floor();
		await floor.look(root);
		expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe('{"name":"app"}');
		expect(readdirSync(root).sort()).toEqual(['.git', '.squad', 'package.json']);
		expect(floor.problem).toContain('holds none of the fields of a circuit breaker');
	});

	it('is a link to a state file of it: followed', async () => {
		const { root, file } = repository();
		writeFileSync(join(root, 'kept.json'), text({}));
		symlinkSync(join('..', 'kept.json'), file);
		const floor = new Floor();
		floor.driver.turn(limited());
		await floor.look(root);
		expect(recordIn(join(root, 'kept.json')).state).toBe('open');
		expect(floor.problem).toBe('');
	});

	it.each<[string, (file: string) => unknown, RegExp]>([
		['a directory', (file) => mkdirSync(file), /a directory stands in its place\. Shell loops .* Move away/],
		...(isWindows
			? []
			: ([
					['a pipe', (file) => execFileSync('mkfifo', [file]), /a pipe stands/],
					['a link to a device', (file) => symlinkSync('/dev/zero', file), /leads out of/],
				] satisfies [string, (file: string) => unknown, RegExp][])),
	])('is %s: told, and the others are served', async (_what, make, words) => {
		const base = temporaryDirectory();
		const [bad, good] = [repository(base, 'bad'), repository(base, 'good')];
		make(bad.file);
		const floor = new Floor();
		floor.driver.turn(limited());
		await floor.look(bad.root);
		await floor.look(good.root);
		await floor.mirrors.syncAll();
		await floor.mirrors.writeAll();
		expect(recordIn(good.file).state).toBe('open');
		expect(floor.problems.get(bad.file)).toMatch(words);
	});

	it('is huge: set aside unread, and written anew', async () => {
		const { root, file } = repository();
		writeFileSync(file, '{"state":"open"}');
		truncateSync(file, 300_000_000);
		const floor = new Floor();
		await floor.look(root);
		expect(recordIn(file).state).toBe('closed');
		expect(floor.problem).toContain('has more than 262144 bytes and was set aside');
	});
});

describe('a version of the file out of git', () => {
	const DAY = 24 * 60 * MINUTE;
	const old = START - 3 * DAY;
	const committed: Partial<StateRecord> = {
		metrics: { totalFallbacks: 3, totalRecoveries: 3, lastFallbackAt: old, lastRecoveryAt: old + MINUTE },
	};

	/** The file has counted more since it was committed. */
	async function lived() {
		const { root, file } = repository();
		const metrics = { ...defaultStateRecord.metrics, totalFallbacks: 6, totalRecoveries: 6 };
		writeFileSync(
			file,
			text({ metrics: { ...metrics, lastFallbackAt: START - DAY, lastRecoveryAt: START - DAY } }),
		);
		const floor = new Floor();
		await floor.look(root);
		return { floor, root, file };
	}

	it('that is closed heals nothing: the circuit stays open, and the file says so again', async () => {
		const { floor, root, file } = await lived();
		floor.driver.turn(limited(240 * MINUTE));
		await floor.mirrors.write(root);
		const before = recordIn(file);
		writeFileSync(file, text(committed));
		await floor.look(root);
		expect(floor.driver.chain()).toMatchObject({ state: 'open', resumeAt: START + 240 * MINUTE });
		expect(floor.driver.kinds).toEqual(['opened']);
		expect(recordIn(file)).toEqual(before);
	});

	it('that is open opens nothing', async () => {
		const { floor, root, file } = await lived();
		const before = recordIn(file);
		writeFileSync(file, text({ ...committed, state: 'open', openedAt: old, consecutiveFailures: 1 }));
		await floor.look(root);
		expect(floor.driver.kinds).toEqual([]);
		expect(recordIn(file)).toEqual(before);
	});

	it('that counted more, but of a limit that is over, opens nothing, and its counts go on', async () => {
		const { floor, root, file } = await lived();
		const metrics = {
			totalFallbacks: 12,
			totalRecoveries: 11,
			lastFallbackAt: START - DAY,
			lastRecoveryAt: START - DAY,
		};
		writeFileSync(file, text({ state: 'open', openedAt: START - DAY, metrics }));
		await floor.look(root);
		expect(floor.driver.chain().state).toBe('closed');
		floor.driver.turn(limited());
		await floor.look(root);
		expect(recordIn(file)).toMatchObject({
			state: 'open',
			metrics: { totalFallbacks: 13, totalRecoveries: 11 },
		});
	});

	it('with another configuration: that holds from now on', async () => {
		const { floor, root, file } = await lived();
		floor.driver.turn(limited());
		await floor.mirrors.write(root);
		writeFileSync(file, text({ ...committed, cooldownMinutes: 3, fallbackChain: [MINI] }));
		await floor.look(root);
		expect(recordIn(file)).toMatchObject({ cooldownMinutes: 3, fallbackChain: [MINI], state: 'open' });
	});
});

describe('many repositories', () => {
	it('one that the breakers have forgotten keeps its own model and state', async () => {
		const base = temporaryDirectory();
		const floor = new Floor();
		const own = repository(base, 'own');
		writeFileSync(own.file, text({ preferredModel: 'own', fallbackChain: ['small'] }));
		await floor.look(own.root);
		for (let at = 0; at < 1_200; at += 1) floor.driver.breakers.repository(join(base, `other-${at}`), null);
		floor.driver.turn(limited());
		await floor.mirrors.write(own.root);
		expect(recordIn(own.file)).toMatchObject({ preferredModel: 'own', state: 'closed' });
		expect(floor.driver.current({ directory: await floor.mirrors.sync(own.root) })).toBe('own');
	});
});

describe('two floors and one repository', () => {
	/** Both look in turn until nothing is written any more; returns how often the file changed. */
	async function settle(
		floors: readonly Floor[],
		{ root, file }: { root: string; file: string },
	): Promise<number> {
		let changes = 0;
		let bytes = '';
		for (let round = 0, isQuiet = false; round < 40 && !isQuiet; round += 1) {
			isQuiet = true;
			for (const floor of floors) {
				await floor.look(root);
				const now = readFileSync(file, 'utf8');
				if (now !== bytes) {
					changes += 1;
					isQuiet = false;
				}
				bytes = now;
			}
		}
		return changes;
	}

	function pair(): [Floor, Floor] {
		const floors: [Floor, Floor] = [new Floor(), new Floor()];
		floors[0].driver.random = 0.123_456_7;
		floors[1].driver.random = 0.765_432_1;
		return floors;
	}

	it('the second one takes the wish over, to the same time', async () => {
		const [one, two] = pair();
		const at = repository();
		await settle([one, two], at);
		one.driver.turn(limited(60 * MINUTE));
		await settle([one, two], at);
		const resumeAt = one.driver.chain().resumeAt ?? 0;
		expect(resumeAt).toBeGreaterThan(START + 60 * MINUTE);
		expect(two.driver.chain().resumeAt).toBeCloseTo(resumeAt, 0);
		expect(recordIn(at.file).resumeAt).toBe(Math.round(resumeAt));
	});

	it('a success of a fallback is no new limit for the other', async () => {
		const [one, two] = pair();
		for (const { driver } of [one, two])
			driver.configure({ chains: [{ preferredModel: SONNET, fallbackChain: [MINI] }] });
		const at = repository();
		await settle([one, two], at);
		one.driver.turn(limited());
		await settle([one, two], at);
		one.driver.turn(ok);
		await settle([one, two], at);
		for (const { driver } of [one, two]) {
			expect(driver.chain()).toMatchObject({ consecutiveFailures: 0, modelInUse: MINI, state: 'open' });
		}
	});

	it('recover together', async () => {
		const [one, two] = pair();
		const at = repository();
		await settle([one, two], at);
		one.driver.turn(limited());
		await settle([one, two], at);
		for (const { driver } of [one, two]) driver.wait(12 * MINUTE);
		for (let times = 0; times < 2; times += 1) {
			expect(one.driver.current({ directory: at.root })).toBe(SONNET);
			await settle([one, two], at);
			// The one test call is the one of the whole machine.
			expect(two.driver.ticket().model).toBe(MINI);
			one.driver.report('success', { directory: at.root });
			await settle([one, two], at);
		}
		expect([one, two].map(({ driver }) => driver.chain().state)).toEqual(['closed', 'closed']);
		expect(recordIn(at.file)).toMatchObject({
			state: 'closed',
			metrics: { totalFallbacks: 1, totalRecoveries: 1 },
		});
	});

	it('come to rest after whatever happens', async () => {
		const event = fc.tuple(
			fc.constantFrom(0, 1),
			fc.constantFrom('limited', 'wished', 'ok', 'loop', 'script limited', 'hold', 'release', 'probe now'),
			fc.constantFrom(0, MINUTE, 11 * MINUTE, 70 * MINUTE),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
				const floors = pair();
				const at = repository();
				await settle(floors, at);
				for (const [index, kind, ms] of events) {
					for (const { driver } of floors) driver.wait(ms);
					happen(floors[index] ?? floors[0], kind, at);
					// A few at once, and what is left after pauses: never without end.
					expect(await settle(floors, at)).toBeLessThanOrEqual(16);
				}
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 15) },
		);
	});

	function happen({ driver }: Floor, kind: string, { root, file }: { root: string; file: string }): void {
		const { id, held } = driver.chain();
		const outcomes: Record<string, Parameters<BreakersDriver['turn']>[0]> = {
			limited: limited(),
			wished: limited(100 * MINUTE),
			ok,
		};
		const outcome = outcomes[kind];
		if (outcome !== undefined) {
			const choice = driver.choose();
			if (choice?.kind === 'use') driver.breakers.settle(choice.ticket, outcome);
		} else if (kind === 'loop') driver.current({ directory: root });
		else if (kind === 'probe now') {
			if (!held) driver.breakers.probeNow(id);
		} else if (kind === 'script limited') {
			const record = recordIn(file, driver.now);
			const more = { consecutiveFailures: record.consecutiveFailures + 1, openedAt: driver.now };
			writeFileSync(file, printStateFile({ ...record, ...more, state: 'open' }, readFileSync(file)));
		} else driver.breakers.hold(id, kind === 'hold');
	}
});
