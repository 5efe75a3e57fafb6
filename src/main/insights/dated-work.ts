/** Work as it was counted becomes work that can be added up: whose it was, and of which model what only others counted is. Pure. */
import { NO_USAGE, type UsageAmount } from '../../shared/usage-view.ts';
import { AmountSum } from './amount-sum.ts';
import type { DatedWork } from './usage-insights.ts';

/** What session files tell of one session with one model on one day. */
export interface ReadWork {
	readonly client: string;
	readonly sessionId: string;
	/** `null`: not told. */
	readonly directory: string | null;
	readonly model: string;
	readonly local: boolean;
	/** Local, `YYYY-MM-DD`. */
	readonly day: string;
	readonly amount: UsageAmount;
}

/** What of today's work of a session no file tells; its cost is below 0 where the file named a dearer model than answered. */
export interface BesideWork {
	readonly client: string;
	readonly sessionId: string;
	/** The agent's, as far as is known; empty: not known. */
	readonly model: string;
	readonly amount: UsageAmount;
}

export type Whose = Pick<DatedWork, 'agent' | 'repository'>;

export interface CountedWork {
	readonly read: Iterable<ReadWork>;
	readonly beside: Iterable<BesideWork>;
	/** Local, `YYYY-MM-DD`. */
	readonly today: string;
	readonly whose: (client: string, sessionId: string, directory: string) => Whose;
}

type ModelWork = Pick<DatedWork, 'model' | 'local' | 'amount'>;
type ModelSum = Pick<DatedWork, 'model' | 'local'> & { readonly sum: AmountSum };

/**
 * Beside work has no model of its own: it goes to the model that did most of the agent's work of today by its files, and
 * what was paid too much is taken from those models that seemed to cost it. A stamp later than today is today's.
 */
export function* datedWork({ read, beside, today, whose }: CountedWork): Generator<DatedWork> {
	const owners = new Map<string, Whose>();
	const ofSession = (client: string, sessionId: string, directory: string): Whose => {
		const key = `${client}\0${sessionId}`;
		const found = owners.get(key) ?? whose(client, sessionId, directory);
		owners.set(key, found);
		return found;
	};
	const readToday = new Map<string, Map<string, ModelSum>>();
	for (const { client, sessionId, directory, model, local, day: stamped, amount } of read) {
		const own = ofSession(client, sessionId, directory ?? '');
		const day = stamped > today ? today : stamped;
		if (day === today) {
			const models = readToday.get(own.agent.key) ?? new Map<string, ModelSum>();
			readToday.set(own.agent.key, models);
			const known = models.get(model) ?? { model, local, sum: new AmountSum() };
			models.set(model, known);
			known.sum.add(amount);
		}
		yield { day, model, local, amount, ...own };
	}
	for (const { client, sessionId, model, amount } of beside) {
		const own = ofSession(client, sessionId, '');
		const models = [...(readToday.get(own.agent.key)?.values() ?? [])].map(({ sum, ...rest }) => ({
			...rest,
			amount: sum.build(),
		}));
		const local = amount.localWork > 0 && amount.localWork === amount.work;
		for (const part of spread({ model, local, amount }, models)) yield { day: today, ...part, ...own };
	}
}

function spread(told: ModelWork, models: readonly ModelWork[]): ModelWork[] {
	const [first, ...rest] = models;
	if (first === undefined) return [told];
	const { model, local } = rest.reduce((most, one) => (isMore(one, most) ? one : most), first);
	const { amount } = told;
	const paid = models.reduce((sum, one) => sum + (one.amount.costUsd ?? 0), 0);
	if (amount.costUsd === null || amount.costUsd >= 0 || paid <= 0) return [{ model, local, amount }];
	const share = amount.costUsd / paid;
	return [
		{ model, local, amount: { ...amount, costUsd: null } },
		...models.map((one) => ({
			...one,
			amount: { ...NO_USAGE, costUsd: one.amount.costUsd === null ? null : one.amount.costUsd * share },
		})),
	];
}

function isMore(one: ModelWork, other: ModelWork): boolean {
	const more = one.amount.work - other.amount.work;
	return more > 0 || (more === 0 && one.model < other.model);
}
