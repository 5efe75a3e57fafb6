/** Says announcements at most once a second, several at a time in one breath. */
import type { Disposable } from '../../shared/disposable.ts';

const INTERVAL_MS = 1000;
/** A listener needs time for what was said before the next: about twenty characters a second, and never for long. */
const MS_A_CHARACTER = 50;
const LONGEST_WAIT_MS = 6000;
/** More than this in one breath is counted, not read. */
const NAMED_AT_ONCE = 3;

export interface Announcement {
	/** `assertive` interrupts: only for what needs the operator, and an agent that was stopped. */
	readonly urgency: 'polite' | 'assertive';
	readonly text: string;
	/** Id of the agent it is about: what waits to be said of that agent is replaced by what is newer. */
	readonly agentId?: string;
	/** What it comes down to when it is only counted: "steering". */
	readonly gist?: string;
}

export type Saying = Omit<Announcement, 'urgency'>;

/** One live region. `say` receives the text to put into it. */
export class Announcer implements Disposable {
	readonly #say: (text: string) => void;
	#queue: Saying[] = [];
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(say: (text: string) => void) {
		this.#say = say;
	}

	announce(saying: Saying): void {
		const { agentId } = saying;
		const known = agentId === undefined ? -1 : this.#queue.findIndex((one) => one.agentId === agentId);
		if (known === -1) this.#queue.push(saying);
		else this.#queue[known] = saying;
		if (this.#timer === undefined) this.#flush();
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#queue = [];
	}

	#flush(): void {
		this.#timer = undefined;
		const sayings = this.#queue.splice(0);
		if (sayings.length === 0) return;
		const text = inOneBreath(sayings);
		this.#say(text);
		const wait = Math.min(LONGEST_WAIT_MS, Math.max(INTERVAL_MS, text.length * MS_A_CHARACTER));
		this.#timer = setTimeout(() => this.#flush(), wait);
	}
}

/** "a. b. c. And 4 more: 3 steering, 1 healthy again." Sentences keep the end they have. */
export function inOneBreath(sayings: readonly Saying[]): string {
	const named = sayings.slice(0, NAMED_AT_ONCE).map(({ text }) => (/[.!?…]$/.test(text) ? text : `${text}.`));
	const rest = sayings.slice(NAMED_AT_ONCE);
	return [...named, ...(rest.length > 0 ? [`And ${rest.length} more${gistsOf(rest)}.`] : [])].join(' ');
}

/** ": 3 steering, 1 healthy again"; empty unless every one of them has a gist. */
function gistsOf(sayings: readonly Saying[]): string {
	const counts = new Map<string, number>();
	for (const { gist } of sayings) {
		if (gist === undefined) return '';
		counts.set(gist, (counts.get(gist) ?? 0) + 1);
	}
	return `: ${[...counts].map(([gist, count]) => `${count} ${gist}`).join(', ')}`;
}
