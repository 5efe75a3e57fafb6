/** Payloads of Copilot CLI for tests of its dialect, and recordings of the real program. */
import { readFileSync } from 'node:fs';
import type { FloorEvent, Happening } from '../../src/main/floor/events.ts';
import { createCopilotCliDialect } from '../../src/main/hooks/copilot-cli.ts';
import type { Dialect, Payload } from '../../src/main/hooks/dialect.ts';

export const AT = 1_790_000_000_000;

export const SESSION = { sessionId: 's-7f', timestamp: 1_790_000_000_123, cwd: '/w/app' };

export const bash = { toolName: 'bash', toolArgs: { command: 'npm t', description: 'tests' } };

export function parse(
	event: string,
	fields: Payload = {},
	dialect: Dialect = createCopilotCliDialect(),
	common: Payload = SESSION,
): FloorEvent {
	return dialect.parse(event, { ...common, ...fields }, { at: AT, process: null });
}

/** The happening alone, without the context. */
export function happening(event: string, fields: Payload = {}): Happening {
	const { at, client, name, sessionId, subagentId, subagentType, ...rest } = parse(event, fields);
	const { directory, transcriptPath, model, process, dedupeKey, ...happened } = rest;
	return happened;
}

export interface Recorded {
	readonly event: string;
	readonly body: Payload;
}

export function recording(name: string): Recorded[] {
	return readFileSync(new URL(`../recordings/copilot-cli.${name}.jsonl`, import.meta.url), 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line): Recorded => JSON.parse(line));
}

/** The events of a recording, read by one dialect as the floor would. */
export function eventsOf(name: string): FloorEvent[] {
	const dialect = createCopilotCliDialect();
	return recording(name).map(({ event, body }) => dialect.parse(event, body, { at: AT, process: null }));
}
