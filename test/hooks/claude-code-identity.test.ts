import { describe, expect, test } from 'vitest';
import { claudeCodeDialect } from '../../src/main/hooks/claude-code.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { bash, parse, SESSION } from './claude-code-payloads.ts';
import { AT } from './dialect-payloads.ts';

describe('who and where', () => {
	const who = (common: Payload) => parse('Stop', {}, common).sessionId;

	test('a session is known by its id, else by its transcript, else by its directory', () => {
		expect(who(SESSION)).toBe('s-7f');
		expect(who({ session_id: 42 })).toBe('42');
		expect(who({ transcript_path: '/h/.claude/projects/-w-app/s-8.jsonl' })).toBe('s-8');
		expect(who({ transcript_path: 'C:\\Users\\dev\\.claude\\projects\\C--w\\s-9.jsonl' })).toBe('s-9');
		expect(who({ transcript_path: '/h/.claude/projects/-w-app/s-8/subagents/agent-a1.jsonl' })).toBe('s-8');
		expect(who({ transcript_path: '/h/p/s-8/subagents/workflows/wf_1/x.jsonl' })).toBe('s-8');
		expect(who({ cwd: '/w/app' })).toMatch(/^dir:[0-9a-f]{32}$/);
		expect(who({ cwd: '/w/app' })).toBe(who({ cwd: '/w/app/' }));
		expect(who({ cwd: '/w/app' })).not.toBe(who({ cwd: '/w/other' }));
		expect(who({ session_id: '  ', transcript_path: '', cwd: null })).toBe('unattributed');
		expect(who({ session_id: { $: 1 }, transcript_path: ['x'], cwd: 1 })).toMatch(/^dir:/);
		expect(who({})).toBe('unattributed');
	});

	test('an over-long id is replaced by a hash that tells sessions apart', () => {
		const long = 'x'.repeat(1_000_000);
		expect(who({ session_id: `${long}a` }).length).toBeLessThan(100);
		expect(who({ session_id: `${long}a` })).not.toBe(who({ session_id: `${long}b` }));
		expect(who({ session_id: 'x'.repeat(200) })).toBe('x'.repeat(200));
	});

	test('a subagent is named beside its session', () => {
		const event = parse('PreToolUse', { ...bash, agent_id: 'a1', agent_type: 'Explore' });
		expect(event).toMatchObject({ sessionId: 's-7f', subagentId: 'a1', subagentType: 'Explore' });
		expect(parse('PreToolUse', bash)).toMatchObject({ subagentId: null, subagentType: null });
	});

	test('directory, transcript, model and process are passed on', () => {
		const process = { pid: 4711, startTime: '99' };
		const payload = { ...SESSION, source: 'startup', model: 'claude-x' };
		const event = claudeCodeDialect.parse('SessionStart', payload, { at: AT, process });
		expect(event).toMatchObject({
			at: AT,
			client: 'claude-code',
			name: 'SessionStart',
			directory: '/w/app',
			transcriptPath: SESSION.transcript_path,
			model: 'claude-x',
			process,
		});
	});
});

describe('the same happening delivered twice', () => {
	const key = (event: string, fields: Payload) => parse(event, fields).dedupeKey;

	test('a call and its result have a key each, whichever event tells of the result', () => {
		const called = key('PreToolUse', bash);
		const result = key('PostToolUse', bash);
		expect(called).not.toBeNull();
		expect(result).not.toBe(called);
		expect(key('PostToolUseFailure', bash)).toBe(result);
		expect(key('PostToolBatch', { tool_calls: [{ ...bash, tool_response: '<tool_use_error>no' }] })).toBe(
			result,
		);
		expect(key('PreToolUse', { ...bash, tool_use_id: 'toolu_2' })).not.toBe(called);
		expect(key('PreToolUse', { ...bash, session_id: 'other' })).not.toBe(called);
		expect(key('PreToolUse', { ...bash, tool_use_id: undefined })).toBeNull();
	});

	test('a prompt has one where the client numbers its prompts', () => {
		const first = key('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p1' });
		expect(first).toBe(key('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p1' }));
		expect(first).not.toBe(key('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p2' }));
		expect(first).not.toBe(key('UserPromptSubmit', { prompt: 'stop', prompt_id: 'p1' }));
		expect(key('UserPromptSubmit', { prompt: 'go on' })).toBeNull();
	});

	test('a subagent that is resumed by a later prompt starts anew', () => {
		const start = key('SubagentStart', { agent_id: 'a1', prompt_id: 'p1' });
		expect(start).toBe(key('SubagentStart', { agent_id: 'a1', prompt_id: 'p1' }));
		expect(start).not.toBe(key('SubagentStop', { agent_id: 'a1', prompt_id: 'p1' }));
		expect(start).not.toBe(key('SubagentStart', { agent_id: 'a2', prompt_id: 'p1' }));
		expect(start).not.toBe(key('SubagentStart', { agent_id: 'a1', prompt_id: 'p2' }));
		expect(key('SubagentStart', {})).toBeNull();
	});

	test('nothing else has one', () => {
		for (const event of [
			'SessionStart',
			'Stop',
			'PermissionRequest',
			'Notification',
			'PreCompact',
			'Tomorrow',
		]) {
			expect(key(event, bash)).toBeNull();
		}
	});
});
