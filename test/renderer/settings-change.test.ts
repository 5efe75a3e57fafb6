import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { capStanding, editedCaps } from '../../src/renderer/screens/settings/cap-standing.ts';
import { askPreview, type PreviewAnswer } from '../../src/renderer/screens/settings/preview-asking.ts';
import { previewWords, sessionWords } from '../../src/renderer/screens/settings/preview-words.ts';
import { allFields } from '../../src/renderer/screens/settings/setting-sections.ts';
import {
	changeOf,
	isStill,
	noEdits,
	patchBack,
} from '../../src/renderer/screens/settings/settings-change.ts';
import {
	discardEdits,
	editCaps,
	editField,
	saveEdits,
	unsavedCount,
	unsavedOf,
} from '../../src/renderer/screens/settings/unsaved.ts';
import { undoLast } from '../../src/renderer/store/undo.ts';
import { createViewStore } from '../../src/renderer/store/view-store.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { minuteWords } from '../../src/shared/format.ts';
import { defaultSettings, type Settings } from '../../src/shared/settings.ts';
import type { SettingsPreview } from '../../src/shared/settings-preview.ts';
import { anAgent, NOW } from './agents.ts';
import { FakeTransport } from './fake-transport.ts';

const withCaps = (agentTokenCaps: Record<string, number>): Settings => ({
	...defaultSettings,
	breaker: { ...defaultSettings.breaker, agentTokenCaps },
});

/** As the engine merges a patch: objects into objects, `null` takes a cap of an agent away. */
function patched(settings: unknown, patch: unknown, path = ''): unknown {
	if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
	const whole: Record<string, unknown> = { ...(settings as Record<string, unknown>) };
	for (const [name, value] of Object.entries(patch)) {
		if (value === null && path === '.breaker.agentTokenCaps') delete whole[name];
		else whole[name] = patched(whole[name], value, `${path}.${name}`);
	}
	return whole;
}

const aFieldEdit = fc.constantFrom(...allFields).chain(({ path, kind, choices }) => {
	const value =
		kind === 'switch'
			? fc.boolean()
			: kind === 'choice'
				? fc.constantFrom(...(choices ?? []).map((choice) => choice.value))
				: kind === 'time'
					? fc.constantFrom('22:00', '07:00')
					: fc.integer({ min: 1, max: 900 }).map(String);
	return value.map((typed) => [path, typed] as const);
});

describe('what is changed and not saved', () => {
	it('is nothing where nothing was touched', () => {
		expect(changeOf(noEdits, defaultSettings)).toMatchObject({ patch: {}, changed: [], problems: {} });
	});

	it('is the fields and each cap of an agent, in one patch', () => {
		const settings = withCaps({ shop: 1000, api: 2000 });
		const edits = {
			fields: { 'breaker.hardStop': true, port: '47100' },
			caps: { shop: null, web: 500, api: 2000 },
		};
		expect(changeOf(edits, settings)).toMatchObject({
			patch: { breaker: { hardStop: true, agentTokenCaps: { shop: null, web: 500 } } },
			changed: ['breaker.hardStop', 'breaker.agentTokenCaps:shop', 'breaker.agentTokenCaps:web'],
		});
	});

	it('is put back whole, whatever was changed', () => {
		fc.assert(
			fc.property(
				fc.array(aFieldEdit, { maxLength: 8 }),
				fc.dictionary(fc.string(), fc.integer({ min: 1, max: 9 }), { maxKeys: 4 }),
				fc.dictionary(fc.string(), fc.option(fc.integer({ min: 1, max: 9 })), { maxKeys: 4 }),
				(fields, caps, capEdits) => {
					const before = withCaps(caps);
					const { patch, changed } = changeOf({ fields: Object.fromEntries(fields), caps: capEdits }, before);
					const saved = patched(before, patch) as Settings;
					expect(isStill(changed, saved, saved)).toBe(true);
					expect(patched(saved, patchBack(changed, before))).toEqual(before);
				},
			),
		);
	});

	it('takes a hostile name of an agent for a name', () => {
		for (const name of ['__proto__', 'constructor', 'a.b', 'breaker', ':', '']) {
			const { patch } = changeOf({ fields: {}, caps: { [name]: 5 } }, defaultSettings);
			const caps = (patch.breaker as { agentTokenCaps: Record<string, number> }).agentTokenCaps;
			expect(Object.hasOwn(caps, name) && caps[name]).toBe(5);
		}
	});
});

