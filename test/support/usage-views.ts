/** Usage of agents and of the floor, for tests that are about something else. */
import { type FloorUsage, NO_USAGE, type UsageView } from '../../src/shared/usage-view.ts';

export function usageView(part: Partial<UsageView> = {}): UsageView {
	return {
		...NO_USAGE,
		asOf: 0,
		source: 'transcript',
		otherCounts: [],
		today: null,
		week: null,
		...part,
	};
}

export function floorUsage(part: Partial<FloorUsage> = {}): FloorUsage {
	return {
		asOf: 0,
		session: NO_USAGE,
		today: null,
		week: null,
		dayStartedAt: 0,
		weekStartedAt: 0,
		programs: [],
		reading: null,
		problems: [],
		...part,
	};
}
