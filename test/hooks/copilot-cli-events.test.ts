import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/main/floor/events.ts';
import { createCopilotCliDialect } from '../../src/main/hooks/copilot-cli.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { bash, happening, parse } from './copilot-cli-payloads.ts';
import { endOf } from './dialect-payloads.ts';

describe('every event of the tables', () => {
	const call = { callId: null, tool: 'Bash', input: { command: 'npm t', description: 'tests' } };
	const ended = endOf(call);
	const result = (textResultForLlm: string, resultType = 'success') => ({
		...bash,
		toolResult: { resultType, textResultForLlm },
	});
	const failure = (error: unknown, errorContext = 'model_call') => ({
		error,
		errorContext,
		recoverable: true,
	});
	const rows: readonly (readonly [string, Payload, Happening])[] = [
		['sessionStart', { source: 'resume' }, { kind: 'session-start', source: 'resume' }],
		['sessionStart', {}, { kind: 'session-start', source: '' }],
		['sessionEnd', { reason: 'user_exit' }, { kind: 'session-end', reason: 'user_exit' }],
		['userPromptSubmitted', { prompt: 'go on' }, { kind: 'prompt', text: 'go on' }],
		['userPromptSubmitted', {}, { kind: 'prompt', text: '' }],
		['userPromptSubmitted', { prompt: 'SUB', agentId: 'a-1', parentAgentId: 's-7f' }, { kind: 'other' }],
		[
			'userPromptSubmitted',
			{ prompt: '<system_notification>\nAgent "h1" has finished.\n</system_notification>' },
			{ kind: 'other' },
		],
		['preToolUse', bash, { kind: 'tool-call', ...call }],
		['preToolUse', {}, { kind: 'tool-call', callId: null, tool: 'unknown tool', input: undefined }],
		[
			'preToolUse',
			{ toolName: ['bash'], toolArgs: null },
			{ kind: 'tool-call', callId: null, tool: 'unknown tool', input: undefined },
		],
		['postToolUse', result('hi\n<shellId: 0 completed with exit code 0>'), { ...ended, result: 'hi' }],
		['postToolUse', result('\n<shellId: 12 completed with exit code 0>'), { ...ended, result: '' }],
		['postToolUse', result('hi\n<exited with exit code 0>'), { ...ended, result: 'hi' }],
		[
			'postToolUse',
			result('hi\n<shellId: 3 completed with exit code 3>'),
			{ ...ended, result: 'Exit code 3\nhi', failed: true },
		],
		[
			'postToolUse',
			result('\n<shellId: 3 completed with exit code 1>'),
			{ ...ended, result: 'Exit code 1', failed: true },
		],
		[
			'postToolUse',
			result('<shellId: 0 completed with exit code 9>\nhi\n<shellId: 3 completed with exit code 0>'),
			{ ...ended, result: '<shellId: 0 completed with exit code 9>\nhi' },
		],
		[
			'postToolUse',
			result('so far\n<command started in background with shellId: 7>'),
			{ ...ended, result: 'so far\n<command started in background with shellId>' },
		],
		['postToolUse', result('no', 'failure'), { ...ended, result: 'no', failed: true }],
		['postToolUse', result('no', 'rejected'), { ...ended, result: 'no', failed: true }],
		['postToolUse', { ...bash, toolResult: 'plain' }, { ...ended, result: 'plain' }],
		['postToolUse', { ...bash, toolResult: { a: 1 } }, { ...ended, result: '{"a":1}' }],
		['postToolUse', bash, { ...ended, result: undefined }],
		['postToolUseFailure', { ...bash, error: 'boom' }, { ...ended, result: 'boom', failed: true }],
		['postToolUseFailure', { ...bash, error: { message: 'm' } }, { ...ended, result: 'm', failed: true }],
		['postToolUseFailure', bash, { ...ended, result: undefined, failed: true }],
		// It comes with every command, also where all is allowed and nobody is asked.
		['permissionRequest', { toolName: 'bash', toolInput: { command: 'npm t' } }, { kind: 'other' }],
		[
			'notification',
			{ notification_type: 'permission_prompt', message: 'Run command: npm t', title: 'Permission needed' },
			{ kind: 'waiting', on: 'permission', message: 'Run command: npm t' },
		],
		[
			'notification',
			{ notification_type: 'elicitation_dialog', title: 'Input' },
			{ kind: 'waiting', on: 'question', message: 'Input' },
		],
		['notification', { notification_type: 'agent_idle', message: 'Agent "h1" is idle' }, { kind: 'other' }],
		['notification', { notification_type: 'shell_completed', message: 'done' }, { kind: 'other' }],
		['notification', { message: 'Permission needed' }, { kind: 'other' }],
		['agentStop', { stopReason: 'end_turn' }, { kind: 'turn-end', message: '' }],
		['subagentStart', { agentId: 'a-1' }, { kind: 'subagent-start' }],
		['subagentStop', { agentId: 'a-1' }, { kind: 'subagent-end' }],
		// There is no event for its end.
		['preCompact', { trigger: 'auto' }, { kind: 'compact-end' }],
		['errorOccurred', failure({ name: 'E', message: 'm' }, 'system'), { kind: 'other' }],
		['errorOccurred', failure({ name: 'E', message: 'm' }, 'user_input'), { kind: 'other' }],
		[
			'errorOccurred',
			{ ...failure({ name: 'E', message: 'crashed' }, 'tool_execution'), ...bash },
			{ ...ended, result: 'crashed', failed: true },
		],
		['errorOccurred', {}, { kind: 'other' }],
		['userPromptTransformed', { prompt: 'x' }, { kind: 'other' }],
		['preMcpToolCall', { toolName: 'x' }, { kind: 'other' }],
		['eventOfTomorrow', bash, { kind: 'other' }],
		['constructor', bash, { kind: 'other' }],
		// The keys are case-sensitive: the program sends other payloads for other spellings.
		['PreToolUse', bash, { kind: 'other' }],
	];
	test.each(rows)('%s %j', (event, payload, expected) => {
		expect(happening(event, payload)).toEqual(expected);
	});
});

