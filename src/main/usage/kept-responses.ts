/** What a floor has counted of session files, as its store has it: for whoever looks at it without that floor. */
import { priceUsd } from './prices.ts';
import { type HeardResponse, responsesSince } from './usage-answers.ts';
import { USAGE_LAYOUT, UsageMemory } from './usage-memory.ts';
import type { EvidenceStore, UsageStore } from './usage-store.ts';

/** From that time (ms) on, in no order. `null`: it is kept by another version, or damaged. The store is one to read. */
export async function keptResponses(
	store: UsageStore & Pick<EvidenceStore, 'localModels'>,
	since: number,
): Promise<HeardResponse[] | null> {
	const layout = store.layout();
	if (layout !== USAGE_LAYOUT) return layout === null ? [] : null;
	const memory = new UsageMemory(store, priceUsd);
	await memory.takeBack();
	if (memory.problems.length > 0) return null;
	const { book, ledger } = memory;
	const local = new Set(store.localModels());
	return [...responsesSince({ book, ledger, isLocal: (model) => local.has(model) }, since)];
}
