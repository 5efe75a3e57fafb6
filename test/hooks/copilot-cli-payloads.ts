/** Payloads of Copilot CLI for tests of its dialect, and recordings of the real program. */
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import { createCopilotCliDialect } from '../../src/main/hooks/copilot-cli.ts';
import type { Dialect, Payload } from '../../src/main/hooks/dialect.ts';
import { AT, happeningIn, type Recorded, recordingOf } from './dialect-payloads.ts';

const SESSION = { sessionId: 's-7f', timestamp: 1_790_000_000_123, cwd: '/w/app' };

export const bash = { toolName: 'bash', toolArgs: { command: 'npm t', description: 'tests' } };

export function parse(
	event: string,
	fields: Payload = {},
	dialect: Dialect = createCopilotCliDialect(),
): FloorEvent {
	return dialect.parse(event, { ...SESSION, ...fields }, { at: AT, process: null });
}

/** The happening alone, without the context. */
export function happening(event: string, fields: Payload = {}): Happening {
	return happeningIn(parse(event, fields));
}

export function recording(name: string): Recorded[] {
	return recordingOf('copilot-cli', name);
}

/** The events of a recording, read by one dialect as the floor would. */
export function eventsOf(name: string): FloorEvent[] {
	const dialect = createCopilotCliDialect();
	return recording(name).map(({ event, body }) => dialect.parse(event, body, { at: AT, process: null }));
}
