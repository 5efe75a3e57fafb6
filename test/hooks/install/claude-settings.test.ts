import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	COMMAND_EVENTS,
	type DesiredHook,
	desiredHooks,
	HTTP_EVENTS,
	isOurs,
} from '../../../src/main/hooks/install/claude-handlers.ts';
import {
	foundContainers,
	hasOwnHooks,
	inspect,
	installationIn,
	isEmptySettings,
	withHooks,
	withoutHooks,
} from '../../../src/main/hooks/install/claude-settings.ts';
import { UnreadableSettings } from '../../../src/main/hooks/install/settings-document.ts';
import { settingsText, strictText } from './settings-texts.ts';

const desired = hooksFor('http://127.0.0.1:47100', 'token-1');
const other = hooksFor('http://127.0.0.1:50999', 'token-2');

function hooksFor(baseUrl: string, agentToken: string): DesiredHook[] {
	return desiredHooks({ file: '/c/settings.json', baseUrl, agentToken }, 'linux', '/c/authorization');
}

/** White space inside an empty object or list may go when it was filled and emptied. */
function closedUp(text: string): string {
	return text.replaceAll(/([[{])\s+([\]}])/g, '$1$2');
}

/** What installing means, said on values. */
function installedValue(value: Record<string, unknown>): Record<string, unknown> {
	const hooks = { ...(value.hooks as Record<string, unknown[]> | undefined) };
	for (const { event, handler } of desired) hooks[event] = [...(hooks[event] ?? []), { hooks: [handler] }];
	return { ...value, hooks };
}

