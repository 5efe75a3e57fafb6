import { describe, expect, test } from 'vitest';
import { LONGEST_RESULT } from '../../src/main/hooks/payload-fields.ts';
import { bash, happening } from './claude-code-payloads.ts';

describe('the file a call changed', () => {
	test.each([
		['Write', { file_path: '/w/a.ts' }, {}, '/w/a.ts'],
		['Edit', { file_path: 'C:\\w\\a.ts' }, {}, 'C:\\w\\a.ts'],
		['MultiEdit', { file_path: '/w/a.ts' }, {}, '/w/a.ts'],
		['NotebookEdit', { notebook_path: '/w/a.ipynb' }, {}, '/w/a.ipynb'],
		['Write', {}, { filePath: 'a.ts' }, 'a.ts'],
		['Read', { file_path: '/w/a.ts' }, {}, null],
		['Write', 'nonsense', 'nonsense', null],
	])('%s %j', (tool_name, tool_input, tool_response, changedFile) => {
		expect(happening('PostToolUse', { tool_name, tool_input, tool_response })).toMatchObject({ changedFile });
	});

	test('is none when the call failed', () => {
		const failed = happening('PostToolUseFailure', {
			tool_name: 'Write',
			tool_input: { file_path: '/w/a.ts' },
		});
		expect(failed).toMatchObject({ changedFile: null, failed: true });
	});
});

describe('a long result', () => {
	const result = (stdout: string) => {
		const happened = happening('PostToolUse', { ...bash, tool_response: { stdout } });
		return happened.kind === 'tool-result' ? (happened.result ?? '') : '';
	};

	test('keeps its head and its tail within the longest that an event carries', () => {
		const text = result(`first line\n${'x'.repeat(1_000_000)}\nlast line`);
		expect(text.length).toBeLessThanOrEqual(LONGEST_RESULT);
		expect(text.startsWith('first line')).toBe(true);
		expect(text.endsWith('last line')).toBe(true);
	});

	test('stays distinguishable from every other one', () => {
		const around = 'x'.repeat(LONGEST_RESULT);
		expect(result(`${around}a${around}`)).not.toBe(result(`${around}b${around}`));
		expect(result(`${around}a${around}`)).toBe(result(`${around}a${around}`));
	});

	test('is the same when only measured times differ', () => {
		const glob = (durationMs: number) =>
			happening('PostToolUse', { tool_name: 'Glob', tool_response: { filenames: ['a'], durationMs } });
		expect(glob(12)).toEqual(glob(34));
	});

	test('cut within a surrogate pair stays well-formed', () => {
		for (let shift = 0; shift < 4; shift += 1) {
			expect(result(`${'y'.repeat(shift)}${'😀'.repeat(LONGEST_RESULT)}`).isWellFormed()).toBe(true);
		}
	});
});
