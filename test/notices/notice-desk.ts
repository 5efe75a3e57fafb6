/** A planner at work: what it told, what stands on the screen, what a restart would remember. */
import type { NoticeFloor } from '../../src/main/notices/matters.ts';
import { type NoticePlan, NoticePlanner } from '../../src/main/notices/notice-planner.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import type { AskingFloor } from '../../src/shared/attention.ts';
import type { Notice } from '../../src/shared/notice.ts';
import { defaultSettings, type Settings } from '../../src/shared/settings.ts';
import type { Incident } from '../../src/shared/snapshot.ts';
import { agent, NOON, needyAgent } from '../desktop/floor-fixture.ts';

export const MINUTE = 60_000;

export type Rules = Settings['notifications'];

export function rules(changes: Partial<Rules> = {}): Rules {
	return { ...defaultSettings.notifications, ...changes };
}

/** An agent that asks since then. */
export function asking(id: string, since = NOON, changes: Partial<AgentView> = {}): AgentView {
	const reason = 'may it run Bash?';
	return needyAgent(id, {
		state: { kind: 'waiting', reason, needsYou: true, since, lastHeardAt: since },
		...changes,
	});
}

/** An agent whose turn ended then. */
export function resting(id: string, since = NOON, changes: Partial<AgentView> = {}): AgentView {
	const reason = 'finished its turn';
	return agent(id, {
		state: { kind: 'waiting', reason, needsYou: false, since, lastHeardAt: since },
		...changes,
	});
}

/** `turns`: [started, ended] by agent id. */
export function seen(
	floor: Partial<AskingFloor>,
	turns: Readonly<Record<string, readonly [number, number]>> = {},
): NoticeFloor {
	const ended = Object.entries(turns).map(
		([id, [startedAt, endedAt]]) => [id, { startedAt, endedAt }] as const,
	);
	return { agents: [], incidents: [], endedTurns: new Map(ended), ...floor };
}

export class NoticeDesk {
	rules: Rules;
	now: number;
	/** Occurrence → when it was told: what the store keeps. */
	readonly kept: Map<string, number>;
	/** What stands on a screen, by key. */
	readonly screen = new Map<string, Notice>();
	/** Everything that was shown, oldest first. */
	readonly shown: Notice[] = [];
	/** Occurrences in the order in which they were told. */
	readonly told: string[] = [];
	last: NoticePlan | null = null;
	#planner: NoticePlanner;

	constructor(
		options: { rules?: Partial<Rules>; now?: number; kept?: Iterable<readonly [string, number]> } = {},
	) {
		this.rules = rules(options.rules);
		this.now = options.now ?? NOON;
		this.kept = new Map(options.kept ?? []);
		this.#planner = this.#planning([]);
	}

	/** Plans, some ms later. Returns the titles of what is shown now. */
	see(floor: NoticeFloor, laterMs = 0): string[] {
		this.now += laterMs;
		const plan = this.#planner.plan(floor, this.rules, this.now);
		this.last = plan;
		for (const key of plan.withdraw) this.screen.delete(key);
		for (const notice of plan.show) {
			this.screen.set(notice.key, notice);
			this.shown.push(notice);
		}
		for (const occurrence of plan.told) this.kept.set(occurrence, this.now);
		for (const occurrence of plan.forgotten) this.kept.delete(occurrence);
		this.told.push(...plan.told);
		return plan.show.map(({ title }) => title);
	}

	/** Until nothing is due any more: what a timer does. */
	settle(floor: NoticeFloor, horizonMs = 10 * MINUTE): string[] {
		const titles = this.see(floor);
		const end = this.now + horizonMs;
		for (
			let at = this.last?.askAgainAt ?? null;
			at !== null && at <= end;
			at = this.last?.askAgainAt ?? null
		) {
			titles.push(...this.see(floor, at - this.now));
		}
		return titles;
	}

	fail(key: string): void {
		for (const occurrence of this.#planner.notShown(key, this.now)) this.kept.delete(occurrence);
		this.screen.delete(key);
	}

	/** The floor went down and came back. `open`: the incidents that it left open. */
	restart(open: readonly Incident[] = []): void {
		this.#planner = this.#planning(open);
	}

	/** Titles of what stands on the screen. */
	titles(): string[] {
		return [...this.screen.values()].map(({ title }) => title);
	}

	#planning(openIncidents: readonly Incident[]): NoticePlanner {
		return new NoticePlanner({ told: new Map(this.kept), openIncidents, startedAt: this.now });
	}
}
