import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filesOfPatch } from '../../src/main/hooks/codex-patch.ts';
import { codexCall } from '../../src/main/hooks/codex-tools.ts';
import { createDestructiveJudge } from '../../src/main/hooks/destructive/judge.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';

const isReadOnly = await createReadOnlyJudge();
const destroys = await createDestructiveJudge();

const callOf = (tool_name: unknown, tool_input: unknown, cwd = '/w/app') =>
	codexCall({ tool_name, tool_input, cwd });
const judged = (tool_name: unknown, tool_input: unknown, cwd?: string) => {
	const { tool, input } = callOf(tool_name, tool_input, cwd);
	return { reads: isReadOnly(tool, input).readOnly, destroys: destroys(tool, input) !== null };
};

const patch = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

describe('the tools of Codex under the floor’s names', () => {
	test.each([
		['Bash', { command: 'cat a.txt | head -3' }, { reads: true, destroys: false }],
		['Bash', { command: 'touch a' }, { reads: false, destroys: false }],
		['Bash', { command: 'git push --force' }, { reads: false, destroys: true }],
		['Bash', {}, { reads: false, destroys: true }],
		['view_image', { path: '/w/a.png' }, { reads: true, destroys: false }],
		['update_plan', { plan: [] }, { reads: true, destroys: false }],
		['request_user_input', { questions: [] }, { reads: true, destroys: false }],
		['read_mcp_resource', { server: 's', uri: 'u' }, { reads: true, destroys: false }],
		['get_goal', {}, { reads: true, destroys: false }],
		// A goal keeps the agent going by itself.
		['create_goal', { objective: 'x' }, { reads: false, destroys: false }],
		['spawn_agent', { message: 'x' }, { reads: false, destroys: false }],
		['send_input', { id: 'a', message: 'x' }, { reads: false, destroys: false }],
		['web_search', { query: 'x' }, { reads: false, destroys: false }],
		['mcp__notes__delete_note', { id: '1' }, { reads: false, destroys: true }],
		['mcp__notes__list', {}, { reads: false, destroys: false }],
		['apply_patch', { command: patch('*** Add File: a', '+x') }, { reads: false, destroys: false }],
		// A patch is text, whatever it says.
		['apply_patch', { command: 'rm -rf /\ngit push --force' }, { reads: false, destroys: false }],
		['apply_patch', {}, { reads: false, destroys: false }],
		['frobnicate', {}, { reads: false, destroys: false }],
		// Tools that a program brings along must not pass for known ones.
		['Read', { file_path: '/etc/passwd' }, { reads: false, destroys: false }],
		['Grep', { pattern: 'x' }, { reads: false, destroys: false }],
		[undefined, { command: 'ls' }, { reads: false, destroys: false }],
	])('%s %j', (tool, input, expected) => {
		expect(judged(tool, input)).toEqual(expected);
	});

	test('on Windows a shell is PowerShell, which nothing can prove to only read', () => {
		expect(callOf('Bash', { command: 'ls' }, 'C:\\w\\app').tool).toBe('PowerShell');
		expect(judged('Bash', { command: 'ls' }, 'C:\\w\\app').reads).toBe(false);
		expect(judged('Bash', { command: 'Remove-Item -Recurse x' }, '\\\\server\\w').destroys).toBe(true);
	});
});

describe('a patch', () => {
	test('of new files is a Write, of others an Edit; its files are absolute, and it stays whole', () => {
		const add = patch('*** Add File: a.txt', '+one', '*** Add File: /tmp/b.txt', '+two');
		expect(callOf('apply_patch', { command: add })).toEqual({
			tool: 'Write',
			input: { file_path: '/w/app/a.txt', files: ['/w/app/a.txt', '/tmp/b.txt'], patch: add },
			file: '/w/app/a.txt',
		});
		const update = patch('*** Update File: src/a.ts', '@@', '-a', '+b');
		expect(callOf('apply_patch', { command: update })).toEqual({
			tool: 'Edit',
			input: { file_path: '/w/app/src/a.ts', patch: update },
			file: '/w/app/src/a.ts',
		});
		expect(callOf('apply_patch', { command: patch('*** Delete File: a') })).toMatchObject({ tool: 'Edit' });
		expect(callOf('apply_patch', { command: 'nonsense' })).toEqual({
			tool: 'Edit',
			input: { patch: 'nonsense' },
			file: null,
		});
	});

	test('two patches of one file are two inputs', () => {
		const inputs = ['b', 'c'].map((letter) =>
			callOf('apply_patch', { command: patch('*** Update File: a', '@@', '-a', `+${letter}`) }),
		);
		expect(inputs[0]).not.toEqual(inputs[1]);
	});

	test('moves its file', () => {
		expect(filesOfPatch(patch('*** Update File: a', '*** Move to: b/c', '@@', '-x', '+y'))).toEqual([
			{ change: 'update', path: 'b/c' },
		]);
		expect(filesOfPatch(patch('*** Move to: nowhere'))).toEqual([]);
	});

	test('is not fooled by its content, nor by the line ends of Windows', () => {
		const content = ['+*** Delete File: x', '-*** Add File: y', ' *** Update File: z', '+*** Move to: w'];
		expect(filesOfPatch(patch('*** Update File: a', '@@', ...content))).toEqual([
			{ change: 'update', path: 'a' },
		]);
		expect(filesOfPatch('*** Begin Patch\r\n*** Add File: a b.txt\r\n+x\r\n')).toEqual([
			{ change: 'add', path: 'a b.txt' },
		]);
	});

	test('of any text is read in no time and never throws', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(filesOfPatch(text).length).toBeLessThanOrEqual(200);
			}),
		);
		expect(filesOfPatch('*** Add File: a\n'.repeat(10_000))).toHaveLength(200);
		expect(filesOfPatch(`*** Add File: ${' '.repeat(100_000)}x\n`)).toHaveLength(1);
	});
});
