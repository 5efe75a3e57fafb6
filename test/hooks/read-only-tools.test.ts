// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell, not a template
import { describe, expect, test, vi } from 'vitest';
import { Tree } from 'web-tree-sitter';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';

const judge = await createReadOnlyJudge();

describe('tools', () => {
	test.each([
		'Read',
		'Glob',
		'Grep',
		'LS',
		'LSP',
		'NotebookRead',
		'BashOutput',
		'TaskOutput',
		'ListMcpResourcesTool',
		'ReadMcpResourceTool',
		'TodoRead',
		'TodoWrite',
		'TaskCreate',
		'TaskUpdate',
		'TaskList',
		'TaskGet',
		'AskUserQuestion',
		'ExitPlanMode',
		'StructuredOutput',
		'ToolSearch',
	])('%s only reads', (tool) => {
		expect(judge(tool, { file_path: '/a' }).readOnly).toBe(true);
	});

	test.each([
		'Write',
		'Edit',
		'MultiEdit',
		'NotebookEdit',
		'Agent',
		'Task',
		'Workflow',
		'Skill',
		'WebFetch',
		'WebSearch',
		'PowerShell',
		'KillShell',
		'TaskStop',
		'SendMessage',
		'CronCreate',
		'CronDelete',
		'ScheduleWakeup',
		'Monitor',
		'EnterWorktree',
		'ExitWorktree',
		'Artifact',
		'mcp__files__read',
		'mcp__x__Read',
		'ToolOfTomorrow',
		'read',
		'BASH',
		'constructor',
		'__proto__',
		'',
	])('%j is refused with a reason', (tool) => {
		const judged = judge(tool, { command: 'ls', file_path: '/a' });
		expect(judged.readOnly).toBe(false);
		expect(judged.why).not.toBe('');
	});

	test('the reason names the tool, or says what would happen', () => {
		expect(judge('Write', {}).why).toBe('`Write` is not known to only read');
		expect(judge('Agent', {}).why).toBe('a subagent would go on working');
		expect(judge('PowerShell', { command: 'ls' }).why).toContain('PowerShell');
	});
});

describe('the input of Bash', () => {
	test.each([
		[undefined],
		[null],
		['ls'],
		[['ls']],
		[{}],
		[{ command: 1 }],
		[{ command: null }],
		[{ command: ['ls'] }],
		[{ Command: 'ls' }],
		[Object.create({ command: 'ls' })],
	])('%j is not known', (input) => {
		expect(judge('Bash', input)).toEqual({ readOnly: false, why: 'its command is not known' });
	});

	test('in the background nothing only reads', () => {
		expect(judge('Bash', { command: 'ls', run_in_background: false }).readOnly).toBe(true);
		expect(judge('Bash', { command: 'ls', run_in_background: true }).readOnly).toBe(false);
		expect(judge('Bash', { command: 'ls', run_in_background: 'false' }).readOnly).toBe(false);
	});
});

describe('work is bounded', () => {
	test.each([
		['a long line', `ls ${'a '.repeat(40_000)}`],
		['a megabyte', 'ls;'.repeat(400_000)],
		['many here-documents', 'cat <<A '.repeat(1_000)],
		['nested substitutions', `echo ${'$(echo '.repeat(1_000)}${')'.repeat(1_000)}`],
		['nested groups', `${'('.repeat(4_000)}ls${')'.repeat(4_000)}`],
		['open expansions', '${'.repeat(4_900)],
		['open tests', '[[ ( '.repeat(1_900)],
		['quotes', '"'.repeat(9_999)],
	])('%s is refused', (_, command) => {
		expect(judge('Bash', { command }).readOnly).toBe(false);
	});

	test('after a refusal the next line is judged as ever', () => {
		judge('Bash', { command: '${'.repeat(4_900) });
		expect(judge('Bash', { command: 'ls' }).readOnly).toBe(true);
		expect(judge('Bash', { command: 'rm a' }).readOnly).toBe(false);
	});

	test('every syntax tree is freed, whatever the judgement', () => {
		const freed = vi.spyOn(Tree.prototype, 'delete');
		const commands = ['ls', 'rm a', 'ls (', 'cat <<EOF\n$(x)\nEOF', '$x', 'ls > a', ''];
		for (const command of commands) judge('Bash', { command });
		expect(freed).toHaveBeenCalledTimes(commands.length);
		freed.mockRestore();
	});
});
