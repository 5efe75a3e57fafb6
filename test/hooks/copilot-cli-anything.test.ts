import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCopilotCliDialect } from '../../src/main/hooks/copilot-cli.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { anything, expectSound, payloadOf } from './any-payload.ts';
import { AT } from './dialect-payloads.ts';

const names = [
	'sessionId',
	'agentId',
	'parentAgentId',
	'agentType',
	'transcriptPath',
	'timestamp',
	'cwd',
	'source',
	'reason',
	'prompt',
	'toolName',
	'toolArgs',
	'toolResult',
	'error',
	'errorContext',
	'notification_type',
	'message',
	'__proto__',
];
const events = [
	'sessionStart',
	'sessionEnd',
	'userPromptSubmitted',
	'preToolUse',
	'postToolUse',
	'postToolUseFailure',
	'permissionRequest',
	'notification',
	'agentStop',
	'subagentStart',
	'preCompact',
	'errorOccurred',
	'tomorrow',
];
const tools = [
	'bash',
	'write_bash',
	'view',
	'create',
	'edit',
	'str_replace_editor',
	'apply_patch',
	'report_intent',
	'a-b',
];

const dialect = createCopilotCliDialect();

function sane(event: string, payload: Payload): void {
	const parsed = dialect.parse(event, payload, { at: AT, process: null });
	expectSound(parsed);
	if (parsed.kind === 'tool-call' || parsed.kind === 'tool-result') {
		expect(parsed.callId).toBeNull();
		expect(parsed.tool.length).toBeLessThanOrEqual(200);
	}
}

/** Names and words that lead deeper into the dialect than chance would. */
const known = fc.constantFrom<unknown>(
	...tools,
	'model_call',
	'tool_execution',
	'{"message":{}}',
	'[{"error":1}]',
	'"x"',
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
		for (const toolName of tools) {
			sane('preToolUse', { toolName, toolArgs: long });
			sane('postToolUse', { toolName, toolArgs: { path: long }, toolResult: { textResultForLlm: long } });
		}
		sane('errorOccurred', { errorContext: 'model_call', error: { name: long, message: long } });
		const circular: Record<string, unknown> = {};
		circular.itself = circular;
		sane('postToolUse', { toolName: 'bash', toolArgs: circular, toolResult: circular, timestamp: 1 });
	});
});
