/** Places in an answer at which something can happen to it. */
import { joinParts, type StreamPart } from './scripted-answer.ts';

/**
 * `before-any`: after the head, before the first byte. `before-content`: lifecycle events came, no content.
 * `after-open`: a block was opened and is still empty. `mid-event`: inside the bytes of one event of text.
 * `mid-utf8`: inside one character. `before-finish`: all content, but not why it ended. `before-end`: everything but
 * the protocol's last event.
 */
export type Place =
	| 'before-any'
	| 'before-content'
	| 'after-open'
	| 'mid-thinking'
	| 'mid-text'
	| 'mid-event'
	| 'mid-utf8'
	| 'mid-tool-arguments'
	| 'before-finish'
	| 'before-end'
	| { readonly byte: number };

/** Offset of a place in a stream. Throws when the answer has no such place: a script that cannot mean it. */
export function offsetInStream(parts: readonly StreamPart[], place: Place): number {
	if (typeof place === 'object') return place.byte;
	const before = (at: number): number => joinParts(parts.slice(0, at)).length;
	const found = (at: number): number => {
		if (at < 0) throw new Error(`this answer has no place "${place}"`);
		return at;
	};
	const firstOf = (...kinds: StreamPart['kind'][]): number =>
		found(parts.findIndex((part) => kinds.includes(part.kind)));
	const middleOf = (kind: StreamPart['kind']): number => {
		const all = parts.flatMap((part, at) => (part.kind === kind ? [at] : []));
		return found(all[Math.floor(all.length / 2)] ?? -1);
	};
	switch (place) {
		case 'before-any':
			return 0;
		case 'before-content':
			return before(firstOf('open', 'thinking', 'text', 'tool-open'));
		case 'after-open':
			return before(firstOf('thinking', 'text', 'tool-arguments'));
		case 'mid-thinking':
			return before(middleOf('thinking'));
		case 'mid-text':
			return before(middleOf('text'));
		case 'mid-tool-arguments':
			return before(middleOf('tool-arguments'));
		case 'before-finish':
			return before(firstOf('finish', 'end'));
		case 'before-end':
			return before(firstOf('end'));
		case 'mid-event': {
			const at = middleOf('text');
			return before(at) + Math.floor((parts[at]?.bytes.length ?? 0) / 2);
		}
		case 'mid-utf8': {
			const inside = insideCharacter(joinParts(parts));
			if (inside < 0) throw new Error('this answer has no character of more than one byte');
			return inside;
		}
	}
}

/** The same in an answer that is not streamed: where the place says nothing there, its middle. */
export function offsetInBody(body: Uint8Array, place: Place): number {
	if (typeof place === 'object') return place.byte;
	if (place === 'before-any' || place === 'before-content') return 0;
	if (place === 'before-finish' || place === 'before-end') return body.length - 1;
	const inside = place === 'mid-utf8' ? insideCharacter(body) : -1;
	return inside < 0 ? Math.floor(body.length / 2) : inside;
}

/** Just behind the first byte of the first character that has several; -1 without one. */
function insideCharacter(bytes: Uint8Array): number {
	const lead = bytes.findIndex((byte) => byte >= 0xc0);
	return lead < 0 ? -1 : lead + 1;
}
