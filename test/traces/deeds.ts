/** Short words for the steps that families are made of. */
import type { Call, Deed, Outcome, Step } from './trace.ts';

/** What a step has besides its deed and its outcome. */
export type CallMore = Pick<Call, 'seconds' | 'tokensMeanwhile' | 'actor' | 'parallel' | 'onset'>;

export function call(deed: Deed, outcome: Outcome, more: CallMore = {}): Call {
	return { kind: 'call', deed, outcome, ...more };
}

export const ok = (text: string): Outcome => ({ text, ended: 'ok' });
export const failed = (text: string): Outcome => ({ text, ended: 'failed' });
export const rejected = (text: string): Outcome => ({ text, ended: 'rejected' });
export const untold: Outcome = { text: '', ended: 'untold' };

export const shell = (command: string): Deed => ({ does: 'shell', command });
export const read = (path: string, from?: number, lines?: number): Deed => ({
	does: 'read',
	path: `/home/dev/app/${path}`,
	...(from !== undefined && { from }),
	...(lines !== undefined && { lines }),
});
export const search = (pattern: string, path: string): Deed => ({ does: 'search', pattern, path });
export const edit = (path: string, before: string, after: string): Deed => ({
	does: 'edit',
	path: `/home/dev/app/${path}`,
	before,
	after,
});
export const write = (path: string, text: string): Deed => ({
	does: 'write',
	path: `/home/dev/app/${path}`,
	text,
});
export const connector = (server: string, tool: string, input: Readonly<Record<string, unknown>>): Deed => ({
	does: 'connector',
	server,
	tool,
	input,
});

export const changed = (path: string): Step => ({ kind: 'changed', path });
export const notice = (text: string): Step => ({
	kind: 'prompt',
	text: `<task-notification>\n${text}\n</task-notification>`,
	notice: true,
});

export const EDITED = 'The file has been updated.';
export const NOT_FOUND = 'String to replace not found in file.';
