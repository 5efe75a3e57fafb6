/** What a timeline is folded from: what the store, or memory, has kept of one agent. */
import type { Evidence } from '../../shared/breaker-state.ts';
import type { TimelineEntry, TurnModel } from '../../shared/timeline.ts';
import type { BreakerLevel } from '../../shared/words.ts';
import type { FloorEvent } from '../floor/events.ts';

type OrderEntry = Extract<TimelineEntry, { kind: 'order' }>;

interface Kept {
	/** Stable over reads, unique among the records of an agent. */
	readonly id: string;
	/** Floor clock, ms. */
	readonly at: number;
}

export type TimelineRecord = Kept &
	(
		| { readonly kind: 'event'; readonly event: FloorEvent }
		| {
				readonly kind: 'level';
				readonly from: BreakerLevel;
				readonly to: BreakerLevel;
				readonly reason: string;
				readonly evidence: Evidence | null;
		  }
		| { readonly kind: 'order'; readonly action: OrderEntry['action']; readonly words: string }
		/** As the history words it: "queued: …", "delivered: …". */
		| { readonly kind: 'note'; readonly delivered: boolean; readonly text: string }
		| { readonly kind: 'denial'; readonly tool: string; readonly reason: string }
		| { readonly kind: 'trouble'; readonly text: string }
		/** From then on this model answers. */
		| { readonly kind: 'model'; readonly model: TurnModel }
	);
