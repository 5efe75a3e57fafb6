import { describe, expect, it, test } from 'vitest';
import { faultOfHooksFile } from '../../../src/main/hooks/install/codex-hooks-file.ts';

const GROUPS = '[{"hooks":[{"type":"command","command":"true"}]}]';

/** Each tried with `hooks/list` of the app server of codex-cli 0.171.0: whether it found the hook of Stop. */
describe('what Codex reads', () => {
	test.each([
		'{}',
		'',
		`{"hooks":{"Stop":${GROUPS}}}`,
		`{"description":"x","hooks":{"Stop":${GROUPS}}}`,
		`{"hooks":{"Tomorrow":7,"Stop":${GROUPS}}}`,
		`{"hooks":{"Tomorrow":1,"Tomorrow":2,"Stop":${GROUPS}}}`,
		'{"hooks":{"Stop":[{"note":1,"hooks":[{"type":"command","command":"true","foo":1,"name":"z"}]}]}}',
		'{"hooks":{"Stop":[{"matcher":null,"hooks":[{"type":"prompt"}]}]}}',
	])('%s', (text) => {
		expect(faultOfHooksFile(text)).toBe('');
	});
});

describe('what makes Codex ignore the whole file', () => {
	test.each([
		[`{// c\n"hooks":{"Stop":${GROUPS}}}`, 'comment'],
		[`{"hooks":{"Stop":${GROUPS},}}`, 'trailing comma'],
		[
			`{"version":1,"hooks":{"Stop":${GROUPS}}}`,
			'"version", which Codex does not know, stands at line 1, column 12',
		],
		[`{"disableAllHooks":true,"hooks":{}}`, 'disableAllHooks'],
		[`{"Stop":${GROUPS}}`, '"Stop", which Codex does not know'],
		[`{"hooks":{"PreToolUse":"x","Stop":${GROUPS}}}`, '"hooks.PreToolUse" is a string'],
		[`{"hooks":{"Stop":${GROUPS},"Stop":${GROUPS}}}`, '"Stop" stands twice'],
		[`{"hooks":{},"hooks":{"Stop":${GROUPS}}}`, '"hooks" stands twice'],
		[`{"hooks":{"PreToolUse":[{"hooks":[{"type":"weird","command":"x"}]}]}}`, 'type is "weird"'],
		[`{"hooks":{"PreToolUse":[{"hooks":[{"command":"x"}]}]}}`, 'type is null'],
		[`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command"}]}]}}`, 'without a command'],
		[
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true","timeout":1.5}]}]}}`,
			'no whole number of seconds',
		],
		['{"hooks":{"Stop":[[]]}}', 'a group of Stop'],
		['{"hooks":{"Stop":[{"matcher":1}]}}', '"matcher" is a number'],
	])('%s', (text, why) => {
		expect(faultOfHooksFile(text)).toContain(why);
	});

	it('is told with its place', () => {
		expect(faultOfHooksFile('{\n  "hooks": {\n    "Stop": 7\n  }\n}')).toBe(
			'"hooks.Stop" is a number at line 3, column 13',
		);
	});
});
