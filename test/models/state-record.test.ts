/** What state files say, as the seed's own functions understand it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { BreakersDriver, limited, MINI, MINUTE, ok, SONNET, START } from './breakers-driver.ts';
import { SeedBreaker } from './seed-port.ts';

const ONE = '/one';
const TWO = '/two';
const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

/** The seed's functions on the file that this repository has now. */
function seedIn(driver: BreakersDriver, directory: string): SeedBreaker {
	const seed = new SeedBreaker();
	seed.now = driver.now;
	seed.file = JSON.parse(Buffer.from(printStateFile(driver.breakers.recordFor(directory), null)).toString());
	return seed;
}

function modelIn(driver: BreakersDriver, directory: string): string | undefined {
	return seedIn(driver, directory).getCurrentModel();
}

/** What a script does to its file, taken over. */
function scriptTests(driver: BreakersDriver, directory: string): void {
	expect(modelIn(driver, directory)).toBe(SONNET);
	driver.breakers.adopt(directory, [{ kind: 'probe-begun' }]);
}

function opened(settings: object = {}): BreakersDriver {
	const driver = new BreakersDriver(settings);
	for (const directory of [ONE, TWO]) driver.breakers.repository(directory, null);
	driver.turn(limited());
	return driver;
}

describe('the seed’s Get-CurrentModel', () => {
	it('says the fallback until the cooldown is over, jitter included, and then the preferred model', () => {
		const driver = new BreakersDriver();
		driver.random = 0.5;
		driver.turn(limited());
		const end = driver.chain().resumeAt ?? 0;
		expect(end).toBe(START + 10 * MINUTE + 30_000);
		driver.now = end - 1;
		expect(modelIn(driver, ONE)).toBe(MINI);
		driver.now = end;
		expect(modelIn(driver, ONE)).toBe(SONNET);
	});

	it('says the fallback for as long as the provider wished', () => {
		const driver = new BreakersDriver();
		driver.turn(limited(240 * MINUTE));
		driver.wait(240 * MINUTE - 1);
		expect(modelIn(driver, ONE)).toBe(MINI);
		expect(modelIn(driver.wait(1), ONE)).toBe(SONNET);
	});

	it.each<[string, (driver: BreakersDriver) => void]>([
		['a turn of the gateway', (driver) => expect(driver.ticket().isProbe).toBe(true)],
		['a loop elsewhere', (driver) => expect(driver.current({ directory: TWO, caller: 'x' })).toBe(SONNET)],
		['a script elsewhere', (driver) => scriptTests(driver, TWO)],
	])('says the fallback while %s makes the test call, for no longer than its lease', (_what, test) => {
		for (const cooldownMinutes of [1, 10, 60]) {
			const driver = opened({
				chains: [{ preferredModel: SONNET, fallbackChain: [MINI], cooldownMinutes }],
			});
			test(driver.wait(cooldownMinutes * MINUTE));
			expect(modelIn(driver, ONE)).toBe(MINI);
			expect(modelIn(driver.wait(10 * MINUTE - 1), ONE)).toBe(MINI);
			expect(modelIn(driver.wait(1), ONE)).toBe(SONNET);
		}
	});

	it('says the preferred model where the test call is made, and its second success closes', () => {
		const driver = opened();
		scriptTests(driver.wait(10 * MINUTE), ONE);
		expect(driver.breakers.recordFor(ONE)).toMatchObject({
			state: 'half-open',
			openedAt: START,
			resumeAt: null,
		});
		driver.breakers.adopt(ONE, [{ kind: 'succeeded', count: 1 }]);
		const seed = seedIn(driver, ONE);
		expect(seed.getCurrentModel()).toBe(SONNET);
		seed.updateCircuitBreakerOnSuccess();
		expect(seed.file.state).toBe('closed');
	});

	it('says the preferred model to whoever comes first between two test calls', () => {
		const driver = opened();
		driver.wait(10 * MINUTE).turn(ok);
		expect(driver.chain()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 1 });
		scriptTests(driver, TWO);
		expect(modelIn(driver, ONE)).toBe(MINI);
		driver.breakers.adopt(TWO, [{ kind: 'succeeded', count: 1 }]);
		expect(driver.chain().state).toBe('closed');
	});

	it('says the preferred model at once when the operator wants a test call', () => {
		const driver = opened();
		driver.breakers.probeNow(driver.chain().id);
		expect(modelIn(driver, ONE)).toBe(SONNET);
	});

	it('says the fallback for as long as the operator holds on it, and the file changes once an hour', () => {
		const driver = opened();
		driver.breakers.hold(driver.chain().id, true);
		const files = new Set<string>();
		for (let minutes = 0; minutes < 300; minutes += 5) {
			expect(modelIn(driver, ONE)).toBe(MINI);
			files.add(JSON.stringify(driver.breakers.recordFor(ONE)));
			driver.wait(5 * MINUTE);
		}
		expect(files.size).toBeLessThanOrEqual(6);
	});
});

describe('whatever happens', () => {
	const step = fc.constantFrom('limited', 'wished', 'ok', 'loop', 'script', 'probe now', 'hold', 'release');
	const wait = fc.constantFrom(0, 1, 30_000, MINUTE, 9 * MINUTE, 10 * MINUTE, 11 * MINUTE, 61 * MINUTE);

	function run(driver: BreakersDriver, kind: string): void {
		const { id } = driver.chain();
		const choice = driver.choose();
		const ticket = choice?.kind === 'use' ? choice.ticket : null;
		if (kind === 'hold' || kind === 'release') driver.breakers.hold(id, kind === 'hold');
		else if (kind === 'probe now' && !driver.chain().held) driver.breakers.probeNow(id);
		else if (kind === 'loop') driver.current({ directory: ONE, caller: 'loop' });
		else if (kind === 'script' && modelIn(driver, TWO) === SONNET) {
			if (driver.chain().state !== 'closed') driver.breakers.adopt(TWO, [{ kind: 'probe-begun' }]);
		} else if (ticket !== null) {
			const outcomes = { limited: limited(), wished: limited(100 * MINUTE) };
			driver.breakers.settle(ticket, outcomes[kind as keyof typeof outcomes] ?? ok);
		}
	}

	it('scripts of at most one repository call a preferred model that is tested, and what is written is read the same', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(step, wait), { maxLength: 40, size: 'max' }), (steps) => {
				const driver = new BreakersDriver();
				driver.random = 0.37;
				for (const directory of [ONE, TWO]) driver.breakers.repository(directory, null);
				for (const [kind, ms] of steps) {
					run(driver.wait(ms), kind);
					const { probe, state, held } = driver.chain();
					const records = [ONE, TWO].map((directory) => driver.breakers.recordFor(directory));
					for (const record of records) {
						const bytes = printStateFile(record, null);
						expect(parseStateFile(bytes, driver.now)).toEqual({ ok: true, record, problems: [] });
					}
					const trying = [ONE, TWO].filter((directory) => modelIn(driver, directory) === SONNET);
					if (state === 'closed') expect(trying).toHaveLength(2);
					else if (held) expect(trying).toEqual([]);
					else if (probe !== null) expect(trying.length).toBeLessThanOrEqual(1);
					expect(records.filter((record) => record.state === 'half-open').length).toBeLessThanOrEqual(1);
				}
			}),
			{ numRuns: RUNS },
		);
	});
});
