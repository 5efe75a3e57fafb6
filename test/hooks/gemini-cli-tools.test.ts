import { describe, expect, test } from 'vitest';
import { identify } from '../../src/main/floor/ladder/call-signature.ts';
import { createDestructiveJudge } from '../../src/main/hooks/destructive/judge.ts';
import type { Payload } from '../../src/main/hooks/dialect.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { happening, recorded, SESSION } from './gemini-cli-payloads.ts';

const reads = await createReadOnlyJudge();
const destroys = await createDestructiveJudge();

function call(tool_name: string, tool_input?: unknown, more: Payload = {}) {
	const happened = happening('BeforeTool', { tool_name, tool_input, ...more });
	if (happened.kind !== 'tool-call') throw new Error('no tool call');
	return happened;
}

const isReadOnly = (...args: Parameters<typeof call>) => {
	const { tool, input } = call(...args);
	return reads(tool, input).readOnly;
};

describe('tools have the names and parameters that the floor knows', () => {
	test.each([
		['run_shell_command', { command: 'ls', dir_path: 'src' }, 'Bash', { command: 'ls', dir_path: 'src' }],
		['read_file', { file_path: 'a', start_line: 2 }, 'Read', { file_path: 'a', start_line: 2 }],
		['read_file', { absolute_path: '/w/a' }, 'Read', { file_path: '/w/a' }],
		['glob', { pattern: '*', dir_path: 'src' }, 'Glob', { pattern: '*', path: 'src' }],
		['grep_search', { pattern: 'x', dir_path: 'src' }, 'Grep', { pattern: 'x', path: 'src' }],
		['search_file_content', { pattern: 'x', path: 'src' }, 'Grep', { pattern: 'x', path: 'src' }],
		['list_directory', { dir_path: '.' }, 'LS', { path: '.' }],
		['write_file', { file_path: 'a', content: 'x' }, 'Write', { file_path: 'a', content: 'x' }],
		[
			'replace',
			{ file_path: 'a', instruction: 'so that it works', old_string: 'x', new_string: 'y' },
			'Edit',
			{ file_path: 'a', old_string: 'x', new_string: 'y' },
		],
		['web_fetch', { prompt: 'x' }, 'WebFetch', { prompt: 'x' }],
		['invoke_agent', { agent_name: 'a', prompt: 'x' }, 'Agent', { agent_name: 'a', prompt: 'x' }],
		['save_memory', { fact: 'x' }, 'save_memory', { fact: 'x' }],
		['read_file', undefined, 'Read', undefined],
		['read_file', ['a'], 'Read', ['a']],
		['replace', 'text', 'Edit', 'text'],
		['glob', { dir_path: 'a', path: 'b' }, 'Glob', { dir_path: 'a', path: 'b' }],
	])('%s %j', (name, input, tool, known) => {
		expect(call(name, input)).toMatchObject({ tool, input: known });
	});

	test('a parameter called __proto__ stays a parameter', () => {
		const { input } = call(
			'read_file',
			JSON.parse('{"__proto__": {"file_path": "a"}, "absolute_path": "b"}'),
		);
		expect(JSON.stringify(input)).toBe('{"__proto__":{"file_path":"a"},"file_path":"b"}');
	});

	test('a tool of an MCP server is named as such, with its server where that is told', () => {
		const context = { server_name: 'my_mail', tool_name: 'send' };
		expect(call('mcp_my_mail_send', {}, { mcp_context: context }).tool).toBe('mcp__my_mail__send');
		expect(call('mcp_my_mail_send', {}).tool).toBe('mcp__my_mail_send');
	});
});

