import { describe, expect, it, vi } from 'vitest';
import type { Command, CommandHost } from '../../src/renderer/store/command.ts';
import { commandById, commands } from '../../src/renderer/store/commands.ts';
import { createFloorStore } from '../../src/renderer/store/floor-store.ts';
import { pages } from '../../src/renderer/store/pages.ts';
import { MOST_SHOWN, type PaletteQuestion, paletteList } from '../../src/renderer/store/palette-entries.ts';
import { defaultPreferences } from '../../src/renderer/store/preferences.ts';
import { keepRecent, readRecent } from '../../src/renderer/store/recent-commands.ts';
import { createViewStore, type OpenDialog } from '../../src/renderer/store/view-store.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { pictureOf } from '../../src/shared/picture.ts';
import { failoverViews } from '../support/failover-views.ts';
import { anAgent, aSnapshot, aState, aStatus, NOW } from './agents.ts';
import { FakeTransport } from './fake-transport.ts';

function aHost(agentId: string | null = null) {
	const transport = new FakeTransport();
	const floor = createFloorStore(NOW, pictureOf(aSnapshot(agentId === null ? [] : [anAgent(agentId)])));
	const view = createViewStore();
	const screen = { focusSearch: vi.fn(), focusDecision: vi.fn() };
	return { transport, floor, view, screen, agentId } satisfies CommandHost;
}

const named = (id: string): Command => {
	const command = commandById(id);
	if (command === null) throw new Error(`There is no command ${id}.`);
	return command;
};

describe('the commands', () => {
	it('have ids, words and keys that no other has', () => {
		const ids = commands.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const words = commands.map((command) => command.words);
		expect(new Set(words).size).toBe(words.length);
		const keys = commands.flatMap((command) => command.keys);
		expect(new Set(keys).size).toBe(keys.length);
	});

	it('reach every page', () => {
		for (const page of pages) {
			const host = aHost();
			void named(`page.${page}`).run(host);
			expect(host.view.getState().page).toBe(page);
		}
	});

	it('reach every dialog that needs nothing else to be opened', () => {
		const reached = new Set<string>();
		for (const command of commands.filter(({ asksEngine }) => !asksEngine)) {
			const host = aHost();
			void command.run(host);
			const { dialog } = host.view.getState();
			if (dialog !== null) reached.add(dialog.kind);
		}
		const alone: readonly NonNullable<OpenDialog>['kind'][] = [
			'keys',
			'outbox',
			'offers',
			'providers',
			'usage',
			'palette',
			'models',
		];
		expect([...reached].sort()).toEqual([...alone].sort());
	});

	it('act on the agent in hand, and on none without one', async () => {
		const host = aHost('a');
		host.transport.answer('control:hold', () =>
			anAgent('a', { order: { kind: 'hold', words: '', at: NOW } }),
		);
		await named('agent.hold').run(host);
		await named('agent.hold').run({ ...host, agentId: null });
		expect(host.transport.requests).toEqual([{ channel: 'control:hold', input: { agentId: 'a' } }]);
		void named('agent.stop').run(host);
		expect(host.view.getState().dialog).toEqual({ kind: 'stop', agentId: 'a' });
		void named('agent.open').run(host);
		expect(host.view.getState().drawerAgentId).toBe('a');
	});

	it('tell whoever runs them when the engine refuses', async () => {
		const host = aHost();
		for (const command of commands.filter(({ asksEngine }) => asksEngine)) {
			await expect(command.run(host)).rejects.toThrow('has no answer');
		}
	});

	it('narrow the floor to those that need the operator, and show all again', () => {
		const host = aHost();
		host.view.setState({ page: 'settings' });
		void named('filter.needs-you').run(host);
		expect(host.view.getState()).toMatchObject({ page: 'floor', filter: 'needs:you' });
		void named('floor.clear-filter').run(host);
		expect(host.view.getState().filter).toBe('');
	});
});

const lines = (change: Partial<PaletteQuestion> & { agents?: AgentView[]; demo?: boolean }) => {
	const { agents = [], demo = false, ...question } = change;
	const list = paletteList({
		typed: '',
		view: createViewStore().getState(),
		picture: pictureOf(aSnapshot(agents, { status: aStatus({ demo }) })),
		inHand: null,
		chosen: null,
		recent: [],
		...question,
	});
	return {
		found: list.found,
		titles: list.sections.map(({ title }) => title),
		names: list.sections.flatMap(({ entries }) =>
			entries.map((entry) => (entry.kind === 'agent' ? entry.agent.name : entry.command.id)),
		),
	};
};