describe('installing', () => {
	it('adds one group per event to what is there, and changes nothing else', () => {
		fc.assert(
			fc.property(strictText, (text) => {
				const value: Record<string, unknown> = JSON.parse(text);
				expect(JSON.stringify(JSON.parse(withHooks(text, desired)))).toBe(
					JSON.stringify(installedValue(value)),
				);
			}),
		);
	});

	it('keeps every character that was there, comments and layout included', () => {
		fc.assert(
			fc.property(settingsText, (text) => {
				const undone = withoutHooks(withHooks(text, desired), foundContainers(text));
				expect(closedUp(undone)).toBe(closedUp(text));
			}),
		);
	});

	it('twice is the same as once', () => {
		fc.assert(
			fc.property(settingsText, (text) => {
				const once = withHooks(text, desired);
				expect(withHooks(once, desired)).toBe(once);
				expect(inspect(once, desired).state).toBe('installed');
			}),
		);
	});

	it('over the hooks of another port and token is the same as afresh', () => {
		fc.assert(
			fc.property(settingsText, (text) => {
				const stale = withHooks(text, other);
				expect(inspect(stale, desired).state).toBe('partly');
				expect(withHooks(stale, desired)).toBe(withHooks(text, desired));
			}),
		);
	});

	it('over any part of an older list of events leaves each event once', () => {
		const older = [...other, { event: 'PreToolCall', handler: { type: 'http', url: other[2]?.handler.url } }];
		fc.assert(
			fc.property(strictText, fc.subarray(older as DesiredHook[]), (text, part) => {
				const next = withHooks(withHooks(text, part), desired);
				expect(inspect(next, desired)).toEqual({ state: 'installed', obstacle: '' });
				expect(withoutHooks(next)).toBe(withoutHooks(withHooks(text, desired)));
			}),
		);
	});

	it('writes as the file is written', () => {
		expect(withHooks('{\r\n\t"model": "x"\r\n}\r\n', desired.slice(2, 3))).toBe(
			[
				'{',
				'\t"model": "x",',
				'\t"hooks": {',
				'\t\t"UserPromptSubmit": [',
				'\t\t\t{',
				'\t\t\t\t"hooks": [',
				'\t\t\t\t\t{',
				'\t\t\t\t\t\t"type": "http",',
				'\t\t\t\t\t\t"url": "http://127.0.0.1:47100/hooks/claude-code/UserPromptSubmit",',
				'\t\t\t\t\t\t"timeout": 5,',
				'\t\t\t\t\t\t"headers": {',
				'\t\t\t\t\t\t\t"Authorization": "Bearer token-1"',
				'\t\t\t\t\t\t}',
				'\t\t\t\t\t}',
				'\t\t\t\t]',
				'\t\t\t}',
				'\t\t]',
				'\t}',
				'}',
				'',
			].join('\r\n'),
		);
		expect(withHooks('{"model":"x"}', desired.slice(2, 3))).not.toContain('\n');
		expect(withHooks('', desired)).toBe(`${JSON.stringify(installedValue({}), null, 2)}\n`);
	});

	it('leaves a comment with the line that it explains', () => {
		const text = '{\n  "model": "x", // cheap\n  "env": {} // none\n  /* end */\n}\n';
		expect(withHooks(text, desired)).toMatch(
			/^\{\n {2}"model": "x", \/\/ cheap\n {2}"env": \{\}, \/\/ none\n {2}\/\* end \*\/\n {2}"hooks": \{\n/,
		);
	});

	it('keeps what a person added to a handler of ours, and brings only the address up to date', () => {
		const handler = { ...other[3]?.handler, timeout: 30, statusMessage: 'asking the floor' };
		const retired = { type: 'http', url: 'http://localhost:1/hooks/claude-code/Retired' };
		const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }], Retired: [{ hooks: [retired] }] };
		const next = JSON.parse(withHooks(JSON.stringify({ hooks }, null, 4), desired));
		expect(next.hooks).not.toHaveProperty('Retired');
		expect(next.hooks.PreToolUse).toEqual([
			{
				matcher: 'Bash',
				hooks: [
					{
						...desired[3]?.handler,
						url: 'http://127.0.0.1:47100/hooks/claude-code/PreToolUse?within=30',
						timeout: 30,
						statusMessage: 'asking the floor',
					},
				],
			},
		]);
	});

	it('gives a hook from before there was consent the time that a person needs, and says it in its address', () => {
		const old = {
			type: 'http',
			url: 'http://127.0.0.1:47100/hooks/claude-code/PreToolUse',
			timeout: 5,
			headers: desired[3]?.handler.headers,
		};
		const next = JSON.parse(
			withHooks(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [old] }] } }), desired),
		);
		expect(next.hooks.PreToolUse).toEqual([{ hooks: [desired[3]?.handler] }]);
		expect(desired[3]?.handler).toMatchObject({ url: expect.stringMatching(/\?within=60$/), timeout: 60 });
	});

	it('never says more time than the client waits', () => {
		fc.assert(
			fc.property(fc.option(fc.integer({ min: 1, max: 600 })), fc.boolean(), (timeout, fresh) => {
				const handler = { ...(fresh ? desired : other)[3]?.handler, ...(timeout !== null && { timeout }) };
				const text = withHooks(JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }), desired);
				const [{ hooks }] = JSON.parse(text).hooks.PreToolUse;
				expect(hooks).toHaveLength(1);
				expect(hooks[0].url).toContain(`?within=${hooks[0].timeout}`);
				expect(withHooks(text, desired)).toBe(text);
			}),
			{ numRuns: 100 },
		);
	});

	it('removes doubles of ours, and takes none of what shares their group', () => {
		const mine = desired[3]?.handler;
		const yours = { type: 'command', command: 'true' };
		const text = JSON.stringify({
			hooks: { PreToolUse: [{ hooks: [mine, yours, mine] }, { hooks: [mine] }] },
		});
		expect(JSON.parse(withHooks(text, desired)).hooks.PreToolUse).toEqual([{ hooks: [mine, yours] }]);
		expect(JSON.parse(withoutHooks(text))).toEqual({ hooks: { PreToolUse: [{ hooks: [yours] }] } });
	});

	it('puts the hooks where a repeated name makes Claude Code look', () => {
		const text = '{"hooks":{"Stop":[1]},"hooks":{"Stop":[2],"Stop":[3]}}';
		const next = withHooks(text, desired);
		expect(JSON.parse(next).hooks.Stop).toEqual([3, { hooks: [expect.objectContaining({ type: 'http' })] }]);
		expect(withoutHooks(next, foundContainers(text))).toBe(text);
	});

	it.each([
		['{"a": 1,\n  "b" 2}', 'Colon expected at line 2, column 7'],
		['{\r\n\t"a": tru\r\n}', 'Invalid symbol at line 2, column 7'],
		['{"a": "x', 'Unexpected end of string at line 1, column 7'],
		['[1]', 'the file holds an array, not an object, at line 1, column 1'],
		['\n "x"', 'the file holds a string, not an object, at line 2, column 2'],
		['{"a": 1}\n}', 'End of file expected at line 2, column 1'],
		['{\n"hooks": []}', '"hooks" is an array, not an object, at line 2, column 10'],
		['{"hooks": null}', '"hooks" is null, not an object, at line 1, column 11'],
		['{"hooks": {\n"Stop": {}}}', '"hooks.Stop" is an object, not a list, at line 2, column 9'],
		['['.repeat(50_000), 'nested too deeply at line 1, column 1'],
	])('refuses %j and says where', (text, message) => {
		expect(() => withHooks(text, desired)).toThrow(
			new UnreadableSettings(message.slice(0, message.lastIndexOf(' at line')), ...placeIn(message)),
		);
	});
});

