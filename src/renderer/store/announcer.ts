/** Says announcements at most once a second, several at a time in one breath. */
import type { Disposable } from '../../shared/disposable.ts';

const INTERVAL_MS = 1000;
/** More than this in one breath is counted, not read. */
const NAMED_AT_ONCE = 3;

export interface Announcement {
	/** `assertive` interrupts: only for what needs the operator, and an agent that was stopped. */
	readonly urgency: 'polite' | 'assertive';
	readonly text: string;
}

/** One live region. `say` receives the text to put into it. */
export class Announcer implements Disposable {
	readonly #say: (text: string) => void;
	#queue: string[] = [];
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(say: (text: string) => void) {
		this.#say = say;
	}

	announce(text: string): void {
		this.#queue.push(text);
		if (this.#timer === undefined) this.#flush();
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#queue = [];
	}

	#flush(): void {
		this.#timer = undefined;
		const texts = this.#queue.splice(0);
		if (texts.length === 0) return;
		this.#say(inOneBreath(texts));
		this.#timer = setTimeout(() => this.#flush(), INTERVAL_MS);
	}
}

/** "a. b. c. And 4 more." Sentences keep the end they have. */
export function inOneBreath(texts: readonly string[]): string {
	const named = texts.slice(0, NAMED_AT_ONCE).map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`));
	const rest = texts.length - named.length;
	return [...named, ...(rest > 0 ? [`And ${rest} more.`] : [])].join(' ');
}
