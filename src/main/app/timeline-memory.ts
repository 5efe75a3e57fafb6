/** The last records of played agents, whose events no store keeps: a demo has a timeline, too. */
import type { TimelineRecord } from '../timeline/timeline-record.ts';

/** Records of one agent; older ones make room. */
const MOST_RECORDS = 1_000;
const MOST_AGENTS = 50;

export class TimelineMemory {
	/** By agent, the one heard of longest ago first. */
	readonly #records = new Map<string, TimelineRecord[]>();
	#serial = 0;

	/** `make` gets an id that is unique here. */
	add(agentId: string, make: (id: string) => TimelineRecord): void {
		const records = this.#records.get(agentId) ?? [];
		this.#records.delete(agentId);
		this.#records.set(agentId, records);
		this.#serial += 1;
		records.push(make(`memory ${String(this.#serial).padStart(9, '0')}`));
		if (records.length > MOST_RECORDS) records.shift();
		const [oldest] = this.#records.keys();
		if (this.#records.size > MOST_AGENTS && oldest !== undefined) this.#records.delete(oldest);
	}

	of(agentId: string): readonly TimelineRecord[] {
		return this.#records.get(agentId) ?? [];
	}

	forget(agentId: string): void {
		this.#records.delete(agentId);
	}
}
