import { describe, expect, test } from 'vitest';
import { createDestructiveJudge } from '../../src/main/hooks/destructive/judge.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { happening } from './copilot-cli-payloads.ts';

const isReadOnly = await createReadOnlyJudge();
const destroys = await createDestructiveJudge();

function callOf(toolName: unknown, toolArgs?: unknown): { tool: string; input: unknown } {
	const happened = happening('preToolUse', { toolName, toolArgs });
	if (happened.kind !== 'tool-call') throw new Error(`not a call: ${happened.kind}`);
	return { tool: happened.tool, input: happened.input };
}

const PATCH = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch';

describe('tools go by the names that the judges know', () => {
	test.each<[name: string, given: unknown, tool: string, input: unknown]>([
		['bash', { command: 'ls', description: 'd' }, 'Bash', { command: 'ls', description: 'd' }],
		['bash', { command: 'ls', shellId: 'x1', mode: 'sync', initial_wait: 60 }, 'Bash', { command: 'ls' }],
		['bash', { command: 'ls', sessionId: 'x1', detach: false }, 'Bash', { command: 'ls' }],
		['bash', { command: 'ls', mode: 'async' }, 'Bash', { command: 'ls', run_in_background: true }],
		['bash', { command: 'ls', detach: 'yes' }, 'Bash', { command: 'ls', run_in_background: true }],
		['powershell', { command: 'dir', shellId: '1' }, 'PowerShell', { command: 'dir' }],
		['read_bash', { shellId: '0', delay: 5 }, 'BashOutput', { shellId: '0', delay: 5 }],
		['list_bash', {}, 'TaskList', {}],
		['stop_bash', { shellId: '0' }, 'stop_bash', { shellId: '0' }],
		[
			'write_bash',
			{ shellId: '0', input: 'y\n' },
			'write_bash',
			{ shellId: '0', input: 'y\n', command: 'y\n' },
		],
		['view', { path: '/w/a', view_range: [1, 2] }, 'Read', { file_path: '/w/a', view_range: [1, 2] }],
		['create', { path: '/w/a', file_text: 'x' }, 'Write', { file_path: '/w/a', content: 'x' }],
		[
			'edit',
			{ path: '/w/a', old_str: 'x', new_str: 'y' },
			'Edit',
			{ file_path: '/w/a', old_string: 'x', new_string: 'y' },
		],
		['str_replace_editor', { command: 'view', path: '/w/a' }, 'Read', { file_path: '/w/a' }],
		[
			'str_replace_editor',
			{ command: 'create', path: '/w/a', file_text: '' },
			'Write',
			{ file_path: '/w/a', content: '' },
		],
		[
			'str_replace_editor',
			{ command: 'str_replace', path: '/w/a', old_str: 'x' },
			'Edit',
			{ file_path: '/w/a', old_string: 'x', edit: 'str_replace' },
		],
		[
			'str_replace_editor',
			{ command: 'burn', path: '/w/a' },
			'str_replace_editor',
			{ command: 'burn', path: '/w/a' },
		],
		['apply_patch', PATCH, 'Edit', { file_path: 'src/a.ts', patch: PATCH }],
		['apply_patch', { input: PATCH }, 'Edit', { file_path: 'src/a.ts', patch: PATCH }],
		['apply_patch', { other: 1 }, 'apply_patch', { other: 1 }],
		['grep', { pattern: 'x', paths: '.' }, 'Grep', { pattern: 'x', paths: '.' }],
		['glob', { pattern: '*' }, 'Glob', { pattern: '*' }],
		['web_fetch', { url: 'https://a' }, 'WebFetch', { url: 'https://a' }],
		['task', { prompt: 'p' }, 'Task', { prompt: 'p' }],
		['report_intent', { intent: 'Testing' }, 'TaskUpdate', { description: 'Testing' }],
		['my-server-delete_row', { id: '1' }, 'mcp__my-server-delete_row', { id: '1' }],
		['sql', { query: 'select 1' }, 'sql', { query: 'select 1' }],
		['tool_of_tomorrow', { a: 1 }, 'tool_of_tomorrow', { a: 1 }],
		['constructor', { a: 1 }, 'constructor', { a: 1 }],
	])('%s %j', (name, given, tool, input) => {
		expect(callOf(name, given)).toEqual({ tool, input });
		// Older versions sent the arguments as JSON text.
		if (typeof given === 'object') expect(callOf(name, ` ${JSON.stringify(given)}`)).toEqual({ tool, input });
	});

	test.each<[given: unknown, input: unknown]>([
		[undefined, undefined],
		[null, undefined],
		['{"command": "ls', '{"command": "ls'],
		['ls', 'ls'],
		['["ls"]', '["ls"]'],
		[['ls'], ['ls']],
		[7, 7],
	])('arguments that are no object stay as they are: %j', (given, input) => {
		expect(callOf('bash', given)).toEqual({ tool: 'Bash', input });
	});

	test('text that nests too deeply is cut as a payload is', () => {
		const deep = `{"command":"ls","a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
		expect(JSON.stringify(callOf('bash', deep).input)).toContain('nested too deeply');
	});

	test('a name without end is shortened, and a field named __proto__ is a field', () => {
		expect(callOf('x'.repeat(10_000)).tool.length).toBeLessThanOrEqual(200);
		const { input } = callOf('view', '{"__proto__":{"path":"/etc"},"path":"/w/a"}');
		expect(Object.keys(Object(input)).sort()).toEqual(['__proto__', 'file_path']);
	});

	test('equal calls are equal whatever shell they were given', () => {
		const call = (shellId: string) => callOf('bash', { command: 'npm t', shellId });
		expect(call('a')).toEqual(call('b'));
	});
});

describe('what an agent that may only read may do', () => {
	test.each<[name: string, given: unknown, may: boolean]>([
		['bash', { command: 'git status && ls | head' }, true],
		['bash', { command: 'git push' }, false],
		['bash', { command: 'ls', mode: 'async' }, false],
		['bash', {}, false],
		['bash', undefined, false],
		['bash', 'ls', false],
		['powershell', { command: 'dir' }, false],
		['view', { path: '/w/a' }, true],
		['grep', { pattern: 'x' }, true],
		['glob', { pattern: 'x' }, true],
		['read_bash', { shellId: '0' }, true],
		['list_bash', {}, true],
		['read_agent', { agent_id: 'a' }, true],
		['report_intent', { intent: 'x' }, true],
		['ask_user', { question: 'x?' }, true],
		['task_complete', { summary: 'x' }, true],
		['str_replace_editor', { command: 'view', path: 'a' }, true],
		['str_replace_editor', { command: 'create', path: 'a' }, false],
		['str_replace_editor', {}, false],
		['create', { path: 'a' }, false],
		['edit', { path: 'a' }, false],
		['apply_patch', PATCH, false],
		['write_bash', { input: 'ls' }, false],
		['stop_bash', { shellId: '0' }, false],
		['task', { prompt: 'x' }, false],
		['web_fetch', { url: 'x' }, false],
		['sql', { query: 'select 1' }, false],
		['my-server-list', {}, false],
		['', {}, false],
	])('%s %j: %s', (name, given, may) => {
		const { tool, input } = callOf(name, given);
		expect(isReadOnly(tool, input).readOnly).toBe(may);
	});
});

describe('what needs consent', () => {
	test.each<[name: string, given: unknown, needs: boolean]>([
		['bash', { command: 'git push -f' }, true],
		['bash', '{"command":"rm -rf build"}', true],
		['powershell', { command: 'Remove-Item -Recurse x' }, true],
		['write_bash', { input: 'git push\n', shellId: '0' }, true],
		['bash', undefined, true],
		['github-mcp-server-merge_pull_request', {}, true],
		['my-server-query', { sql: 'DELETE FROM t' }, true],
		['bash', { command: 'npm test' }, false],
		['str_replace_editor', { command: 'view', path: 'a' }, false],
		['my-server-list_rows', {}, false],
		['edit', { path: 'a', new_str: 'rm -rf /' }, false],
	])('%s %j: %s', (name, given, needs) => {
		const { tool, input } = callOf(name, given);
		expect(destroys(tool, input) !== null).toBe(needs);
	});
});

describe('a file counts as changed', () => {
	const changed = (toolName: string, toolArgs: unknown, resultType = 'success') => {
		const toolResult = { resultType, textResultForLlm: 'ok' };
		const happened = happening('postToolUse', { toolName, toolArgs, toolResult });
		return happened.kind === 'tool-result' ? happened.changedFile : undefined;
	};
	test('by the tools that write one, when they succeed', () => {
		expect(changed('create', { path: '/w/a' })).toBe('/w/a');
		expect(changed('edit', { path: '/w/a' })).toBe('/w/a');
		expect(changed('str_replace_editor', { command: 'insert', path: '/w/a' })).toBe('/w/a');
		expect(changed('apply_patch', PATCH)).toBe('src/a.ts');
		expect(changed('edit', { path: '/w/a' }, 'failure')).toBeNull();
		expect(changed('view', { path: '/w/a' })).toBeNull();
		expect(changed('bash', { command: 'touch a', path: '/w/a' })).toBeNull();
		const failed = { toolName: 'edit', toolArgs: { path: '/w/a' }, error: 'no' };
		expect(happening('postToolUseFailure', failed)).toMatchObject({ changedFile: null });
	});
});
