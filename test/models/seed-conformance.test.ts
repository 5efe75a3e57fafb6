/**
 * Our machine beside the seed's own functions, over the same traces: one loop that asks for the model, calls it and tells
 * how it went, as the seed's loops do. After every step the model and every field are compared. Whatever differs must be
 * one of the intended differences below, and each of them must occur. After a difference the seed's file is set to ours,
 * so that the next one is seen by itself.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StateRecord } from '../../src/main/models/state-record.ts';
import type { ModelChainView, ModelReport } from '../../src/shared/models-view.ts';
import { BreakersDriver, MINUTE, START } from './breakers-driver.ts';
import { SeedBreaker, type SeedRecord } from './seed-port.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

type Outcome = 'success' | 'limit' | 'limit with a wish' | 'other failure';
type Step =
	| { readonly kind: 'call'; readonly outcome: Outcome }
	/** Only the preferred model is limited, its fallbacks answer. */
	| { readonly kind: 'call while only the preferred model is limited' }
	| { readonly kind: 'ask' }
	| { readonly kind: 'wait'; readonly ms: number };

/** What can be compared: the seed's fields, times in ms, and the model that was handed out. */
interface Picture {
	readonly model: string | null | undefined;
	readonly state: string;
	readonly preferredModel: string;
	readonly fallbackChain: string;
	readonly currentFallbackIndex: number;
	readonly cooldownMinutes: number;
	readonly openedAt: number | null;
	readonly halfOpenSuccesses: number;
	readonly consecutiveFailures: number;
	readonly totalFallbacks: number;
	readonly totalRecoveries: number;
	readonly lastFallbackAt: number | null;
	readonly lastRecoveryAt: number | null;
}

interface Moment {
	/** What was just done: the loop asked for a model, or told an outcome. */
	readonly deed: 'ask' | Outcome;
	readonly now: number;
	readonly before: Picture;
	readonly seed: Picture;
	readonly ours: Picture;
	readonly view: ModelChainView;
}

interface Difference {
	readonly why: string;
	/** The fields that it accounts for at this moment; none where it does not apply. */
	readonly fields: (moment: Moment) => readonly (keyof Picture)[];
}

const restsAt = ({ view }: Moment, index: number): boolean => view.models[index + 1]?.state === 'limited';

const aSuccessIsSaved: Difference = {
	why: 'S6: the seed sets consecutiveFailures to 0 while closed or open and forgets to save it',
	fields: ({ deed, ours, seed }) =>
		deed === 'success' && ours.consecutiveFailures === 0 && seed.consecutiveFailures > 0
			? ['consecutiveFailures']
			: [],
};

/** With `cooldownResetBy: 'any'` and without jitter. */
const intended: Readonly<Record<string, Difference>> = {
	'a success is saved in every state': aSuccessIsSaved,
	'another failure is no success': {
		why: "S3: the seed's simple loop reports whatever is not a rate limit as a success, which closes the circuit",
		fields: ({ deed, before, ours, seed }) =>
			deed === 'other failure' ? differing(ours, seed).filter((field) => ours[field] === before[field]) : [],
	},
	'a wish is a floor under the cooldown': {
		why: 'S7: the seed ignores Retry-After and asks again after 10 minutes',
		fields: ({ deed, now, ours, seed, view }) =>
			deed === 'ask' && seed.state === 'half-open' && ours.state === 'open' && (view.resumeAt ?? 0) > now
				? ['state', 'model']
				: [],
	},
	'a chain that is limited as a whole has no model': {
		why: 'S2: the seed hands out a limited model, and its loop asks again without a pause',
		fields: ({ deed, ours }) => (deed === 'ask' && ours.model === null ? ['model'] : []),
	},
	'a limited fallback rests': {
		why: 'the seed hands the last fallback out again at once, and the first one after each test that fails',
		fields: (moment) =>
			restsAt(moment, moment.seed.currentFallbackIndex) ? ['currentFallbackIndex', 'model'] : [],
	},
};

/** What the default adds to it. */
const byPreferredOnly: Readonly<Record<string, Difference>> = {
	...intended,
	'a limited fallback does not put off the test': {
		why: 'S1: the seed starts the cooldown anew with each limit of a fallback, so the preferred model is never tested again',
		fields: ({ deed, before, ours, seed }) =>
			deed.startsWith('limit') && ours.openedAt === before.openedAt && seed.state === 'open'
				? ['openedAt']
				: [],
	},
};

