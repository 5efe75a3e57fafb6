/** What was spent, by day, agent, repository and model. Pure: every way of adding up gives the same sum. */
import type { Insights } from '../../shared/insights-view.ts';
import type { UsageAmount } from '../../shared/usage-view.ts';
import { AmountSum } from './amount-sum.ts';

/** Work of one session with one model on one day. */
export interface DatedWork {
	/** Local, `YYYY-MM-DD`. */
	readonly day: string;
	readonly model: string;
	readonly local: boolean;
	readonly agent: {
		readonly key: string;
		readonly name: string;
		readonly client: string;
		readonly directory: string;
	};
	readonly repository: { readonly path: string; readonly name: string };
	readonly amount: UsageAmount;
}

/** `days`: every day of the time, oldest first; work of other days is left out. */
export function usageInsights(
	work: Iterable<DatedWork>,
	days: readonly string[],
	notes: readonly string[],
): Insights['usage'] {
	const byDay = new Map(days.map((day) => [day, new AmountSum()]));
	const agents = new Groups<DatedWork['agent']>();
	const repositories = new Groups<DatedWork['repository']>();
	const models = new Groups<{ readonly model: string }>();
	const localModels = new Set<string>();
	for (const { day, model, local, agent, repository, amount } of work) {
		const sum = byDay.get(day);
		if (sum === undefined) continue;
		sum.add(amount);
		agents.add(agent.key, agent, amount);
		repositories.add(repository.path, repository, amount);
		models.add(model, { model }, amount);
		if (local) localModels.add(model);
	}
	return {
		days: [...byDay].map(([day, sum]) => ({ day, amount: sum.build() })),
		agents: agents.sorted(),
		repositories: repositories.sorted(),
		models: models.sorted().map((row) => ({ ...row, local: localModels.has(row.model) })),
		notes: [...notes],
	};
}

class Groups<T> {
	readonly #groups = new Map<string, { readonly head: T; readonly sum: AmountSum }>();

	add(key: string, head: T, amount: UsageAmount): void {
		const group = this.#groups.get(key) ?? { head, sum: new AmountSum() };
		this.#groups.set(key, group);
		group.sum.add(amount);
	}

	/** The dearest first; of those without a price the most work. Who did nothing is left out. */
	sorted(): (T & { amount: UsageAmount })[] {
		return [...this.#groups]
			.map(([key, { head, sum }]) => ({ key, head, amount: sum.build() }))
			.filter(({ amount }) => !isNone(amount))
			.sort(
				(one, other) =>
					(other.amount.costUsd ?? 0) - (one.amount.costUsd ?? 0) ||
					other.amount.work - one.amount.work ||
					(one.key < other.key ? -1 : 1),
			)
			.map(({ head, amount }) => ({ ...head, amount }));
	}
}

function isNone({ work, cacheRead, costUsd }: UsageAmount): boolean {
	return work === 0 && cacheRead === 0 && (costUsd ?? 0) === 0;
}
