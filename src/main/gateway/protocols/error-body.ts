/** What an error answer says, whatever its shape: of the three protocols, of local servers, of a proxy in between. */

import type { JsonObject } from '../protocol.ts';
import { isObject, parseBody, textOf } from './json-fields.ts';

export interface ErrorWords {
	/** The most exact word there is: `details.error_code`, then `code`, then `type`; "http_502" when there is none. */
	readonly type: string;
	readonly message: string;
}

const LONGEST_MESSAGE = 500;

/** Reads the body of an answer with an error status. Never throws; both fields are never empty. */
export function readErrorBody(status: number, body: Uint8Array): ErrorWords {
	const parsed = parseBody(body);
	if (parsed !== null) {
		const words = errorWords(parsed, `http_${status}`);
		if (words !== null) return words;
	}
	const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(
		'utf8',
		0,
		4 * LONGEST_MESSAGE,
	);
	// A page of a proxy says nothing in its mark-up.
	const isPage = /^\s*</.test(text);
	const message = isPage ? '' : head(text);
	return {
		type: `http_${status}`,
		message: message === '' ? `HTTP ${status} without an explanation` : message,
	};
}

/** Type and message of `{error: {…}}`, `{error: "…"}`, `{detail: …}`, `{message: …}`; `null` when it holds no error. */
export function errorWords(body: JsonObject, fallbackType: string): ErrorWords | null {
	const { error } = body;
	if (isObject(error)) {
		const details = isObject(error.details) ? error.details : {};
		const type = word(details.error_code) || word(error.code) || word(error.type) || fallbackType;
		return { type, message: head(textOf(error.message)) || type };
	}
	if (typeof error === 'string' && error.trim() !== '') {
		// Ollama says it in one string, which is the message; others put a code there and the message beside it.
		const beside = head(textOf(body.message)) || head(textOf(body.error_description));
		return beside === ''
			? { type: fallbackType, message: head(error) }
			: { type: head(error), message: beside };
	}
	const message = head(textOf(body.message)) || head(detailText(body.detail));
	if (message === '') return null;
	return { type: word(body.code) || fallbackType, message };
}

function word(value: unknown): string {
	if (typeof value === 'number') return `http_${value}`;
	return textOf(value).trim();
}

/** FastAPI: a text, or a list of what is wrong where. */
function detailText(detail: unknown): string {
	if (typeof detail === 'string') return detail;
	const first: unknown = Array.isArray(detail) ? detail[0] : detail;
	return isObject(first) ? textOf(first.msg) || textOf(first.message) : '';
}

function head(text: string): string {
	return text.trim().slice(0, LONGEST_MESSAGE).toWellFormed();
}
