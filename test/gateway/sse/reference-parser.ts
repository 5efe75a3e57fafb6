/** The event stream parser of the HTML standard (9.2.6), word for word and slow: what the fast one is judged by. */

export interface ReferenceEvent {
	readonly type: string;
	readonly data: string;
	readonly lastEventId: string;
}

export function referenceEvents(bytes: Uint8Array): ReferenceEvent[] {
	const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/^\uFEFF/, '');
	const events: ReferenceEvent[] = [];
	let data: string | null = null;
	let type = '';
	let lastEventId = '';
	// The part behind the last line end is no line, unless the stream ended in one.
	const lines = text.split(/\r\n|\n|\r/).slice(0, -1);
	for (const line of lines) {
		if (line === '') {
			if (data !== null) events.push({ type: type || 'message', data, lastEventId });
			data = null;
			type = '';
			continue;
		}
		const colon = line.indexOf(':');
		if (colon === 0) continue;
		const field = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
		if (field === 'data') data = data === null ? value : `${data}\n${value}`;
		else if (field === 'event') type = value;
		else if (field === 'id' && !value.includes('\0')) lastEventId = value;
	}
	return events;
}
