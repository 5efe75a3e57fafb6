/** What a strict client made of an answer: its content, how it ended, and every breach of the protocol it saw. */

export interface ReadToolCall {
	readonly name: string;
	/** Parsed; `null`: not whole, which no client may ever be given. */
	readonly input: unknown;
}

export interface AnswerRead {
	/** As the answer names it; two where another model restarted it. */
	readonly models: readonly string[];
	/** Each block of text by itself. */
	readonly texts: readonly string[];
	readonly thinking: string;
	readonly toolCalls: readonly ReadToolCall[];
	/** `clean`: the protocol's own end came. `error`: its own error came last. `cut`: neither. */
	readonly end: 'clean' | 'error' | 'cut';
	readonly error: string;
	readonly breaches: readonly string[];
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reading as it goes on; `done` sums up. */
export class AnswerReading {
	models: string[] = [];
	texts: string[] = [];
	thinking = '';
	toolCalls: ReadToolCall[] = [];
	end: AnswerRead['end'] = 'cut';
	error = '';
	readonly breaches: string[] = [];

	breach(what: string): void {
		this.breaches.push(what);
	}

	names(model: unknown): void {
		if (typeof model === 'string' && model !== '' && this.models.at(-1) !== model) this.models.push(model);
	}

	call(name: string, json: string): void {
		this.toolCalls.push({ name, input: parse(json === '' ? '{}' : json) });
	}

	fails(error: string): void {
		this.end = 'error';
		this.error = error;
	}

	done(): AnswerRead {
		const { models, texts, thinking, toolCalls, end, error, breaches } = this;
		if (end === 'clean' && toolCalls.some(({ input }) => input === null)) {
			this.breach('a tool call with half its arguments');
		}
		return { models, texts, thinking, toolCalls, end, error, breaches };
	}
}

export interface SentEvent {
	/** Empty when the event has no name. */
	readonly name: string;
	readonly data: string;
}

/** The events of a stream (WHATWG rules); an event without its blank line at the end was not sent. */
export function sentEvents(bytes: Uint8Array): SentEvent[] {
	const lines = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes).split(/\r\n|\n|\r/);
	const events: SentEvent[] = [];
	let name = '';
	let data: string[] = [];
	for (const line of lines.slice(0, -1)) {
		if (line === '') {
			if (data.length > 0) events.push({ name, data: data.join('\n') });
			name = '';
			data = [];
		} else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
		else if (line.startsWith('event:')) name = line.slice(6).replace(/^ /, '');
	}
	return events;
}

export function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

export function objectOf(value: unknown): JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function listOf(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
