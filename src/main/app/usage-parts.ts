/** The figures of the whole floor, added up from those who know a part. */
import { type FloorUsage, NO_USAGE, type UsageAmount } from '../../shared/usage-view.ts';
import type { Floor } from '../floor/floor.ts';
import { startOfDay, startOfWeek } from '../usage/periods.ts';

export interface UsagePartsOptions {
	readonly floor: Floor;
	readonly now: () => number;
}

export class UsageParts {
	readonly #options: UsagePartsOptions;

	constructor(options: UsagePartsOptions) {
		this.#options = options;
	}

	view(): FloorUsage {
		const { floor, now } = this.#options;
		const at = now();
		const present = floor.agents().flatMap(({ usage }) => usage ?? []);
		return {
			asOf: present.reduce((newest, { asOf }) => Math.max(newest, asOf), 0),
			session: present.reduce(addAmounts, NO_USAGE),
			today: null,
			week: null,
			dayStartedAt: startOfDay(at),
			weekStartedAt: startOfWeek(at),
			programs: [],
			reading: null,
			problems: [],
		};
	}
}

function addAmounts(a: UsageAmount, b: UsageAmount): UsageAmount {
	return {
		input: a.input + b.input,
		output: a.output + b.output,
		cacheRead: a.cacheRead + b.cacheRead,
		cacheCreation: a.cacheCreation + b.cacheCreation,
		work: a.work + b.work,
		localWork: a.localWork + b.localWork,
		costUsd: a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0),
		unpricedModels: [...new Set([...a.unpricedModels, ...b.unpricedModels])].sort(),
	};
}
