/** The machine-wide state as it is kept: every part is read by itself, so that one bad part costs one part. */
import { z } from 'zod';
import { circuitMetricsSchema, circuitStateSchema } from '../../shared/models-view.ts';
import { MAX_RETRY_AFTER_MS } from '../../shared/retry-after.ts';
import { timestampSchema } from '../../shared/words.ts';
import type { HandedModel } from './callers.ts';
import type { ChainEntry } from './chain-book.ts';
import type { ModelLimit } from './limits.ts';
import type { Circuit } from './model-breaker.ts';
import { LONGEST_COOLDOWN_MINUTES } from './model-chain.ts';
import type { Probe } from './probes.ts';

const name = z.string();
const account = name.nullable();
const count = z.number().int().nonnegative();
const said = z.string();

const savedChainSchema = z.object({
	id: name,
	source: z.enum(['settings', 'repository', 'seen']),
	chain: z.object({
		provider: account,
		preferredModel: name,
		fallbackChain: z.array(name),
		cooldownMinutes: z.number().positive().max(LONGEST_COOLDOWN_MINUTES),
	}),
	circuit: z.object({
		state: circuitStateSchema,
		currentFallbackIndex: count,
		openedAt: timestampSchema.nullable(),
		halfOpenSuccesses: count,
		consecutiveFailures: count,
		metrics: circuitMetricsSchema,
		notBefore: timestampSchema.nullable(),
		jitterMs: z.number().min(0).max(60_000),
		testsNow: z.boolean(),
		hold: z.object({ from: z.enum(['closed', 'limited']) }).nullable(),
	}),
	era: count,
	counted: z.array(count).default([]),
	because: z.object({ said, provider: account }),
});

const limitSchema = z.object({
	account,
	model: name,
	at: timestampSchema,
	until: timestampSchema,
	count: count.min(1),
	serial: count,
	said,
});
const spendSchema = z.object({ account, model: name, at: timestampSchema, said });
const unservedSchema = z.object({ provider: name, model: name, until: timestampSchema, said });
const probeSchema = z.object({
	account,
	model: name,
	serial: count,
	holder: z.string(),
	caller: name.nullable(),
	since: timestampSchema,
	until: timestampSchema,
});
const callerSchema = z.tuple([
	name,
	z.object({ chainId: name.nullable(), model: name, serial: count, isProbe: z.boolean() }),
]);
const repositorySchema = z.tuple([name, z.object({ chainId: name.nullable() })]);

const frameSchema = z.object({
	version: z.literal(1),
	serial: count,
	chains: z.array(z.unknown()),
	limits: z.array(z.unknown()),
	spends: z.array(z.unknown()),
	unserved: z.array(z.unknown()),
	probes: z.array(z.unknown()),
	callers: z.array(z.unknown()),
	repositories: z.array(z.unknown()),
});

export interface SavedBook {
	readonly version: 1;
	readonly serial: number;
	readonly chains: readonly z.infer<typeof savedChainSchema>[];
	readonly limits: readonly ModelLimit[];
	readonly spends: readonly z.infer<typeof spendSchema>[];
	readonly unserved: readonly z.infer<typeof unservedSchema>[];
	readonly probes: readonly Probe[];
	readonly callers: readonly (readonly [string, HandedModel])[];
	readonly repositories: readonly (readonly [string, { readonly chainId: string | null }])[];
}

export function savedChain({
	id,
	source,
	chain,
	circuit,
	era,
	counted,
	because,
}: ChainEntry): SavedBook['chains'][number] {
	return {
		id,
		source,
		chain: { ...chain, fallbackChain: [...chain.fallbackChain] },
		circuit: { ...circuit },
		era,
		counted: [...counted],
		because,
	};
}

/** What could be read, made plausible for `now`; and what could not, in sentences. */
export function readSavedBook(
	saved: unknown,
	now: number,
): { readonly book: SavedBook | null; readonly problems: string[] } {
	if (saved === null || saved === undefined) return { book: null, problems: [] };
	const frame = frameSchema.safeParse(saved);
	if (!frame.success) {
		return {
			book: null,
			problems: [
				'The saved state of the model breakers cannot be read: every chain starts closed, on its preferred model.',
			],
		};
	}
	const problems: string[] = [];
	const read = <T>(parts: readonly unknown[], schema: z.ZodType<T>, what: string): T[] =>
		parts.flatMap((part) => {
			const parsed = schema.safeParse(part);
			if (parsed.success) return [parsed.data];
			problems.push(what);
			return [];
		});
	const { data } = frame;
	const book: SavedBook = {
		version: 1,
		serial: data.serial,
		chains: read(
			data.chains,
			savedChainSchema,
			'A saved model chain cannot be read: it starts closed, on its preferred model.',
		).map((chain) => ({ ...chain, circuit: plausibleCircuit(chain.circuit, now) })),
		limits: read(
			data.limits,
			limitSchema,
			'A saved rate limit cannot be read: that model is asked again.',
		).map((limit) => plausibleLimit(limit, now)),
		spends: read(
			data.spends,
			spendSchema,
			'A saved spending limit cannot be read: the next refusal shows it.',
		),
		unserved: read(
			data.unserved,
			unservedSchema,
			'A saved note that a model is not served cannot be read: it is tried again.',
		).map((fact) => ({ ...fact, until: Math.min(fact.until, now + MAX_RETRY_AFTER_MS) })),
		probes: read(data.probes, probeSchema, 'A saved test call cannot be read: another one is made.'),
		callers: read(
			data.callers,
			callerSchema,
			'It cannot be read which model a loop was given: its next report counts for the model in use.',
		),
		repositories: read(
			data.repositories,
			repositorySchema,
			'A saved repository cannot be read: its state file is read again when it is used.',
		),
	};
	return { book, problems: [...new Set(problems)] };
}

/** Open since never, or since a time to come, counts from now; no wish reaches further than wishes can. */
function plausibleCircuit(circuit: Circuit, now: number): Circuit {
	const { state, openedAt, notBefore } = circuit;
	if (state === 'closed') return { ...circuit, openedAt: null, hold: null };
	return {
		...circuit,
		openedAt: openedAt === null || openedAt > now ? now : openedAt,
		notBefore: notBefore === null ? null : Math.min(notBefore, now + MAX_RETRY_AFTER_MS),
	};
}

function plausibleLimit(limit: ModelLimit, now: number): ModelLimit {
	return { ...limit, at: Math.min(limit.at, now), until: Math.min(limit.until, now + MAX_RETRY_AFTER_MS) };
}