describe('saving the settings', () => {
	function aFloor(settings: Settings = defaultSettings) {
		const transport = new FakeTransport();
		const view = createViewStore();
		const store = unsavedOf(view);
		let kept = settings;
		store.setState({ settings });
		transport.answer('settings:get', () => kept);
		transport.answer('settings:update', (patch) => {
			kept = patched(kept, patch) as Settings;
			return kept;
		});
		const elsewhere = (patch: unknown) => {
			kept = patched(kept, patch) as Settings;
		};
		return { transport, view, store, elsewhere, kept: () => kept };
	}

	it('counts what is changed, and what cannot be read', () => {
		const { store } = aFloor();
		expect(unsavedCount(store.getState())).toBe(0);
		editField(store, 'heartbeatSeconds', '10');
		editField(store, 'port', 'x');
		editCaps(store, { shop: 5 });
		expect(unsavedCount(store.getState())).toBe(3);
		editField(store, 'heartbeatSeconds', '30');
		editCaps(store, { shop: null });
		expect(unsavedCount(store.getState())).toBe(1);
		discardEdits(store);
		expect(unsavedCount(store.getState())).toBe(0);
	});

	it('asks once for all of it, and undo puts all of it back', async () => {
		const { transport, view, store, kept } = aFloor();
		editField(store, 'heartbeatSeconds', '10');
		editField(store, 'breaker.cycleLimit', 'off');
		editCaps(store, { shop: 5 });
		expect(await saveEdits(transport, view, store)).toBe(true);
		expect(transport.count('settings:update')).toBe(1);
		expect(kept()).toMatchObject({
			heartbeatSeconds: 10,
			breaker: { cycleLimit: null, agentTokenCaps: { shop: 5 } },
		});
		expect(unsavedCount(store.getState())).toBe(0);
		expect(view.getState().undoable?.words).toBe('Saved 3 settings');
		await undoLast(view);
		expect(kept()).toEqual(defaultSettings);
		expect(store.getState().settings).toEqual(defaultSettings);
	});

	it('takes nothing back that somebody has changed since, and says so', async () => {
		const { transport, view, store, elsewhere, kept } = aFloor();
		editField(store, 'heartbeatSeconds', '10');
		await saveEdits(transport, view, store);
		elsewhere({ port: 47300 });
		elsewhere({ heartbeatSeconds: 20 });
		await undoLast(view);
		expect(view.getState().undoable?.error?.message).toContain('changed again');
		expect(kept().heartbeatSeconds).toBe(20);
	});

	it('does not save what cannot be read, nor twice at once', async () => {
		const { transport, view, store } = aFloor();
		editField(store, 'port', 'x');
		expect(await saveEdits(transport, view, store)).toBe(false);
		editField(store, 'port', '47200');
		await Promise.all([saveEdits(transport, view, store), saveEdits(transport, view, store)]);
		expect(transport.count('settings:update')).toBe(1);
	});

	it('keeps what was typed while it was refused, with the reason at its field', async () => {
		const { transport, view, store } = aFloor();
		transport.answer('settings:update', () => {
			throw new ChannelError({
				code: 'invalid-argument',
				message: 'port: too large',
				meaning: '',
				remedy: '',
			});
		});
		editField(store, 'port', '99999');
		editField(store, 'heartbeatSeconds', '10');
		expect(await saveEdits(transport, view, store)).toBe(false);
		expect(store.getState().refusal).toMatchObject({ path: 'port', error: { message: 'port: too large' } });
		expect(unsavedCount(store.getState())).toBe(2);
		editField(store, 'port', '47200');
		expect(store.getState().refusal).toBeNull();
	});

	it('is one store for a window, and another for the next', () => {
		const view = createViewStore();
		expect(unsavedOf(view)).toBe(unsavedOf(view));
		expect(unsavedOf(createViewStore())).not.toBe(unsavedOf(view));
	});
});

const aPreview = (change: Partial<SettingsPreview> = {}): SettingsPreview => ({
	from: NOW - 3_600_000,
	to: NOW,
	events: 312,
	sessions: 4,
	before: { trips: 5, arms: {}, highest: { healthy: 1, steering: 2, constrained: 1, stopped: 0 } },
	after: { trips: 8, arms: {}, highest: { healthy: 0, steering: 2, constrained: 2, stopped: 0 } },
	changed: [],
	changedSessions: 2,
	notes: [],
	...change,
});
const since = `since ${minuteWords(NOW - 3_600_000, NOW)}`;

