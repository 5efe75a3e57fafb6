import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	defaultDraft,
	draftOf,
	fieldOfError,
	numberOf,
	OFF,
	readDraft,
} from '../../src/renderer/screens/settings/setting-draft.ts';
import {
	defaultWords,
	isFound,
	meaningOf,
	valueAt,
} from '../../src/renderer/screens/settings/setting-fields.ts';
import { allFields, settingSections } from '../../src/renderer/screens/settings/setting-sections.ts';
import type { ChannelErrorData } from '../../src/shared/channels.ts';
import { defaultSettings, type Settings } from '../../src/shared/settings.ts';

const read = (edits: Record<string, string | boolean>) =>
	readDraft({ ...draftOf(defaultSettings), ...edits }, defaultSettings);

describe('the settings on screen', () => {
	it.each(allFields.map((field) => [field.path, field] as const))(
		'%s has a meaning, a value and a default',
		(path, field) => {
			expect(meaningOf(path)).not.toBe('');
			expect(valueAt(defaultSettings, path)).not.toBeUndefined();
			expect(defaultWords(field)).toMatch(
				/^(on|off|no cap|none|Ask me|The preferred model’s own limit|\d+|[\d\u00a0.]+ \S.*)$/,
			);
			expect(defaultDraft(field)).toBe(draftOf(defaultSettings)[path]);
		},
	);

	it('are every setting of the file: none can be changed only by hand unless it is a list that says so', () => {
		const lists = ['providers', 'localServers', 'models.chains', 'breaker.agentTokenCaps'];
		const edited = new Set([...allFields.map(({ path }) => path), ...lists]);
		const leaves = Object.entries(defaultSettings).flatMap(([name, value]) =>
			typeof value === 'object' && value !== null && !Array.isArray(value)
				? Object.keys(value).map((inner) => `${name}.${inner}`)
				: [name],
		);
		expect(leaves.filter((path) => !edited.has(path))).toEqual([]);
	});

	it('are found by their words, their unit, their name in the file and their section', () => {
		const found = (typed: string) =>
			settingSections.flatMap(({ title, fields }) =>
				fields.filter((field) => isFound(field, title, typed)).map(({ path }) => path),
			);
		expect(found('repeatedToolLimit')).toEqual(['breaker.repeatedToolLimit']);
		expect(found('QUIET hours')).toEqual(['notifications.quietFrom', 'notifications.quietUntil']);
		expect(found('megabytes')).toEqual(['retention.eventMegabytes']);
		expect(found('stop grace')).toEqual(['stop.graceSeconds']);
		expect(found('')).toHaveLength(allFields.length);
		expect(found('zzz')).toEqual([]);
	});
});