describe('what the palette finds', () => {
	const shop = anAgent('shop', { directory: '/work/café' });

	it('is everything that can be done now, by group, and then the agents', () => {
		const { titles, names } = lines({ agents: [shop] });
		expect(titles).toEqual(['Pages', 'The floor', 'Behind the floor', 'This window', 'Agents']);
		expect(names).not.toContain('agent.hold');
		expect(names).not.toContain('floor.decide');
		expect(names).toContain('floor.demo-start');
		expect(names).not.toContain('floor.demo-stop');
		expect(names.at(-1)).toBe('shop');
	});

	it('is first what acts on the agent in hand', () => {
		const { titles, names } = lines({ agents: [shop], inHand: shop });
		expect(titles[0]).toBe('The agent in hand');
		expect(names.slice(0, 5)).toEqual([
			'agent.open',
			'agent.steer',
			'agent.hold',
			'agent.constrain',
			'agent.stop',
		]);
	});

	it('is, of an agent that was chosen, only what can be done with it', () => {
		const exited = anAgent('gone', { state: aState('exited') });
		expect(lines({ agents: [exited], chosen: exited }).names).toEqual(['agent.open']);
		expect(lines({ agents: [shop], chosen: shop, typed: 'hold' }).names).toEqual(['agent.hold']);
	});

	it('is what was run last first, as long as it can be done', () => {
		const recent = ['behind.slo', 'floor.demo-stop', 'page.insights', 'no.such'];
		expect(lines({ recent }).titles[0]).toBe('Recent');
		expect(lines({ recent }).names.slice(0, 2)).toEqual(['behind.slo', 'page.insights']);
		expect(lines({ recent, demo: true }).names.slice(0, 2)).toEqual(['behind.slo', 'floor.demo-stop']);
	});

	it('is what has every word, the head of a name before the rest', () => {
		expect(lines({ typed: 'theme dark' }).names[0]).toBe('window.theme-dark');
		expect(lines({ typed: 'DEMO play' }).names).toEqual(['floor.demo-start']);
		expect(lines({ typed: 'csv' }).names).toEqual(['floor.export']);
		const agents = [anAgent('usage-report'), anAgent('my-usage'), shop];
		const { names } = lines({ agents, typed: 'us' });
		expect(names.indexOf('usage-report')).toBeLessThan(names.indexOf('my-usage'));
		expect(lines({ agents, typed: 'café' }).names).toEqual(['shop']);
		expect(lines({ agents, typed: 'zzz' })).toEqual({ found: 0, titles: [], names: [] });
	});

	it('is an agent before commands that only mention what was typed', () => {
		expect(lines({ agents: [anAgent('tokens-api')], typed: 'tokens' }).names).toEqual([
			'tokens-api',
			'behind.usage',
		]);
	});

	it('is never more than is looked through, of however many agents', () => {
		const agents = Array.from({ length: 2000 }, (_, at) => anAgent(`agent-${at}`));
		const list = lines({ agents, typed: 'agent' });
		expect(list.names).toHaveLength(MOST_SHOWN);
		expect(list.found).toBeGreaterThanOrEqual(2000);
		expect(lines({ agents, typed: 'agent-1999' }).names).toEqual(['agent-1999']);
	});

	it('answers what waits, while something does', () => {
		const make = failoverViews(NOW);
		const failover = make.failover({ popups: [make.popup('p')], offers: [make.offer('o')] });
		const { names } = lines({ picture: pictureOf(aSnapshot([], { failover })) });
		expect(names).toContain('floor.decide');
		expect(names).toContain('behind.offers');
	});

	it('is the filters that have a name, too', () => {
		const view = createViewStore({
			...defaultPreferences,
			savedFilters: [{ name: 'Night shift\u202e', filter: 'repo:shop' }],
		});
		expect(lines({ typed: 'night', view: view.getState() }).names).toEqual([
			'filter.named.Night shift\u202e',
		]);
		expect(lines({ typed: 'half a cap' }).names).toEqual(['filter.named.Half a cap or more']);
	});

	it('takes a name for a name, whatever it holds', () => {
		const hostile = anAgent('x', { name: '"] [cmdk-item] \u202e<img src=x onerror=alert(1)> \\' });
		for (const typed of ['[cmdk', '<img', '\\', '"]', '(1)>']) {
			expect(lines({ agents: [hostile], typed }).names).toEqual([hostile.name]);
		}
	});
});

describe('the commands that were run last', () => {
	const kept = new Map<string, string>();
	const storage = {
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => void kept.set(key, value),
	};

	it('are kept, each once, the newest first, a dozen at most', () => {
		for (const id of ['a', 'b', 'a']) keepRecent(storage, id);
		expect(readRecent(storage)).toEqual(['a', 'b']);
		for (let at = 0; at < 30; at += 1) keepRecent(storage, `c${at}`);
		expect(readRecent(storage)).toHaveLength(12);
		expect(readRecent(storage)[0]).toBe('c29');
	});

	it.each(['', '{', '{}', '[1, null, {}]', '"a"'])('are none where %j is kept', (text) => {
		expect(readRecent({ getItem: () => text, setItem: () => {} })).toEqual([]);
	});

	it('cost nothing where nothing can be kept', () => {
		const full = {
			getItem: () => null,
			setItem: () => {
				throw new Error('full');
			},
		};
		expect(() => keepRecent(full, 'a')).not.toThrow();
		expect(readRecent(null)).toEqual([]);
	});
});
