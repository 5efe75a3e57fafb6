import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announcementsBetween } from '../../src/renderer/store/announcements.ts';
import { Announcer, inOneBreath } from '../../src/renderer/store/announcer.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { emptyPicture, pictureOf } from '../../src/shared/picture.ts';
import { anAgent, aSnapshot, aState, NOW } from './agents.ts';

const heard = (before: AgentView[], after: AgentView[]) =>
	announcementsBetween(pictureOf(aSnapshot(before)), pictureOf(aSnapshot(after))).map(
		({ urgency, text }) => `${urgency}: ${text}`,
	);

const steering = anAgent('api', {
	level: 'steering',
	standing: 'steering',
	levelReason: 'same call 9 times',
});
const asking = anAgent('api', {
	state: aState('waiting', { needsYou: true, reason: 'permission for Bash' }),
});

describe('what is announced', () => {
	it('is nothing for the first snapshot', () => {
		expect(announcementsBetween(emptyPicture, pictureOf(aSnapshot([steering, asking])))).toEqual([]);
	});

	it('is every change of level, politely, with its reason', () => {
		expect(heard([anAgent('api')], [steering])).toEqual(['polite: api is steering: same call 9 times']);
		expect(heard([steering], [anAgent('api')])).toEqual(['polite: api is healthy again']);
	});

	it('is an agent that waits for the operator, assertively, once', () => {
		expect(heard([anAgent('api')], [asking])).toEqual(['assertive: api waits for you: permission for Bash']);
		expect(heard([asking], [{ ...asking, lastTools: [] }])).toEqual([]);
		expect(heard([], [asking])).toEqual(['assertive: api waits for you: permission for Bash']);
	});

	it('is an agent that was stopped, assertively, and by whom', () => {
		const order = { kind: 'stop', words: '', at: NOW } as const;
		expect(heard([anAgent('api')], [anAgent('api', { standing: 'stopped', order })])).toEqual([
			'assertive: api is stopped: by your order',
		]);
		const held = anAgent('api', { standing: 'stopped', order: { ...order, kind: 'hold' } });
		expect(heard([anAgent('api')], [held])).toEqual(['assertive: api is held by your order']);
		const laddered = anAgent('api', { level: 'stopped', standing: 'stopped', levelReason: 'still looping' });
		expect(heard([anAgent('api')], [laddered])).toEqual(['assertive: api is stopped: still looping']);
	});

	it('is not the ordinary work of an agent', () => {
		const working = anAgent('api', { outputTokensPerMinute: 100, model: 'other' });
		expect(heard([anAgent('api')], [working, anAgent('new')])).toEqual([]);
	});

	it('shows hidden characters of a name instead of speaking them', () => {
		const named = { ...steering, name: 'api\u202Egnp' };
		expect(heard([anAgent('api')], [named])[0]).toContain('api⟨U+202E⟩gnp');
	});
});

describe('when it is said', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	it('is at once, then at most once a second, several in one breath', () => {
		const said: string[] = [];
		const announcer = new Announcer((text) => said.push(text));
		announcer.announce('one');
		announcer.announce('two');
		announcer.announce('three');
		expect(said).toEqual(['one.']);
		vi.advanceTimersByTime(999);
		expect(said).toHaveLength(1);
		vi.advanceTimersByTime(1);
		expect(said).toEqual(['one.', 'two. three.']);
		vi.advanceTimersByTime(5000);
		announcer.announce('four');
		expect(said.at(-1)).toBe('four.');
	});

	it('is never, once the window closes', () => {
		const said: string[] = [];
		const announcer = new Announcer((text) => said.push(text));
		announcer.announce('one');
		announcer.announce('two');
		announcer.dispose();
		vi.advanceTimersByTime(5000);
		expect(said).toEqual(['one.']);
	});

	it('names three of a burst and counts the rest', () => {
		expect(inOneBreath(['a', 'b', 'c', 'd', 'e'])).toBe('a. b. c. And 2 more.');
	});
});