describe('the judges', () => {
	test.each([
		['read_file', { file_path: 'a' }],
		['read_many_files', { include: ['src/**'] }],
		['glob', { pattern: '*' }],
		['grep_search', { pattern: 'x' }],
		['list_directory', { dir_path: '.' }],
		['get_internal_docs', { path: 'tools.md' }],
		['run_shell_command', { command: 'git status', description: 'look' }],
		['run_shell_command', { command: 'git status', is_background: false }],
		['write_todos', { todos: [] }],
		['ask_user', { questions: [] }],
		['complete_task', { result: 'x' }],
		['tracker_list_tasks', {}],
	])('let a constrained agent use %s %j', (name, input) => {
		expect(isReadOnly(name, input)).toBe(true);
	});

	test.each([
		['run_shell_command', { command: 'echo x > a' }],
		['run_shell_command', { command: 'git status', is_background: true }],
		['run_shell_command', {}],
		['run_shell_command', undefined],
		['write_file', { file_path: 'a', content: '' }],
		['replace', { file_path: 'a' }],
		['web_fetch', { url: 'https://x.dev' }],
		['google_web_search', { query: 'x' }],
		['save_memory', { fact: 'x' }],
		['invoke_agent', { prompt: 'x' }],
		['activate_skill', { name: 'x' }],
		['discovered_tool_x', {}],
		['mcp_files_read', {}],
		['tool_of_tomorrow', {}],
		// Names of the floor's own table are no names of Gemini CLI's.
		['Read', { file_path: 'a' }],
		['Bash', { command: 'ls' }],
		['', {}],
	])('refuse %s %j', (name, input) => {
		expect(isReadOnly(name, input)).toBe(false);
	});

	test('take the shell of Windows for what it is', () => {
		const on = (cwd: string) => call('run_shell_command', { command: 'ls' }, { cwd }).tool;
		expect([SESSION.cwd, 'C:\\w\\app', 'c:/w', '\\\\server\\w'].map(on)).toEqual([
			'Bash',
			'PowerShell',
			'PowerShell',
			'PowerShell',
		]);
	});

	test('name what destroys', () => {
		const destruction = (...args: Parameters<typeof call>) => {
			const { tool, input } = call(...args);
			return destroys(tool, input);
		};
		expect(destruction('run_shell_command', { command: 'rm -rf dist' })).not.toBeNull();
		expect(destruction('run_shell_command', { command: 'npm test' })).toBeNull();
		expect(destruction('mcp_mail_send_message', {})).not.toBeNull();
		expect(destruction('replace', { file_path: 'a' })).toBeNull();
	});
});

test('the same edit with another instruction is the same call', () => {
	const signature = (instruction: string, new_string = 'y') => {
		const { tool, input } = call('replace', { file_path: 'a', instruction, old_string: 'x', new_string });
		return identify(tool, input).signature;
	};
	expect(signature('first try')).toBe(signature('second try'));
	expect(signature('first try', 'z')).not.toBe(signature('first try'));
});