function differing(one: Picture, other: Picture): (keyof Picture)[] {
	return (Object.keys(one) as (keyof Picture)[]).filter((field) => one[field] !== other[field]);
}

/** The machine's own state: the file says what makes scripts do right beside other repositories. */
function recordOf(chain: ModelChainView): StateRecord {
	const { state, preferredModel, fallbackChain, currentFallbackIndex, cooldownMinutes } = chain;
	const { openedAt, halfOpenSuccesses, consecutiveFailures, metrics, resumeAt } = chain;
	return {
		state,
		preferredModel,
		fallbackChain,
		currentFallbackIndex,
		cooldownMinutes,
		openedAt,
		halfOpenSuccesses,
		consecutiveFailures,
		metrics,
		resumeAt,
	};
}

function pictureOf(record: StateRecord, model: string | null | undefined): Picture {
	const { metrics, resumeAt: _ours, fallbackChain, ...fields } = record;
	return { ...fields, ...metrics, fallbackChain: fallbackChain.join(), model };
}

function seedPictureOf(file: SeedRecord, model: string | null | undefined): Picture {
	const { metrics, openedAt, fallbackChain, state, ...fields } = file;
	const time = (text: string | null) => (text === null ? null : Date.parse(text));
	return {
		...fields,
		state,
		fallbackChain: fallbackChain.join(),
		openedAt: time(openedAt),
		totalFallbacks: metrics.totalFallbacks,
		totalRecoveries: metrics.totalRecoveries,
		lastFallbackAt: time(metrics.lastFallbackAt),
		lastRecoveryAt: time(metrics.lastRecoveryAt),
		model,
	};
}

function seedRecordOf(record: StateRecord): SeedRecord {
	const text = (at: number | null) => (at === null ? null : new Date(at).toISOString());
	const { resumeAt: _ours, fallbackChain, openedAt, metrics, ...fields } = record;
	return {
		...fields,
		fallbackChain: [...fallbackChain],
		openedAt: text(openedAt),
		metrics: {
			...metrics,
			lastFallbackAt: text(metrics.lastFallbackAt),
			lastRecoveryAt: text(metrics.lastRecoveryAt),
		},
	};
}

const reports: Readonly<Record<Outcome, Pick<ModelReport, 'outcome' | 'retryAfterMs'>>> = {
	success: { outcome: 'success' },
	limit: { outcome: 'rate-limit' },
	'limit with a wish': { outcome: 'rate-limit', retryAfterMs: 25 * MINUTE },
	'other failure': { outcome: 'other' },
};

/** One loop, and told to be one: the seed's function may be called twice before it reports. */
const loop = { caller: 'ralph' };

/** Both machines, side by side. */
class SideBySide {
	readonly occurred = new Set<string>();
	readonly #differences: Readonly<Record<string, Difference>>;
	readonly #ours: BreakersDriver;
	readonly #seed = new SeedBreaker();

	constructor(cooldownResetBy: 'any' | 'preferred', differences: Readonly<Record<string, Difference>>) {
		this.#differences = differences;
		this.#ours = new BreakersDriver({ cooldownResetBy });
		this.#seed.now = START;
	}

	do(step: Step): void {
		if (step.kind === 'wait') {
			this.#ours.wait(step.ms);
			this.#seed.now += step.ms;
			return;
		}
		const model = this.#ask();
		// Where there is no model, our loop makes no call.
		if (model === null || step.kind === 'ask') return;
		const isPreferred = model === this.#seed.file.preferredModel;
		this.#tell(step.kind === 'call' ? step.outcome : isPreferred ? 'limit' : 'success');
	}

