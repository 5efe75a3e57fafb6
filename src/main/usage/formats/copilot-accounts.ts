/**
 * What Copilot CLI says was used, counted once. Since 1.0.9x it writes a record for every call
 * (`session.usage_record`); older versions tell only totals, when a run ends (`session.shutdown`). The totals stay, and
 * what they hold above the records counts as well. Measured: 1.0.48 totals each run anew; 1.0.71, 1.0.89 and 1.0.102 go on
 * from where a resumed session stood, and tell `totalNanoAiu` with it.
 */
import { z } from 'zod';
import { isObject, type JsonObject } from './json-values.ts';
import {
	addTotal,
	hasFallen,
	NO_TOTAL,
	stepOf,
	type TokenTotal,
	tokenTotal,
	tokenTotalSchema,
} from './token-total.ts';

const accountSchema = z.object({
	/** Counted so far, of the count that the totals are in. */
	counted: tokenTotalSchema,
	/** The part of it that records told since the last totals. */
	recorded: tokenTotalSchema,
	/** As the last totals told it. */
	total: tokenTotalSchema,
});
type Account = z.infer<typeof accountSchema>;

const NO_ACCOUNT: Account = { counted: NO_TOTAL, recorded: NO_TOTAL, total: NO_TOTAL };

export const accountsSchema = z.object({
	byModel: z.record(z.string(), accountSchema),
	/** The session was taken up again since the last totals. */
	isResumed: z.boolean(),
});
export type Accounts = z.infer<typeof accountsSchema>;

export const NO_ACCOUNTS: Accounts = { byModel: {}, isResumed: false };

/** A call was counted by its record. */
export function withRecord(accounts: Accounts, model: string, usage: TokenTotal): Accounts {
	const account = accountOf(accounts, model);
	return withAccount(accounts, model, {
		...account,
		counted: addTotal(account.counted, usage),
		recorded: addTotal(account.recorded, usage),
	});
}

export interface Settled {
	readonly accounts: Accounts;
	/** Of each model what the totals hold and no record told. */
	readonly rest: ReadonlyMap<string, TokenTotal>;
	/** Models whose counts were no numbers of tokens and were left out. */
	readonly invalid: number;
}

/** Totals were told (`modelMetrics`), by a version that goes on with them when a session is resumed, or by an older one. */
export function withTotals(accounts: Accounts, metrics: JsonObject, goesOn: boolean): Settled {
	const told = new Map<string, TokenTotal>();
	let invalid = 0;
	for (const [model, metric] of Object.entries(metrics)) {
		const total = totalIn(metric);
		if (total === null) invalid += 1;
		else told.set(model, total);
	}
	const beginsAnew = (accounts.isResumed && !goesOn) || hasLess(accounts, told, metrics);
	const rest = new Map<string, TokenTotal>();
	let settled: Accounts = { ...accounts, isResumed: false };
	for (const model of new Set([...Object.keys(accounts.byModel), ...told.keys()])) {
		const account = accountOf(accounts, model);
		const already = beginsAnew ? account.recorded : account.counted;
		const total = told.get(model) ?? (beginsAnew ? NO_TOTAL : account.total);
		const missing = stepOf(already, total);
		rest.set(model, missing);
		settled = withAccount(settled, model, {
			counted: addTotal(already, missing),
			recorded: NO_TOTAL,
			total,
		});
	}
	return { accounts: settled, rest, invalid };
}

/** A total that falls, or is gone, began anew. One that could not be read says nothing. */
function hasLess(accounts: Accounts, told: ReadonlyMap<string, TokenTotal>, metrics: JsonObject): boolean {
	return Object.entries(accounts.byModel).some(([model, { total }]) => {
		if (Object.hasOwn(metrics, model) && !told.has(model)) return false;
		return hasFallen(total, told.get(model) ?? NO_TOTAL);
	});
}

function accountOf({ byModel }: Accounts, model: string): Account {
	return (Object.hasOwn(byModel, model) ? byModel[model] : undefined) ?? NO_ACCOUNT;
}

function withAccount(accounts: Accounts, model: string, account: Account): Accounts {
	// Models are named by other people: one may be called like a property that every object has.
	const others = Object.entries(accounts.byModel).filter(([name]) => name !== model);
	return { ...accounts, byModel: Object.fromEntries([...others, [model, account]]) };
}

function totalIn(metric: unknown): TokenTotal | null {
	const usage = isObject(metric) ? metric.usage : null;
	return isObject(usage) ? usageTold(usage) : null;
}

/** Of a call or of a total: `inputTokens` includes the cache, `outputTokens` the reasoning, whatever the provider. */
export function usageTold(usage: JsonObject): TokenTotal | null {
	return tokenTotal({
		input: usage.inputTokens,
		cacheRead: usage.cacheReadTokens,
		cacheWritten: usage.cacheWriteTokens,
		output: usage.outputTokens,
	});
}
