/** The gauges of one agent's arms. A gauge keeps its identity while it says the same, and so does the list. */
import type { ArmGauge } from '../../../shared/breaker-state.ts';
import { tripArmSchema } from '../../../shared/words.ts';

const POSITION = new Map(tripArmSchema.options.map((arm, position) => [arm, position]));

export class GaugeSheet {
	#gauges: readonly ArmGauge[] = [];
	#next: ArmGauge[] | null = null;

	/** All arms that were read, in the order of the schema. */
	get gauges(): readonly ArmGauge[] {
		if (this.#next) this.#gauges = this.#next;
		this.#next = null;
		return this.#gauges;
	}

	/** True when this reading trips: over the limit, and nothing excuses it. */
	put(
		arm: ArmGauge['arm'],
		counted: string,
		count: number | null,
		limit: number | null,
		unit: string,
		note = '',
	): boolean {
		const position = POSITION.get(arm) ?? 0;
		const known = (this.#next ?? this.#gauges)[position];
		const isSame =
			known !== undefined &&
			known.count === count &&
			known.limit === limit &&
			known.note === note &&
			known.counted === counted &&
			known.unit === unit;
		if (!isSame) this.#set(position, { arm, counted, count, limit, unit, note });
		if (count === null || limit === null || note !== '') return false;
		return arm === 'no-progress' ? count >= limit : count > limit;
	}

	/** A gauge that several agents share. */
	share(gauge: ArmGauge): void {
		const position = POSITION.get(gauge.arm) ?? 0;
		if ((this.#next ?? this.#gauges)[position] !== gauge) this.#set(position, gauge);
	}

	#set(position: number, gauge: ArmGauge): void {
		this.#next ??= [...this.#gauges];
		this.#next[position] = gauge;
	}
}
