/** Payloads of the plugin for opencode for tests of its dialect, and recordings of the real program. */
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import type { Dialect, Payload } from '../../src/main/hooks/dialect.ts';
import { createOpencodeDialect } from '../../src/main/hooks/opencode.ts';
import { AT, happeningIn, type Recorded, recordingOf } from './dialect-payloads.ts';

const SESSION = { sessionID: 'ses_1', rootID: 'ses_1', parentID: null, directory: '/w/app', model: 'm-1' };

/** What makes it a subagent's. */
export const CHILD = { sessionID: 'ses_2', parentID: 'ses_1', agent: 'general' };

export function parse(
	event: string,
	fields: Payload = {},
	dialect: Dialect = createOpencodeDialect(),
): FloorEvent {
	return dialect.parse(event, { ...SESSION, ...fields }, { at: AT, process: null });
}

/** The happening alone, without the context. */
export function happening(event: string, fields: Payload = {}): Happening {
	return happeningIn(parse(event, fields));
}

export function recording(name: string): Recorded[] {
	return recordingOf('opencode', name);
}

/** The events of a recording, read by one dialect as the floor would. */
export function eventsOf(name: string): FloorEvent[] {
	const dialect = createOpencodeDialect();
	return recording(name).map(({ event, body }) => dialect.parse(event, body, { at: AT, process: null }));
}
