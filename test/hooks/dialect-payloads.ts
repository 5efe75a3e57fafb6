/** What the tests of every dialect share: a time, the happening in an event, recordings of the real programs. */
import { readFileSync } from 'node:fs';
import type { FloorEvent, Happening, ToolResult } from '../../src/main/floor/events.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';

export const AT = 1_790_000_000_000;

/** The happening alone, without the context. */
export function happeningIn(event: FloorEvent): Happening {
	const { at, client, name, sessionId, subagentId, subagentType, ...rest } = event;
	const { directory, transcriptPath, model, process, dedupeKey, ...happened } = rest;
	return happened;
}

/** The end of a call of which nothing more is told. */
export function endOf(call: Pick<ToolResult, 'callId' | 'tool' | 'input'>): Omit<ToolResult, 'result'> {
	return {
		kind: 'tool-result',
		...call,
		failed: false,
		interrupted: false,
		durationMs: null,
		changedFile: null,
	};
}

export interface Recorded {
	readonly event: string;
	readonly body: Payload;
}

/** What the real program sent, in order. */
export function recordingOf(client: string, name: string): Recorded[] {
	return readFileSync(new URL(`../recordings/${client}.${name}.jsonl`, import.meta.url), 'utf8')
		.trimEnd()
		.split('\n')
		.map((line): Recorded => JSON.parse(line));
}