describe('what another value would have done', () => {
	const said = (change: Partial<SettingsPreview> = {}) =>
		previewWords(aPreview(change), '8 calls', '6 calls', NOW);
	const highest = aPreview().before.highest;

	it('is told in a sentence with its numbers and its time', () => {
		expect(said()).toBe(`With 6 calls instead of 8 calls: 3 more trips (5 → 8) ${since}, in 2 sessions.`);
		expect(said({ after: { trips: 4, arms: {}, highest }, changedSessions: 1 })).toBe(
			`With 6 calls instead of 8 calls: 1 fewer trip (5 → 4) ${since}, in 1 session.`,
		);
	});

	it('is that nothing would have been different, and on what that stands', () => {
		expect(said({ after: aPreview().before, changedSessions: 0 })).toBe(
			`With 6 calls instead of 8 calls: no difference ${since} (5 trips either way; 312 events of 4 sessions played).`,
		);
	});

	it('is another course with as many trips', () => {
		expect(said({ after: aPreview().before })).toBe(
			`With 6 calls instead of 8 calls: the same number of trips (5) ${since}, and another course in 2 sessions.`,
		);
	});

	it('is not known where nothing was recorded', () => {
		expect(said({ events: 0, sessions: 0, changedSessions: 0 })).toBe(
			`Nothing was recorded ${since}, so there is nothing to compare with.`,
		);
	});

	it('names the agents that would have been stopped', () => {
		const after = { trips: 8, arms: {}, highest: { ...highest, stopped: 1 } };
		expect(said({ after })).toContain(' 1 agent would have been stopped instead of 0.');
	});

	it('tells of each session how it would have fared', () => {
		const session = {
			sessionId: 's',
			name: 'shop',
			directory: '/w',
			before: { trips: 1, highest: 'steering' as const, at: NOW },
			after: { trips: 3, highest: 'constrained' as const, at: NOW - 60_000 },
			arm: 'repeated-tool' as const,
		};
		expect(sessionWords(session, NOW)).toBe(
			`3 trips instead of 1, up to constrained instead of steering, first at ${minuteWords(NOW - 60_000, NOW)} (Repeated calls)`,
		);
		const calm = { trips: 0, highest: 'healthy' as const, at: null };
		expect(sessionWords({ ...session, after: calm, arm: null }, NOW)).toBe(
			`0 trips instead of 1, up to healthy instead of steering, not at ${minuteWords(NOW, NOW)} any more`,
		);
	});
});

describe('asking for it', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});
	const patch = { breaker: { repeatedToolLimit: 6 } };

	it('waits until typing pauses', async () => {
		const transport = new FakeTransport();
		transport.answer('settings:preview', () => aPreview());
		const told: PreviewAnswer[] = [];
		const end = askPreview(
			transport,
			{ breaker: { repeatedToolLimit: 1 } },
			(answer) => told.push(answer),
			700,
		);
		await vi.advanceTimersByTimeAsync(600);
		end();
		askPreview(transport, patch, (answer) => told.push(answer), 700);
		await vi.advanceTimersByTimeAsync(700);
		expect(transport.requests).toEqual([{ channel: 'settings:preview', input: { patch } }]);
		expect(told).toMatchObject([{ kind: 'told' }]);
	});

	it('never tells an answer to a value that has gone', async () => {
		const transport = new FakeTransport();
		let answer: (preview: SettingsPreview) => void = () => {};
		transport.answer('settings:preview', () => new Promise((resolve) => (answer = resolve)));
		const told: PreviewAnswer[] = [];
		const end = askPreview(transport, patch, (one) => told.push(one), 10);
		await vi.advanceTimersByTimeAsync(10);
		end();
		answer(aPreview());
		await vi.advanceTimersByTimeAsync(0);
		expect(told).toEqual([]);
	});

	it('tells why there is no answer', async () => {
		const told: PreviewAnswer[] = [];
		askPreview(new FakeTransport(), patch, (one) => told.push(one), 10);
		await vi.advanceTimersByTimeAsync(10);
		expect(told).toMatchObject([{ kind: 'failed', error: { code: 'not-possible' } }]);
	});
});

describe('caps of single agents', () => {
	const agents = [
		anAgent('claude-code:11111111-2222-4333-8444-555555555555', { name: 'shop', directory: '/w/shop' }),
	];

	it.each([
		['claude-code:11111111-2222-4333-8444-555555555555', 'agent'],
		['shop', 'agent'],
		['/w/shop', 'agent'],
		['claude-code:99999999-2222-4333-8444-555555555555', 'gone'],
		['99999999-2222-4333-8444-555555555555', 'gone'],
		['codex:anything', 'gone'],
		['api', 'rule'],
		['/w/api', 'rule'],
		['codex:', 'rule'],
		['', 'rule'],
	])('%s meets: %s', (key, standing) => {
		expect(capStanding(key, agents)).toBe(standing);
	});

	it('are as they would be with the edits', () => {
		expect(editedCaps({ a: 1, b: 2 }, { b: null, c: 3, a: 4 })).toEqual({ a: 4, c: 3 });
	});
});
