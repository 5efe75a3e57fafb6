/** Everything that answers about the past, together: timelines, insights, incidents, and last night under other settings. */
import type { Floor } from '../floor/floor.ts';
import type { Repositories } from '../machine/repositories.ts';
import type { WorkTreeScanner } from '../machine/work-tree.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { SettingsFile } from '../store/settings-file.ts';
import { createIncidentHandlers, type IncidentHandlers } from './incident-handlers.ts';
import { createInsightsHandlers, type InsightsHandlers } from './insights-handlers.ts';
import { InsightsPart } from './insights-part.ts';
import { createPreviewHandlers, type PreviewHandlers } from './preview-handlers.ts';
import { PreviewPart } from './preview-part.ts';
import { createTimelineHandlers, type TimelineHandlers } from './timeline-handlers.ts';
import { TimelinePart } from './timeline-part.ts';
import type { UsageParts } from './usage-parts.ts';

export interface LookingBackOptions {
	readonly floor: Floor;
	readonly store: FloorStore;
	readonly settings: SettingsFile;
	readonly usage: UsageParts;
	readonly repositories: Repositories;
	readonly workTrees: WorkTreeScanner;
	readonly now: () => number;
	readonly onError: (where: string, error: unknown) => void;
}

export interface LookingBack {
	/** What is kept of agents as it happens. */
	readonly timeline: TimelinePart;
	readonly handlers: TimelineHandlers & InsightsHandlers & IncidentHandlers & PreviewHandlers;
}

export function createLookingBack(options: LookingBackOptions): LookingBack {
	const { floor, store, settings, usage, repositories, workTrees, now, onError } = options;
	const timeline = new TimelinePart({
		floor,
		store,
		retention: () => settings.current.retention,
		onError,
	});
	const insights = new InsightsPart({
		floor,
		store,
		now,
		repositoryOf: (directory) => repositories.of(directory),
		workSince: (day) => usage.workSince(day),
	});
	const preview = new PreviewPart({
		floor,
		store,
		now,
		settings: () => settings.current,
		wouldBe: (patch) => settings.wouldBe(patch),
		responsesSince: (at) => usage.responsesSince(at),
	});
	return {
		timeline,
		handlers: {
			...createTimelineHandlers({
				floor,
				now,
				page: (agentId, before, limit) => timeline.page(agentId, before, limit),
				modelsOf: (agent) => usage.modelsOf(agent),
				workTrees,
			}),
			...createInsightsHandlers(insights),
			...createIncidentHandlers({ incidents: floor.incidents, store, now }),
			...createPreviewHandlers(preview),
		},
	};
}
