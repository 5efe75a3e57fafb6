import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { happening, recorded, shell, shellResult } from './qwen-code-payloads.ts';

const isReadOnly = await createReadOnlyJudge();

function reads(tool_name: string, tool_input: unknown, cwd = '/home/dev/app'): boolean {
	const call = happening('PreToolUse', { tool_name, tool_input, cwd });
	return call.kind === 'tool-call' && isReadOnly(call.tool, call.input).readOnly;
}

describe('a constrained agent', () => {
	it.each([
		['read_file', { file_path: '/a' }],
		['grep_search', { pattern: 'a' }],
		['glob', { pattern: '*' }],
		['list_directory', { path: '/a' }],
		['todo_write', { todos: [] }],
		['ask_user_question', { questions: [] }],
		['run_shell_command', { command: 'git status', is_background: false }],
	])('may %s', (tool, input) => {
		expect(reads(tool, input)).toBe(true);
	});

	it.each([
		['write_file', { file_path: '/a', content: '' }],
		['edit', { file_path: '/a' }],
		['notebook_edit', { notebook_path: '/a' }],
		['run_shell_command', { command: 'npm test', is_background: false }],
		['run_shell_command', { command: 'git status', is_background: true }],
		['agent', { prompt: 'go' }],
		['skill', { skill: 'x' }],
		['web_fetch', { url: 'http://a' }],
		['save_memory', { fact: 'x' }],
		['tool_call', { name: 'write_file', arguments: {} }],
		['exec', { code: 'x' }],
		['monitor', { command: 'x' }],
		['mcp__db__query', {}],
		// Of somebody's extension.
		['Read', { file_path: '/a' }],
		['Glob', {}],
	])('may not %s %j', (tool, input) => {
		expect(reads(tool, input)).toBe(false);
	});

	it('runs nothing where the shell is that of Windows', () => {
		expect(reads('run_shell_command', { command: 'git status' }, 'C:\\w\\app')).toBe(false);
	});
});

describe('the result of a command', () => {
	const result = (llmContent: unknown) => {
		const end = happening('PostToolUse', { ...shell, tool_response: { llmContent, returnDisplay: '' } });
		return end.kind === 'tool-result' ? end.result : undefined;
	};

	it.each([
		[shellResult('(empty)'), ''],
		[shellResult('a\nb'), 'a\nb'],
		[shellResult('a', { exit: '1' }), 'a\nExit Code: 1'],
		[shellResult('(empty)', { exit: '(none)', signal: 'SIGTERM' }), 'Exit Code: (none)\nSignal: SIGTERM'],
		[shellResult('a', { error: 'spawn ENOENT' }), 'a\nError: spawn ENOENT'],
		[`${shellResult('a')}\n\nThis took long. Run it in the background.`, 'a'],
		// Of code mode, without the command.
		[shellResult('a').replace(/^Command: .*\n/, ''), 'a'],
		['Command timed out after 9ms before it could complete. There was no output before it timed out.'],
		['Background shell started.'],
	])('%j', (text, expected = text) => {
		expect(result(text)).toBe(expected);
	});

	it('says the same of two runs that differ in their processes only, whatever was printed', () => {
		const line = fc.constantFrom(
			'Error: x',
			'Exit Code: 0',
			'Signal: (none)',
			'Directory: a',
			'Output: b',
			'c',
			'',
		);
		fc.assert(
			fc.property(fc.array(line, { maxLength: 8 }), fc.nat(255), (lines, exit) => {
				const text = shellResult(['x', ...lines].join('\n'), { exit: String(exit) });
				expect(result(text)).toBe(['x', ...lines].join('\n') + (exit === 0 ? '' : `\nExit Code: ${exit}`));
				expect(result(text.replace('PGID: 4497', 'PGID: 7'))).toBe(result(text));
			}),
		);
	});

	it('of other tools is what the model read', () => {
		const end = (fields: object) => happening('PostToolUse', { tool_name: 'read_file', ...fields });
		expect(end({ tool_response: { llmContent: 'a\n' } })).toMatchObject({ result: 'a\n' });
		expect(end({ tool_response: { llmContent: [{ text: 'a' }, { text: 'b' }] } })).toMatchObject({
			result: 'a\nb',
		});
		expect(end({ tool_response: {} })).toMatchObject({ result: undefined });
	});
});

it('of the real program, each result has the call that it ends', () => {
	const calls = recorded('tools').map(({ event, body }) => happening(event, body));
	const started = calls.flatMap((each) => (each.kind === 'tool-call' ? [each.callId] : []));
	const ended = calls.flatMap((each) => (each.kind === 'tool-result' ? [each.callId] : []));
	expect(started.length).toBeGreaterThan(4);
	expect(ended).toEqual(expect.arrayContaining(started));
	expect(new Set(ended).size).toBe(ended.length);
});
