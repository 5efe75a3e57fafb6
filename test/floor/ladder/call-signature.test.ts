import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify } from '../../../src/main/floor/ladder/call-signature.ts';

const signature = (tool: string, input: unknown): string | null => identify(tool, input).signature;
const loose = (tool: string, input: unknown): string | null => identify(tool, input).looseSignature;

describe('the signature of a call', () => {
	it('is tool and whole input', () => {
		expect(signature('Read', { file_path: 'a' })).toBe(signature('Read', { file_path: 'a' }));
		expect(signature('Read', { file_path: 'a' })).not.toBe(signature('Read', { file_path: 'b' }));
		expect(signature('Read', { file_path: 'a' })).not.toBe(signature('Edit', { file_path: 'a' }));
		expect(signature('Read', { file_path: 'a', limit: 1 })).not.toBe(signature('Read', { file_path: 'a' }));
	});

	it.each(['Bash', 'bash', 'PowerShell', 'run_shell_command', 'shell', 'exec_command'])(
		'of a shell call (%s) leaves out the label for people',
		(tool) => {
			expect(signature(tool, { command: 'ls', description: 'List' })).toBe(
				signature(tool, { command: 'ls', description: 'List files' }),
			);
			expect(signature(tool, { command: 'ls', timeout: 1 })).not.toBe(signature(tool, { command: 'ls' }));
			expect(signature(tool, { description: 'List files' })).toBeNull();
		},
	);

	it('keeps a description where it is the input', () => {
		expect(signature('Task', { description: 'a' })).not.toBe(signature('Task', { description: 'b' }));
		expect(signature('Bash', { command: 'x', env: { description: 'a' } })).not.toBe(
			signature('Bash', { command: 'x', env: { description: 'b' } }),
		);
	});

	it.each([
		[undefined],
		[null],
		[''],
		[' \n'],
		[{}],
		[[]],
		[{ a: undefined }],
		[{ a: null }],
		[{ a: new Map() }],
	])('of %o is not known', (input) => {
		expect(identify('Read', input)).toMatchObject({ signature: null, looseSignature: null });
		expect(identify('Read', input).label).toBe('Read (input not available)');
	});

	it.each([[0], [false], ['x'], [[0]], [{ a: '' }], [{ a: 0 }], [{ a: {} }]])('of %j is known', (input) => {
		expect(signature('Read', input)).not.toBeNull();
	});

	it('is not known of an input that throws when it is read', () => {
		const { proxy, revoke } = Proxy.revocable({}, {});
		revoke();
		const hostile = {
			get command(): string {
				throw new Error('no');
			},
		};
		expect([signature('Bash', proxy), signature('Bash', hostile)]).toEqual([null, null]);
	});
});

describe('the loose signature', () => {
	it.each([
		[{ command: 'tail -n 5 log' }, { command: 'tail -n 120 log' }],
		[
			{ path: 'a', offset: 0 },
			{ path: 'a', offset: 2_000 },
		],
		[{ id: '8f14e45f-ceea-467f-a9f7-0123456789ab' }, { id: '11111111-2222-3333-4444-555555555555' }],
		[{ sha: 'a1b2c3d4e5' }, { sha: '9f8e7d6c5b4a' }],
		[{ at: '2026-01-05T09:00:00Z' }, { at: '2027-11-15T19:30:01.123Z' }],
	])('is equal for %j and %j', (one, other) => {
		expect(loose('X', one)).toBe(loose('X', other));
		expect(signature('X', one)).not.toBe(signature('X', other));
	});

	it.each([
		[{ command: 'cat a.ts' }, { command: 'cat b.ts' }],
		[{ word: 'effaced' }, { word: 'defaced' }],
		[{ a: 1 }, { b: 1 }],
	])('differs for %j and %j', (one, other) => {
		expect(loose('X', one)).not.toBe(loose('X', other));
	});

	it('is not asked of a very long input', () => {
		expect(loose('X', { text: 'x'.repeat(9_000) })).toBeNull();
	});
});

describe('may change things', () => {
	it.each([
		['Write', { file_path: 'a' }],
		['MultiEdit', { file_path: 'a' }],
		['apply_patch', { input: 'x' }],
		['mcp__gh__create_issue', { title: 'x' }],
		['mcp__gh__updateIssue', { title: 'x' }],
		['Bash', { command: 'curl -X POST http://localhost' }],
		['Bash', { command: "curl -d '{}' http://localhost" }],
		['Bash', { command: 'echo 1 > out.txt' }],
		['Bash', { command: 'git commit -m x' }],
	])('%s %j', (tool, input) => {
		expect(identify(tool, input).mayChangeThings).toBe(true);
	});

	it.each([
		['Read', { file_path: 'a' }],
		['mcp__gh__get_settings', { id: 4 }],
		['Bash', { command: 'curl -s http://localhost/status 2>/dev/null' }],
		['Bash', { command: 'npm test 2>&1 | tail -5' }],
		['Bash', { command: 'tail -f app.log' }],
	])('not %s %j', (tool, input) => {
		expect(identify(tool, input).mayChangeThings).toBe(false);
	});
});

describe('the label', () => {
	it.each([
		['Bash', { command: 'npm test --silent', description: 'Tests' }, 'Bash `npm test --silent`'],
		['shell', { command: ['bash', '-lc', 'ls'] }, 'shell `command: bash -lc ls`'],
		['get_item', { id: 4, deep: {}, name: 'x' }, 'get_item `id: 4, name: x`'],
		['Bash', { command: 'a\u0000b\n\tc\u202Ed' }, 'Bash `a b c d`'],
		['', { command: 'x' }, 'unnamed tool `x`'],
	])('of %s %j', (tool, input, label) => {
		expect(identify(tool, input).label).toBe(label);
	});

	it('is one short well-formed line whatever comes in', () => {
		const text = fc.string({ unit: 'binary', maxLength: 400 });
		fc.assert(
			fc.property(text, text, (tool, command) => {
				const { label } = identify(tool, { command });
				expect(label.length).toBeLessThan(190);
				expect(label.isWellFormed()).toBe(true);
				expect(label).not.toMatch(/[\n\r\p{Cc}]/u);
			}),
		);
		const surrogates = identify('x', { command: '\uD83D\uDE00'.repeat(300) });
		expect(surrogates.label.isWellFormed()).toBe(true);
	});
});