describe('results', () => {
	const outcome = (tool_name: string, tool_response: unknown, tool_input: unknown = {}) => {
		const happened = happening('AfterTool', { tool_name, tool_input, tool_response });
		if (happened.kind !== 'tool-result') throw new Error('no tool result');
		const { result, failed, interrupted, changedFile } = happened;
		return { result, failed, interrupted, changedFile };
	};
	const shell = (llmContent: unknown) => {
		const { changedFile: _, ...told } = outcome('run_shell_command', { llmContent, returnDisplay: '' });
		return told;
	};
	const wrapped = (text: string) => `<untrusted_context>\n${text}\n</untrusted_context>`;
	const ok = (result: string) => ({ result, failed: false, interrupted: false });
	const bad = (result: string) => ({ result, failed: true, interrupted: false });

	test.each([
		['Output: hi\nProcess Group PGID: 21056', ok('hi')],
		['Output: (empty)\nProcess Group PGID: 21056', ok('')],
		['Output: hi', ok('hi')],
		['Output: hi\nExit Code: 3\nProcess Group PGID: 1', bad('hi\nExit Code: 3')],
		['Output: (empty)\nExit Code: 1', bad('Exit Code: 1')],
		[
			'Output: a\nb\nSignal: SIGTERM\nBackground PIDs: 4, 5\nProcess Group PGID: 1',
			bad('a\nb\nSignal: SIGTERM'),
		],
		['Output: a\nExit Code: 143\nSignal: 15\nProcess Group PGID: 1', bad('a\nExit Code: 143\nSignal: 15')],
		// What a program prints does not speak for its end.
		[
			'Output: Process Group PGID: 1\nExit Code: 9\ndone\nProcess Group PGID: 7',
			ok('Process Group PGID: 1\nExit Code: 9\ndone'),
		],
		[
			'Command moved to background (PID: 77). Output hidden.',
			ok('Command moved to background (PID). Output hidden.'),
		],
		[
			'Command is running in background. PID: 77. Initial output:\nx',
			ok('Command is running in background. PID. Initial output:\nx'),
		],
		[
			'Command was cancelled by user before it could complete. There was no output before it was cancelled.',
			{
				...bad(
					'Command was cancelled by user before it could complete. There was no output before it was cancelled.',
				),
				interrupted: true,
			},
		],
		[
			'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
			bad(
				'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.',
			),
		],
		['a summary of the output', ok('a summary of the output')],
	])('of a shell: %j', (text, expected) => {
		expect(shell(wrapped(text))).toEqual(expected);
		expect(shell(text)).toEqual(expected);
	});

	test('are equal for equal outcomes, whatever the process was called', () => {
		const run = (pid: number) =>
			shell(wrapped(`Output: x\nBackground PIDs: ${pid + 1}\nProcess Group PGID: ${pid}`));
		expect(run(14188)).toEqual(run(14190));
	});

	test.each([
		[{ llmContent: 'alpha\n' }, 'alpha\n', false],
		[{ llmContent: wrapped('a page') }, 'a page', false],
		[{ llmContent: ['a', { text: 'b' }] }, 'a\nb', false],
		[{ llmContent: { text: 'a' } }, 'a', false],
		[{ llmContent: { inlineData: { data: 'AA' } } }, '{"inlineData":{"data":"AA"}}', false],
		[{ llmContent: [] }, '[]', false],
		[{ llmContent: 'Not found.', error: { message: 'm', type: 'file_not_found' } }, 'Not found.', true],
		[{ error: { message: 'm' } }, 'm', true],
		[{ llmContent: 'Output: x\nExit Code: 3', error: null }, 'Output: x\nExit Code: 3', false],
		[{}, undefined, false],
		[null, undefined, false],
		['text', undefined, false],
	])('of other tools: %j', (response, result, failed) => {
		expect(outcome('read_file', response)).toEqual({ result, failed, interrupted: false, changedFile: null });
	});

	test('name the file that was written, when one was', () => {
		const input = { file_path: 'b.txt', content: 'x' };
		const written = { llmContent: 'ok', returnDisplay: { filePath: '/w/app/b.txt' } };
		expect(outcome('write_file', written, input).changedFile).toBe('/w/app/b.txt');
		expect(outcome('replace', { llmContent: 'ok', returnDisplay: 'x' }, input).changedFile).toBe('b.txt');
		expect(outcome('write_file', { ...written, error: { message: 'no' } }, input).changedFile).toBeNull();
		expect(outcome('read_file', written, input).changedFile).toBeNull();
	});

	test('of the real program are read', () => {
		const results = recorded('tools').flatMap(({ event, body }) => {
			const happened = happening(event, body);
			return happened.kind === 'tool-result' ? [[happened.tool, happened.failed, happened.changedFile]] : [];
		});
		expect(results).toEqual([
			['Bash', true, null],
			['Bash', true, null],
			['Read', true, null],
			['Read', false, null],
			['Write', false, '/home/dev/app/b.txt'],
			['Edit', true, null],
			['Glob', false, null],
			['Grep', false, null],
			['LS', false, null],
		]);
	});
});