	#ask(): string | null {
		const before = this.#picture();
		const model = this.#ours.current(loop);
		this.#compare('ask', before, model, this.#seed.getCurrentModel());
		return model;
	}

	#tell(outcome: Outcome): void {
		const before = this.#picture();
		if (outcome.startsWith('limit')) this.#seed.updateCircuitBreakerOnRateLimit();
		else this.#seed.updateCircuitBreakerOnSuccess();
		this.#ours.report(reports[outcome].outcome, { ...loop, ...reports[outcome] });
		this.#compare(outcome, before, null, null);
	}

	#picture(): Picture {
		return pictureOf(recordOf(this.#ours.chain()), null);
	}

	#compare(
		deed: Moment['deed'],
		before: Picture,
		model: string | null,
		seedModel: string | null | undefined,
	): void {
		const record = recordOf(this.#ours.chain());
		const moment: Moment = {
			deed,
			now: this.#ours.now,
			before,
			seed: seedPictureOf(this.#seed.file, seedModel),
			ours: pictureOf(record, model),
			view: this.#ours.chain(),
		};
		const open = new Set(differing(moment.ours, moment.seed));
		for (const [name, { fields }] of Object.entries(this.#differences)) {
			for (const field of fields(moment)) if (open.delete(field)) this.occurred.add(name);
		}
		expect({ deed, unexplained: [...open], of: open.size > 0 ? moment : null }).toEqual({
			deed,
			unexplained: [],
			of: null,
		});
		this.#seed.saveCircuitBreakerState(seedRecordOf(record));
	}
}

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc
			.constantFrom<Outcome>('success', 'success', 'limit', 'limit', 'limit with a wish', 'other failure')
			.map((outcome) => ({ kind: 'call' as const, outcome })),
	},
	{ weight: 1, arbitrary: fc.constant({ kind: 'ask' as const }) },
	{
		weight: 3,
		arbitrary: fc
			.constantFrom(
				1,
				1_000,
				MINUTE - 1,
				MINUTE,
				2 * MINUTE,
				9 * MINUTE,
				10 * MINUTE,
				11 * MINUTE,
				600 * MINUTE,
			)
			.map((ms) => ({ kind: 'wait' as const, ms })),
	},
);

/** Shows every intended difference, so that none is missed by chance. */
const everyDifference: Step[] = [
	{ kind: 'call', outcome: 'limit' },
	{ kind: 'call', outcome: 'limit' },
	{ kind: 'wait', ms: MINUTE - 1 },
	{ kind: 'call', outcome: 'limit' },
	{ kind: 'ask' },
	{ kind: 'wait', ms: 1 },
	{ kind: 'call', outcome: 'success' },
	{ kind: 'wait', ms: 600 * MINUTE },
	{ kind: 'call', outcome: 'other failure' },
	{ kind: 'call', outcome: 'limit with a wish' },
	{ kind: 'wait', ms: 10 * MINUTE },
	{ kind: 'ask' },
];

describe.each([
	{ cooldownResetBy: 'any' as const, differences: intended },
	{ cooldownResetBy: 'preferred' as const, differences: byPreferredOnly },
])("beside the seed's functions, cooldownResetBy $cooldownResetBy", ({ cooldownResetBy, differences }) => {
	it('differs only where it is meant to, and there it does', () => {
		const occurred = new Set<string>();
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
				const pair = new SideBySide(cooldownResetBy, differences);
				for (const one of steps) pair.do(one);
				for (const name of pair.occurred) occurred.add(name);
			}),
			{ numRuns: RUNS, examples: [[everyDifference]] },
		);
		expect([...occurred].sort()).toEqual(Object.keys(differences).sort());
	});
});

describe('while only the preferred model is limited, without wishes', () => {
	it('is the seed to the letter, but for what the seed forgets to save', () => {
		const name = 'a success is saved in every state';
		const plain = fc.oneof<fc.Arbitrary<Step>[]>(
			fc.constant<Step>({ kind: 'call', outcome: 'success' }),
			fc.constant<Step>({ kind: 'call while only the preferred model is limited' }),
			fc.constant<Step>({ kind: 'ask' }),
			fc.constant<Step>({ kind: 'wait', ms: MINUTE }),
			fc.constant<Step>({ kind: 'wait', ms: 10 * MINUTE }),
		);
		fc.assert(
			fc.property(fc.array(plain, { maxLength: 40, size: 'max' }), (steps) => {
				const pair = new SideBySide('any', { [name]: aSuccessIsSaved });
				for (const one of steps) pair.do(one);
			}),
			{ numRuns: RUNS },
		);
	});
});