describe('a failed model call', () => {
	const failed = (error: unknown) => happening('errorOccurred', { error, errorContext: 'model_call' });
	const named = (fields: Record<string, unknown>) => ({ name: 'Error', message: JSON.stringify(fields) });
	test.each<[what: unknown, error: string]>([
		[named({ message: "Sorry, you've hit a rate limit", code: 'rate_limited' }), 'rate_limit'],
		[named({ message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' }), 'rate_limit'],
		[named({ message: 'Wait.', code: 'user_weekly_rate_limited' }), 'rate_limit'],
		[named({ type: 'error', error: { type: 'rate_limit_error', message: 'This request' } }), 'rate_limit'],
		[{ name: 'Error', message: '[{"error":{"code":429,"message":"Your quota"}}]' }, 'rate_limit'],
		[{ name: 'RateLimitError', message: 'no' }, 'rate_limit'],
		// github/copilot-cli#2144, #2754, #2696, microsoft/vscode#325598
		[{ message: "You've hit a rate limit. Please try again in 15 hours 23 minutes." }, 'rate_limit'],
		[{ message: 'Please retry after 2733 seconds. (user_global_rate_limited:pro)' }, 'rate_limit'],
		['Too Many Requests', 'rate_limit'],
		// github/copilot-cli#793
		[named({ message: 'Sorry, you have exceeded your Copilot token usage.' }), 'rate_limit'],
		// github/copilot-cli#730, #3431; 402, not 429: only a new month or a person cures it.
		[named({ message: 'You have no quota', code: 'quota_exceeded' }), 'billing_error'],
		[{ message: '402 You have no quota (Request ID: 0DAE)' }, 'billing_error'],
		[
			named({ message: 'check your plan', type: 'insufficient_quota', code: 'insufficient_quota' }),
			'billing_error',
		],
		[{ message: 'You have reached your monthly limit for premium requests' }, 'billing_error'],
		[named({ message: 'boom', type: 'server_error', code: null }), 'server_error'],
		[named({ message: 'bad key', type: 'auth', code: 'invalid_api_key' }), 'invalid_api_key'],
		[{ name: 'Error', message: 'fetch failed' }, 'model_call'],
		[{ name: 'TimeoutError', message: 'late' }, 'TimeoutError'],
		// An overloaded server's hint is no limit.
		[named({ message: 'Overloaded, try again in 5 seconds', code: 'overloaded' }), 'overloaded'],
		[{ message: '{"message": "cut off' }, 'model_call'],
		[undefined, 'model_call'],
		[null, 'model_call'],
	])('%j is %s, and the provider’s', (error, word) => {
		expect(failed(error)).toMatchObject({ kind: 'turn-failed', blame: 'provider', error: word });
	});

	test('keeps the provider’s sentence, with the time that it names', () => {
		expect(failed(named({ message: 'Please try again in 2 hours.', code: 'rate_limited' }))).toMatchObject({
			message: 'Please try again in 2 hours.',
		});
	});

	test('for a request that is too long is the agent’s own', () => {
		expect(failed(named({ message: 'too long', code: 'context_length_exceeded' }))).toMatchObject({
			blame: 'agent',
			error: 'context_length_exceeded',
		});
	});

	test('is told by its own event only: the same words in a prompt or a result change nothing', () => {
		const banner = "Sorry, you've hit a rate limit. Please try again in 2 hours. (rate_limited)";
		expect(happening('userPromptSubmitted', { prompt: banner }).kind).toBe('prompt');
		const toolResult = { resultType: 'success', textResultForLlm: banner };
		expect(happening('postToolUse', { ...bash, toolResult })).toMatchObject({
			kind: 'tool-result',
			failed: false,
		});
		expect(happening('postToolUseFailure', { ...bash, error: banner }).kind).toBe('tool-result');
	});
});

describe('whose event it is', () => {
	const log = '/h/.copilot/session-state/root/events.jsonl';
	const child = { sessionId: 'child', agentId: 'child', agentType: 'general-purpose', parentAgentId: 'root' };
	const grandchild = { sessionId: 'deep', agentId: 'deep', agentType: 'explore', parentAgentId: 'child' };

	test('a subagent’s events carry its own id as the session, and belong to the session of who set it to work', () => {
		expect(parse('preToolUse', { ...bash, ...child })).toMatchObject({
			sessionId: 'root',
			subagentId: 'child',
			subagentType: 'general-purpose',
		});
	});

	test('however deep it works', () => {
		const dialect = createCopilotCliDialect();
		parse('preToolUse', { ...bash, ...child }, dialect);
		expect(parse('preToolUse', { ...bash, ...grandchild }, dialect)).toMatchObject({
			sessionId: 'root',
			subagentId: 'deep',
		});
	});

	test('also when the floor came late: the log names the session', () => {
		const dialect = createCopilotCliDialect();
		expect(parse('agentStop', { ...grandchild, transcriptPath: log }, dialect).sessionId).toBe('root');
		expect(parse('postToolUse', { ...bash, ...grandchild }, dialect).sessionId).toBe('root');
		const windows = 'C:\\Users\\a\\.copilot\\session-state\\root\\events.jsonl';
		expect(parse('subagentStart', { ...grandchild, transcriptPath: windows }).sessionId).toBe('root');
	});

	test('two dialects know nothing of each other', () => {
		parse('preToolUse', { ...bash, ...child }, createCopilotCliDialect());
		expect(parse('preToolUse', { ...bash, ...grandchild }).sessionId).toBe('child');
	});

	test('thousands of subagents later, the oldest are forgotten and the newest known', () => {
		const dialect = createCopilotCliDialect();
		for (let index = 0; index < 2_500; index++) {
			parse('preToolUse', { agentId: `a${index}`, parentAgentId: 'root' }, dialect);
		}
		const under = (agentId: string, parentAgentId: string) =>
			parse('preToolUse', { agentId, parentAgentId }, dialect).sessionId;
		expect(under('x', 'a0')).toBe('a0');
		expect(under('y', 'a2499')).toBe('root');
	});

	test.each([
		[{}, 's-7f'],
		[{ sessionId: '' }, /^dir:[0-9a-f]{32}$/],
		[{ sessionId: null, transcriptPath: log }, 'root'],
		[{ sessionId: null, cwd: '' }, 'unattributed'],
		[{ sessionId: 'x'.repeat(201) }, /^sha256:/],
	])('%j', (fields, expected) => {
		expect(parse('agentStop', fields).sessionId).toEqual(
			typeof expected === 'string' ? expected : expect.stringMatching(expected),
		);
	});
});

describe('one happening told twice (hooks of the user and of the project)', () => {
	test('has one key, and a later one another', () => {
		const key = (event: string, fields: Payload) => parse(event, fields).dedupeKey;
		expect(key('preToolUse', bash)).toBe(key('preToolUse', { ...bash }));
		expect(key('preToolUse', bash)).not.toBe(key('preToolUse', { ...bash, timestamp: 1_790_000_000_124 }));
		expect(key('preToolUse', bash)).not.toBe(key('postToolUse', bash));
		expect(key('preToolUse', bash)).not.toBe(key('preToolUse', { ...bash, toolArgs: { command: 'ls' } }));
		expect(key('preToolUse', bash)).not.toBe(key('preToolUse', { ...bash, agentId: 'a' }));
	});

	test.each([undefined, null, '2026-10-02T13:06:40.123Z', Number.NaN])(
		'not without a time: %j',
		(timestamp) => {
			expect(parse('preToolUse', { ...bash, timestamp }).dedupeKey).toBeNull();
		},
	);
});
