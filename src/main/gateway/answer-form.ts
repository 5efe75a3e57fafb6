/** In which form an answer comes, from its head and, where that does not say it, from its first bytes. Pure. */
import { isCompressed } from './content-encoding.ts';
import { headerOf } from './headers.ts';
import type { UpstreamHead } from './upstream.ts';

/** `compressed`: though it was asked not to be. `unsaid`: neither events nor JSON, or no word of it. */
export type AnswerForm = 'events' | 'json' | 'compressed' | 'unsaid';

export function formOf({ headers }: UpstreamHead): AnswerForm {
	if (isCompressed(headerOf(headers, 'content-encoding'))) return 'compressed';
	const type = headerOf(headers, 'content-type') ?? '';
	if (/^\s*text\/event-stream\b/i.test(type)) return 'events';
	return /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(type) ? 'json' : 'unsaid';
}

/** What a line of an event stream begins with. */
const FIELDS = ['event:', 'data:', 'id:', 'retry:', ':'];

/** A byte order mark, or as much of it as has come. */
const MARK = /^(?:\xef\xbb\xbf|\xef\xbb?$)/;

/** Whether a body that begins so is an event stream; `null`: too little of it has come to tell. */
export function beginsEvents(start: Uint8Array): boolean | null {
	const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.byteLength, 64))
		.toString('latin1')
		.replace(MARK, '')
		.trimStart();
	if (FIELDS.some((field) => text.startsWith(field))) return true;
	return start.byteLength < 64 && FIELDS.some((field) => field.startsWith(text)) ? null : false;
}

/** A redirect that would lead a client past the floor, with its credentials. 304 leads nowhere. */
export function isRedirect(status: number): boolean {
	return status >= 300 && status < 400 && status !== 304;
}
