import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { createOpencodeDialect } from '../../src/main/hooks/opencode.ts';
import { opencodeUsage } from '../../src/main/hooks/opencode-usage.ts';
import { anything, expectSound, payloadOf } from './any-payload.ts';
import { AT } from './dialect-payloads.ts';

const names = [
	...['sessionID', 'rootID', 'parentID', 'agent', 'model', 'directory', 'delivery', 'source', 'spent'],
	...[
		'prompt',
		'tool',
		'callID',
		'args',
		'output',
		'content',
		'isError',
		'exit',
		'error',
		'status',
		'message',
	],
	...['permission', 'patterns', 'command', 'question', 'cwd', '__proto__'],
];
const events = [
	...['session.seen', 'session.end', 'session.deleted', 'session.idle', 'session.error', 'session.status'],
	...['session.compacting', 'session.compacted', 'chat.message', 'message.updated', 'permission.asked'],
	...['question.asked', 'tool.execute.before', 'tool.execute.after', 'tool.execute.error', 'tomorrow'],
];

const dialect = createOpencodeDialect();

function sane(event: string, payload: Payload): void {
	const parsed = dialect.parse(event, payload, { at: AT, process: null });
	expectSound(parsed);
	if (parsed.kind === 'tool-call' || parsed.kind === 'tool-result') {
		expect(parsed.tool.length).toBeLessThanOrEqual(200);
	}
	const usage = opencodeUsage(event, payload)?.usage;
	for (const count of Object.values(usage ?? {})) expect(Number.isFinite(count) && count >= 0).toBe(true);
}

/** Names and words that lead deeper into the dialect than chance would. */
const known = fc.constantFrom<unknown>(
	...['bash', 'read', 'edit', 'apply_patch', 'invalid', 'a_b', 'ses_1', 'general'],
	{ type: 'retry', message: 1 },
	{ name: 'APIError', data: { statusCode: 429 } },
	{ name: 'MessageAbortedError' },
	{ tool: 'x', filePath: 1, patchText: '*** Add File: a' },
	{ id: 'm', modelID: 'x', tokens: { input: -1, output: 0.5, reasoning: 3, cache: { read: 1e300 } } },
);

describe('whatever arrives', () => {
	test('of JSON, nothing is thrown and the event is sound', () => {
		const json = fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), known);
		fc.assert(fc.property(fc.constantFrom(...events), payloadOf(names, json), sane), { numRuns: 1_000 });
	});

	test('of anything at all, nothing is thrown', () => {
		fc.assert(fc.property(fc.constantFrom(...events), payloadOf(names, fc.oneof(anything, known)), sane), {
			numRuns: 1_000,
		});
	});

	test('of a megabyte in every field, nothing is thrown', () => {
		const long = '<exit {"a 😀/\\ '.repeat(100_000);
		for (const event of events) sane(event, Object.fromEntries(names.map((name) => [name, long])));
		for (const tool of ['bash', 'edit', 'apply_patch', 'invalid']) {
			sane('tool.execute.before', { tool, args: { patchText: long, tool: long, command: long } });
			sane('tool.execute.after', { tool, args: long, content: [{ type: 'text', text: long }] });
		}
		sane('session.error', { error: { name: long, data: { message: long, responseBody: long } } });
		const circular: Record<string, unknown> = {};
		circular.itself = circular;
		sane('tool.execute.after', { tool: 'bash', args: circular, output: circular, delivery: 1 });
	});
});
