import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCodeDialect } from '../../src/main/hooks/claude-code.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { anything, expectSound, payloadOf } from './any-payload.ts';
import { AT, recordingOf } from './dialect-payloads.ts';

describe('whatever arrives', () => {
	const names = [
		'session_id',
		'transcript_path',
		'cwd',
		'model',
		'prompt',
		'prompt_id',
		'tool_name',
		'tool_input',
		'tool_use_id',
		'tool_response',
		'tool_calls',
		'error',
		'message',
		'notification_type',
		'agent_id',
		'agent_type',
		'duration_ms',
		'last_assistant_message',
		'source',
		'new_cwd',
		'file_path',
		'to_model',
		'__proto__',
	];
	const events = [
		'SessionStart',
		'SessionEnd',
		'UserPromptSubmit',
		'PreToolUse',
		'PostToolUse',
		'PostToolUseFailure',
		'PostToolBatch',
		'PermissionRequest',
		'Notification',
		'Elicitation',
		'Stop',
		'StopFailure',
		'CwdChanged',
		'FileChanged',
		'PostModelSwitch',
		'Tomorrow',
	];

	function sane(event: string, payload: Payload): void {
		expectSound(claudeCodeDialect.parse(event, payload, { at: AT, process: null }));
	}

	test('of JSON, nothing is thrown and the event is sound', () => {
		const json = fc.jsonValue({ stringUnit: 'binary' });
		fc.assert(fc.property(fc.constantFrom(...events), payloadOf(names, json), sane), { numRuns: 1_000 });
	});

	test('of anything at all, nothing is thrown', () => {
		fc.assert(fc.property(fc.constantFrom(...events), payloadOf(names, anything), sane), { numRuns: 1_000 });
	});

	test('of a megabyte in every field, nothing is thrown', () => {
		const long = '😀/\\ '.repeat(200_000);
		for (const event of events) sane(event, Object.fromEntries(names.map((name) => [name, long])));
		const circular: Record<string, unknown> = {};
		circular.itself = circular;
		sane('PostToolUse', { tool_response: circular });
	});
});

describe('recorded payloads of the real program', () => {
	const recording = (name: string) =>
		recordingOf('claude-code', name).map(({ event, body }) =>
			claudeCodeDialect.parse(event, body, { at: AT, process: null }),
		);

	test('an ordinary session', () => {
		const events = recording('basic');
		expect(events.map((event) => event.kind)).toEqual([
			'session-start',
			'prompt',
			'tool-call',
			'tool-result',
			'tool-call',
			'tool-result',
			'turn-end',
			'session-end',
		]);
		expect(new Set(events.map((event) => event.sessionId)).size).toBe(1);
		expect(events[3]).toMatchObject({ result: 'hello-floor', failed: false, durationMs: 25 });
		expect(events[5]).toMatchObject({ failed: true, interrupted: false });
	});

	test('a loop: the same call and the same result, told apart only by their ids', () => {
		const calls = recording('loop').filter((event) => event.kind === 'tool-call');
		expect(calls.length).toBeGreaterThan(8);
		expect(new Set(calls.map((event) => event.dedupeKey)).size).toBe(calls.length);
	});

	test.each([['connection-refused'], ['overloaded'], ['rate-limited']])(
		'%s is the provider’s trouble',
		(name) => {
			const failure = recording(name).find((event) => event.kind === 'turn-failed');
			expect(failure).toMatchObject({ kind: 'turn-failed', blame: 'provider' });
		},
	);
});
