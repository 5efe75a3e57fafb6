/**
 * Which desktop notifications are due. One for each time that something begins to need the operator; none for what was
 * so when the floor started, none while they are looking, none twice in a row for the same agent. Pure but for its memory.
 */
import { type AskingFloor, needsYou } from '../../../shared/attention.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';

/** An agent that asks again within this time is announced when it is over, if it still asks. ms */
export const COOLDOWN_MS = 60_000;
/** More than these at once become one notification. */
export const BURST_LIMIT = 3;
const NAME_LIMIT = 60;
const TITLE_LIMIT = 120;
const TEXT_LIMIT = 200;

export interface Notice {
	/** Two notices of one key are never shown side by side. */
	readonly key: string;
	readonly title: string;
	readonly body: string;
	/** Whom a click shows; `null`: the floor. */
	readonly agentId: string | null;
}

export interface NoticePlan {
	readonly show: readonly Notice[];
	/** Keys of shown notices whose cause is over. */
	readonly withdraw: readonly string[];
	/** When to ask again although nothing changed; `null`: no need to. */
	readonly askAgainAt: number | null;
}

/** What became of a need that is still open. */
interface OpenNeed {
	/** Key of the notice that told of it; `null` when none had to. */
	readonly toldBy: string | null;
}

const SEVERAL = 'several';

export class NoticePlanner {
	readonly #open = new Map<string, OpenNeed>();
	/** Key → when it was last told. Kept past the end of a need, for as long as it cools. */
	readonly #toldAt = new Map<string, number>();
	#started = false;

	/** `attended`: the operator has the window before them and sees it there. */
	plan(floor: AskingFloor, now: number, options: { readonly attended: boolean }): NoticePlan {
		for (const [key, at] of this.#toldAt) if (now - at >= COOLDOWN_MS) this.#toldAt.delete(key);
		const needs = needsOf(floor);
		const withdraw = this.#forgetEnded(new Set(needs.map((need) => need.key)));
		const fresh = needs.filter((need) => !this.#open.has(need.key));
		if (!this.#started || options.attended) {
			this.#started = true;
			for (const { key } of fresh) this.#open.set(key, { toldBy: null });
			return { show: [], withdraw, askAgainAt: null };
		}
		const cooling = fresh.filter(({ key }) => now < this.#coolAt(key));
		const due = fresh.filter((need) => !cooling.includes(need));
		const askAgainAt = cooling.length === 0 ? null : Math.min(...cooling.map(({ key }) => this.#coolAt(key)));
		return { show: this.#tell(due, now), withdraw, askAgainAt };
	}

	/** The system did not show the notice of this key: what it was to tell is told again once it has cooled. */
	notShown(key: string): void {
		for (const [need, { toldBy }] of this.#open) if (toldBy === key) this.#open.delete(need);
	}

	#coolAt(key: string): number {
		return (this.#toldAt.get(key) ?? Number.NEGATIVE_INFINITY) + COOLDOWN_MS;
	}

	#tell(due: readonly Notice[], now: number): Notice[] {
		const notices = due.length > BURST_LIMIT ? [grouped(due)] : [...due];
		for (const { key } of due) {
			this.#open.set(key, { toldBy: due.length > BURST_LIMIT ? SEVERAL : key });
			this.#toldAt.set(key, now);
		}
		return notices;
	}

	/** Drops what no longer needs anybody; returns the notices that then stand for nothing. */
	#forgetEnded(present: ReadonlySet<string>): string[] {
		const told = new Set<string>();
		for (const [key, { toldBy }] of this.#open) {
			if (present.has(key)) continue;
			this.#open.delete(key);
			if (toldBy !== null) told.add(toldBy);
		}
		for (const { toldBy } of this.#open.values()) if (toldBy !== null) told.delete(toldBy);
		return [...told];
	}
}

function needsOf(floor: AskingFloor): Notice[] {
	const { agents, incidents, popups, consents } = needsYou(floor);
	return [
		...popups.map(({ id, sentence, recommendation, refusal }) => ({
			key: `popup:${id}`,
			title: visibleText(sentence, { limit: TITLE_LIMIT }),
			body: visibleText(recommendation || refusal, { limit: TEXT_LIMIT }),
			agentId: null,
		})),
		...consents.map(({ id, agentName, tool, target, why }) => ({
			key: `consent:${id}`,
			title: `May ${visibleText(agentName, { limit: NAME_LIMIT })} run ${visibleText(tool, { limit: NAME_LIMIT })}?`,
			body: visibleText(why === '' ? target : `${why}: ${target}`, { limit: TEXT_LIMIT }),
			// Not the agent's own page: the question is answered on the floor.
			agentId: null,
		})),
		...agents.map(({ id, name, demo, state }) => ({
			key: `agent:${id}`,
			title: `${demo ? 'Demo: ' : ''}${visibleText(name, { limit: NAME_LIMIT })} needs you`,
			body: visibleText(state.reason, { limit: TEXT_LIMIT }),
			agentId: id,
		})),
		...incidents.map(({ id, title, detail, agentId }) => ({
			key: `incident:${id}`,
			title: visibleText(title, { limit: TITLE_LIMIT }),
			body: visibleText(detail, { limit: TEXT_LIMIT }),
			agentId,
		})),
	];
}

function grouped(needs: readonly Notice[]): Notice {
	const named = needs.slice(0, BURST_LIMIT).map((need) => need.title);
	return {
		key: SEVERAL,
		title: `${needs.length} need you`,
		body: `${named.join(' · ')} and ${needs.length - BURST_LIMIT} more`,
		agentId: null,
	};
}