describe('from what was typed to a patch', () => {
	it('asks for nothing when nothing was changed', () => {
		expect(read({})).toEqual({ patch: {}, changed: [], problems: {} });
	});

	it('asks only for what was changed, nested as in the file', () => {
		const { patch, changed } = read({
			heartbeatSeconds: '10',
			'breaker.hardStop': true,
			'breaker.tokenVelocityPerMin': '80,000',
			'breaker.costCapUsd': '12.5',
		});
		expect(patch).toEqual({
			heartbeatSeconds: 10,
			breaker: { hardStop: true, tokenVelocityPerMin: 80_000, costCapUsd: 12.5 },
		});
		expect(changed).toHaveLength(4);
	});

	it('asks for a choice, an address and a port as they are, and for no address when it is emptied', () => {
		const { patch, problems } = read({
			'failover.policy': 'local',
			'webhook.url': ' https://example.org/floor ',
			port: '47200',
		});
		expect(patch).toEqual({
			failover: { policy: 'local' },
			webhook: { url: 'https://example.org/floor' },
			port: 47200,
		});
		expect(problems).toEqual({});
		const hooked = { ...defaultSettings, webhook: { url: 'https://example.org/floor' } };
		expect(readDraft({ ...draftOf(hooked), 'webhook.url': ' ' }, hooked).patch).toEqual({
			webhook: { url: null },
		});
	});

	it('takes an emptied cap for no cap, and nothing else empty', () => {
		const capped = { ...defaultSettings, breaker: { ...defaultSettings.breaker, costCapUsd: 5 } };
		const draft = { ...draftOf(capped), 'breaker.costCapUsd': '', heartbeatSeconds: ' ' };
		const { patch, problems } = readDraft(draft, capped);
		expect(patch).toEqual({ breaker: { costCapUsd: null } });
		expect(Object.keys(problems)).toEqual(['heartbeatSeconds']);
	});

	it('switches a limit off and on again by a word of its own, never by an emptied field', () => {
		expect(draftOf(defaultSettings)['breaker.sameResultLimit']).toBe('4');
		expect(read({ 'breaker.sameResultLimit': OFF }).patch).toEqual({ breaker: { sameResultLimit: null } });
		const emptied = read({ 'breaker.sameResultLimit': '' });
		expect(emptied.patch).toEqual({});
		expect(emptied.problems).toEqual({
			'breaker.sameResultLimit': 'A number is needed, or switch it off.',
		});
		const off = { ...defaultSettings, breaker: { ...defaultSettings.breaker, pollingLimit: null } };
		expect(draftOf(off)['breaker.pollingLimit']).toBe(OFF);
		expect(readDraft({ ...draftOf(off), 'breaker.pollingLimit': '60' }, off).patch).toEqual({
			breaker: { pollingLimit: 60 },
		});
	});

	it('takes quiet hours as two times, or as none', () => {
		const both = { 'notifications.quietFrom': '22:00', 'notifications.quietUntil': '07:30' };
		expect(read(both)).toMatchObject({
			patch: { notifications: { quietFrom: '22:00', quietUntil: '07:30' } },
			problems: {},
		});
		expect(Object.keys(read({ 'notifications.quietFrom': '22:00' }).problems)).toEqual([
			'notifications.quietUntil',
		]);
		const notifications = { ...defaultSettings.notifications, quietFrom: '22:00', quietUntil: '07:00' };
		const quiet: Settings = { ...defaultSettings, notifications };
		const without = { ...draftOf(quiet), 'notifications.quietFrom': '', 'notifications.quietUntil': '' };
		expect(readDraft(without, quiet)).toMatchObject({
			patch: { notifications: { quietFrom: null, quietUntil: null } },
			problems: {},
		});
		// One that stands in the file alone is not in the way of other changes.
		const lone: Settings = { ...quiet, notifications: { ...notifications, quietUntil: null } };
		expect(readDraft({ ...draftOf(lone), heartbeatSeconds: '10' }, lone).problems).toEqual({});
	});

	it('says at the field what is no number, and does not send it', () => {
		const { patch, problems } = read({
			'breaker.repeatedToolLimit': 'eight',
			'breaker.costCapTokens': '1e999',
		});
		expect(patch).toEqual({});
		expect(Object.keys(problems)).toEqual(['breaker.repeatedToolLimit', 'breaker.costCapTokens']);
	});

	it('leaves the limits to the engine', () => {
		expect(read({ 'breaker.repeatedToolLimit': '-3' }).patch).toEqual({ breaker: { repeatedToolLimit: -3 } });
	});

	it('reads back every number it shows', () => {
		fc.assert(
			fc.property(fc.double({ min: 0.001, max: 1e15, noNaN: true }), (value) => {
				expect(numberOf(String(value))).toBe(value);
			}),
		);
	});
});

describe('the field a refusal is about', () => {
	const refusal = (message: string): ChannelErrorData => ({
		code: 'invalid-argument',
		message,
		meaning: '',
		remedy: '',
	});

	it.each([
		[
			'breaker.repeatedToolLimit: Too small',
			['breaker.repeatedToolLimit', 'heartbeatSeconds'],
			'breaker.repeatedToolLimit',
		],
		[
			'repeatedToolLimit must be at least 1',
			['heartbeatSeconds', 'breaker.repeatedToolLimit'],
			'breaker.repeatedToolLimit',
		],
		['Too small', ['heartbeatSeconds'], 'heartbeatSeconds'],
		['Too small', ['heartbeatSeconds', 'stop.graceSeconds'], null],
		['The file is read-only', [], null],
	])('%s (changed: %j)', (message, changed, path) => {
		expect(fieldOfError(refusal(message), changed)).toBe(path);
	});
});
