/** Answers with status 200 that are none, in all protocols. */
import type { InBandError, WholeAnswer } from '../protocol.ts';
import { uncounted, unnamed } from './counts.ts';

/** It says nothing at all. Like a failing gateway of the provider: status 502. */
export function emptyAnswer(body: Uint8Array): InBandError {
	return { type: 'empty_answer', status: 502, message: 'The answer was empty.', bytes: body };
}

/** No bytes, or something that is no JSON object (a page of a proxy). */
export function unreadableAnswer(body: Uint8Array): WholeAnswer {
	const error: InBandError =
		body.length === 0
			? emptyAnswer(body)
			: { type: 'unreadable_answer', status: 502, message: 'The answer was not JSON.', bytes: body };
	return { error, usage: uncounted, origin: unnamed, text: '' };
}
