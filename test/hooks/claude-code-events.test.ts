import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/main/floor/events.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { bash, happening, parse } from './claude-code-payloads.ts';
import { endOf } from './dialect-payloads.ts';

describe('every event of the tables', () => {
	const call = { callId: 'toolu_1', tool: 'Bash', input: { command: 'npm t' } };
	const ended = endOf(call);
	const rows: readonly (readonly [string, Payload, Happening])[] = [
		['SessionStart', { source: 'resume' }, { kind: 'session-start', source: 'resume' }],
		['SessionStart', { source: 'compact' }, { kind: 'session-start', source: 'compact' }],
		['SessionStart', {}, { kind: 'session-start', source: '' }],
		['SessionEnd', { reason: 'logout' }, { kind: 'session-end', reason: 'logout' }],
		['UserPromptSubmit', { prompt: 'go on' }, { kind: 'prompt', text: 'go on' }],
		['UserPromptSubmit', {}, { kind: 'prompt', text: '' }],
		['UserPromptSubmit', { prompt: '<task-notification>\n<task-id>a</task-id>' }, { kind: 'other' }],
		['PreToolUse', bash, { kind: 'tool-call', ...call }],
		['PreToolUse', {}, { kind: 'tool-call', callId: null, tool: 'unknown tool', input: undefined }],
		[
			'PreToolUse',
			{ tool_name: ['Bash'] },
			{ kind: 'tool-call', callId: null, tool: 'unknown tool', input: undefined },
		],
		[
			'PostToolUse',
			{ ...bash, tool_response: { stdout: 'one', stderr: 'two', interrupted: false }, duration_ms: 25 },
			{ ...ended, result: 'one\ntwo', durationMs: 25 },
		],
		['PostToolUse', { ...bash, tool_response: { stdout: '', stderr: '' } }, { ...ended, result: '' }],
		['PostToolUse', { ...bash, tool_response: 'plain' }, { ...ended, result: 'plain' }],
		['PostToolUse', bash, { ...ended, result: undefined }],
		[
			'PostToolUse',
			{ ...bash, tool_response: { stdout: 'x', interrupted: true } },
			{ ...ended, result: 'x', interrupted: true },
		],
		[
			'PostToolUse',
			{ ...bash, tool_response: { isError: true, content: 'no' } },
			{ ...ended, result: 'no', failed: true },
		],
		[
			'PostToolUse',
			{
				...bash,
				tool_response: [
					{ type: 'text', text: 'a' },
					{ type: 'text', text: 'b' },
				],
			},
			{ ...ended, result: 'a\nb' },
		],
		['PostToolUse', { ...bash, duration_ms: -1 }, { ...ended, result: undefined }],
		['PostToolUse', { ...bash, duration_ms: '25' }, { ...ended, result: undefined }],
		[
			'PostToolUseFailure',
			{ ...bash, error: 'Exit code 1\nboom', is_interrupt: false, duration_ms: 812 },
			{ ...ended, result: 'Exit code 1\nboom', failed: true, durationMs: 812 },
		],
		[
			'PostToolUseFailure',
			{ ...bash, is_interrupt: true },
			{ ...ended, result: undefined, failed: true, interrupted: true },
		],
		['PostToolBatch', { tool_calls: [{ ...bash, tool_response: 'hi' }] }, { kind: 'other' }],
		['PostToolBatch', { tool_calls: 'none' }, { kind: 'other' }],
		[
			'PostToolBatch',
			{
				tool_calls: ['toolu_1', 'toolu_2'].map((tool_use_id) => ({
					...bash,
					tool_use_id,
					tool_response: 'hi',
				})),
			},
			{ kind: 'tool-batch', callIds: ['toolu_1', 'toolu_2'] },
		],
		[
			'PostToolBatch',
			{
				tool_calls: [
					{ ...bash, tool_use_id: 'toolu_0', tool_response: 'hi' },
					{ ...bash, tool_response: '<tool_use_error>String to replace not found</tool_use_error>' },
				],
			},
			{ ...ended, result: 'String to replace not found', failed: true },
		],
		['PermissionRequest', bash, { kind: 'waiting', on: 'permission', message: 'wants to run Bash `npm t`' }],
		[
			'PermissionRequest',
			{ tool_name: 'Write', tool_input: { file_path: '/w/a.ts', content: 'x' } },
			{ kind: 'waiting', on: 'permission', message: 'wants to use Write on `/w/a.ts`' },
		],
		[
			'PermissionRequest',
			{ tool_name: 'X' },
			{ kind: 'waiting', on: 'permission', message: 'wants to use X' },
		],
		[
			'PermissionRequest',
			{ tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which port?' }] } },
			{ kind: 'waiting', on: 'question', message: 'Which port?' },
		],
		['PermissionDenied', { ...bash, reason: 'no' }, { kind: 'other' }],
		[
			'Notification',
			{ message: 'm', notification_type: 'permission_prompt' },
			{ kind: 'waiting', on: 'permission', message: 'm' },
		],
		[
			'Notification',
			{ message: 'm', notification_type: 'idle_prompt' },
			{ kind: 'waiting', on: 'turn-done', message: 'm' },
		],
		[
			'Notification',
			{ message: 'm', notification_type: 'elicitation_dialog' },
			{ kind: 'waiting', on: 'question', message: 'm' },
		],
		[
			'Notification',
			{ message: 'm', notification_type: 'elicitation_url_dialog' },
			{ kind: 'waiting', on: 'question', message: 'm' },
		],
		[
			'Notification',
			{ message: 'm', notification_type: 'agent_needs_input' },
			{ kind: 'waiting', on: 'question', message: 'm' },
		],
		['Notification', { message: 'm', notification_type: 'auth_success' }, { kind: 'other' }],
		['Notification', { message: 'm', notification_type: 'quota_auto_resume_fired' }, { kind: 'other' }],
		[
			'Notification',
			{ message: 'Claude needs your permission to use Bash' },
			{ kind: 'waiting', on: 'permission', message: 'Claude needs your permission to use Bash' },
		],
		[
			'Notification',
			{ message: 'Claude is waiting for your input' },
			{ kind: 'waiting', on: 'turn-done', message: 'Claude is waiting for your input' },
		],
		['Notification', {}, { kind: 'other' }],
		['Elicitation', { message: 'Your name?' }, { kind: 'waiting', on: 'question', message: 'Your name?' }],
		['Stop', { last_assistant_message: 'All done.' }, { kind: 'turn-end', message: 'All done.' }],
		[
			'StopFailure',
			{ error: 'rate_limit', error_details: '429', last_assistant_message: 'resets 3:40pm' },
			{ kind: 'turn-failed', blame: 'provider', error: 'rate_limit', message: 'resets 3:40pm' },
		],
		[
			'StopFailure',
			{ error: { type: 'overloaded' } },
			{ kind: 'turn-failed', blame: 'provider', error: 'overloaded', message: '' },
		],
		[
			'StopFailure',
			{ error_details: 'd' },
			{ kind: 'turn-failed', blame: 'provider', error: 'unknown', message: 'd' },
		],
		['PreCompact', { trigger: 'auto' }, { kind: 'compact-start' }],
		['PostCompact', { trigger: 'auto', compact_summary: 's' }, { kind: 'compact-end' }],
		['SubagentStart', { agent_id: 'a1' }, { kind: 'subagent-start' }],
		['SubagentStop', { agent_id: 'a1' }, { kind: 'subagent-end' }],
		['CwdChanged', { old_cwd: '/w', new_cwd: '/w/app/b' }, { kind: 'directory-changed', to: '/w/app/b' }],
		['CwdChanged', {}, { kind: 'other' }],
		['FileChanged', { file_path: '/w/a', event: 'change' }, { kind: 'file-changed', path: '/w/a' }],
		['FileChanged', { file_path: 7 }, { kind: 'file-changed', path: '7' }],
		['PostModelSwitch', { from_model: 'a', to_model: 'b' }, { kind: 'model-changed', to: 'b' }],
		['PostModelSwitch', { to_model: null }, { kind: 'other' }],
	];

	test.each(rows)('%s %j', (event, fields, expected) => {
		expect(happening(event, fields)).toEqual(expected);
	});

	test.each([
		['invalid_request', 'agent'],
		['max_output_tokens', 'agent'],
		['rate_limit', 'provider'],
		['overloaded', 'provider'],
		['server_error', 'provider'],
		['authentication_failed', 'provider'],
		['oauth_org_not_allowed', 'provider'],
		['billing_error', 'provider'],
		['model_not_found', 'provider'],
		['account_on_hold', 'provider'],
		['cloud_credential_error', 'provider'],
		['unknown', 'provider'],
		['a_word_of_tomorrow', 'provider'],
	])('a turn that failed with %s is the %s’s', (error, blame) => {
		expect(happening('StopFailure', { error })).toMatchObject({ kind: 'turn-failed', error, blame });
	});

	test.each([
		'Setup',
		'InstructionsLoaded',
		'UserPromptExpansion',
		'MessageDisplay',
		'TaskCreated',
		'TaskCompleted',
		'TeammateIdle',
		'ConfigChange',
		'DirectoryAdded',
		'WorktreeCreate',
		'WorktreeRemove',
		'ElicitationResult',
		'PreModelSwitch',
		'EventOfTomorrow',
		'constructor',
		'__proto__',
		'toString',
		'',
	])('%j is a sign of life and nothing more', (event) => {
		expect(parse(event, bash)).toMatchObject({ kind: 'other', sessionId: 's-7f', name: event });
	});
});