function placeIn(message: string): [number, number] {
	const [, line, column] = /line (\d+), column (\d+)$/.exec(message) ?? [];
	return [Number(line), Number(column)];
}

describe('removing', () => {
	it('changes nothing where there is nothing of ours', () => {
		fc.assert(fc.property(settingsText, (text) => withoutHooks(text) === text));
	});

	it('takes the containers that only held ours, unless they were found', () => {
		const text = '{\n  "hooks": {\n    "Stop": []\n  }\n}\n';
		const installed = withHooks(text, desired);
		expect(withoutHooks(installed, foundContainers(text))).toBe(text);
		expect(withoutHooks(installed)).toBe('{}\n');
		expect(isEmptySettings('{}\n')).toBe(true);
	});

	it('leaves a comment that somebody wrote among ours', () => {
		const installed = withHooks('{\n  "model": "x"\n}\n', desired);
		const commented = installed.replace('"hooks": {\n', '"hooks": {\n    // the floor\n');
		expect(withoutHooks(commented)).toBe('{\n  "model": "x"\n}\n');
		const beside = installed.replace(/\n}\n$/, '\n  // the end\n}\n');
		expect(withoutHooks(beside)).toBe('{\n  "model": "x"\n  // the end\n}\n');
	});
});

describe('inspecting', () => {
	const installed = withHooks('{}', desired);

	it('tells whose hooks they are', () => {
		expect(inspect('', desired).state).toBe('absent');
		expect(hasOwnHooks(installed)).toBe(true);
		expect(installationIn(installed)).toEqual({ baseUrl: 'http://127.0.0.1:47100', agentToken: 'token-1' });
		expect(installationIn('{"hooks":{}}')).toBeNull();
	});

	it.each([
		['{"disableAllHooks": true, "a": [1]}', /disableAllHooks/],
		['{"allowedHttpHookUrls": ["https://*"]}', /allowedHttpHookUrls/],
		['{"allowedHttpHookUrls": []}', /allowedHttpHookUrls/],
		['{"a": 1 /* note */}', /only strict JSON is read/],
		['{"a": [1,]}', /only strict JSON is read/],
	])('says why hooks in %j would not run', (text, why) => {
		expect(inspect(withHooks(text, desired), desired)).toEqual({
			state: 'installed',
			obstacle: expect.stringMatching(why),
		});
	});

	it.each([
		'{"disableAllHooks": false}',
		'{"allowedHttpHookUrls": ["http://127.0.0.1:*", "x"]}',
		'{"allowedHttpHookUrls": "x"}',
	])('finds no fault with %j', (text) => {
		expect(inspect(withHooks(text, desired), desired).obstacle).toBe('');
	});
});

describe('the handlers', () => {
	it('ask for every event by http but those that Claude Code cannot send so in silence', () => {
		expect(new Set(desired.map((hook) => hook.event)).size).toBe(HTTP_EVENTS.length + COMMAND_EVENTS.length);
		for (const { event, handler } of desired) {
			expect(handler.type).toBe(HTTP_EVENTS.some((name) => name === event) ? 'http' : 'command');
			expect(handler).not.toHaveProperty('onFailure');
			expect(JSON.stringify(handler)).toContain(`http://127.0.0.1:47100/hooks/claude-code/${event}`);
			expect(isOurs(handler)).toBe(true);
		}
	});

	it.each([
		{ type: 'http', url: 'http://10.0.0.1:47100/hooks/claude-code/Stop' },
		{ type: 'http', url: 'http://127.0.0.1:47100/hooks/codex/Stop' },
		{ type: 'http', url: 'not an address /hooks/claude-code/' },
		{ type: 'http' },
		{ type: 'command', command: 'cat >> /hooks/claude-code/log' },
		{ type: 'prompt', url: 'http://127.0.0.1:47100/hooks/claude-code/Stop' },
	])('are told from %j', (handler) => {
		expect(isOurs(handler)).toBe(false);
	});

	it.each([
		['http://127.0.0.1:47100/', 'token'],
		['https://127.0.0.1:47100', 'token'],
		['http://127.0.0.1:47100', ''],
		['http://127.0.0.1:47100', '$HOME'],
		['http://127.0.0.1:47100', 'a"b'],
		['http://127.0.0.1:47100', 'a\nb'],
	])('are not made for %j with token %j', (baseUrl, agentToken) => {
		expect(() => hooksFor(baseUrl, agentToken)).toThrow(RangeError);
	});
});
