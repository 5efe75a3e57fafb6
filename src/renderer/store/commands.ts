/**
 * Everything the window can be asked to do, once: the palette lists it, the keys run it, the list of keys is drawn from
 * it. Pure: what a command does to the document or the engine goes through its host.
 */
import { type AgentAction, actionKeys, actionMeanings, actionsFor, actionWords } from './agent-actions.ts';
import type { Command, CommandHost } from './command.ts';
import { groupFilterCommands } from './filter-commands.ts';
import { openPage } from './page-link.ts';
import { type Page, pages, pageWords } from './pages.ts';
import type { Preferences, Theme } from './preferences.ts';
import { takeAction } from './take-action.ts';
import { undoLast } from './undo.ts';
import type { OpenDialog } from './view-store.ts';

/** Goes to what waits for the operator's answer: popups and consents, one after the other. */
export const DECISION_KEY = 'f';

/** Works while typing too, and with single keys off. */
export const PALETTE_CHORD = 'Ctrl+K';

const always = (): boolean => true;

const pageKeys: Partial<Record<Page, readonly string[]>> = { settings: [','] };

const pageCommands: readonly Command[] = pages.map((page, at) => ({
	id: `page.${page}`,
	words: `Go to ${pageWords[page]}`,
	also: 'page open show',
	keys: [String(at + 1), ...(pageKeys[page] ?? [])],
	group: 'page',
	asksEngine: false,
	available: always,
	run: ({ view }) => openPage(view, page),
}));

const actionCommands: readonly Command[] = Object.entries(actionKeys).map(([name, key]) => {
	const action = name as AgentAction;
	return {
		id: `agent.${action}`,
		words: actionWords[action].replace('…', ''),
		also: actionMeanings[action],
		keys: [key],
		group: 'agent',
		// A refusal is kept at the agent.
		asksEngine: false,
		available: ({ agent }) => agent !== null && actionsFor(agent).includes(action),
		run: ({ transport, view, floor, agentId }) =>
			agentId === null ? undefined : takeAction(transport, view, agentId, action, floor),
	};
});

const openAgent: Command = {
	id: 'agent.open',
	words: 'Open',
	also: 'drawer why timeline history',
	keys: ['Enter'],
	group: 'agent',
	asksEngine: false,
	available: ({ agent }) => agent !== null,
	run: ({ view, agentId }) => view.setState({ drawerAgentId: agentId, activeAgentId: agentId }),
};

interface Words {
	readonly id: string;
	readonly words: string;
	readonly also?: string;
	readonly keys?: readonly string[];
}

function dialogCommand(dialog: OpenDialog, { id, words, also = '', keys = [] }: Words): Command {
	const group = dialog?.kind === 'keys' || dialog?.kind === 'palette' ? 'window' : 'behind';
	const run = ({ view }: CommandHost) => view.setState({ dialog });
	return { id, words, also, keys, group, asksEngine: false, available: always, run };
}

const offersCommand: Command = {
	...dialogCommand({ kind: 'offers' }, { id: 'behind.offers', words: 'Local answers to compare' }),
	available: ({ picture }) => (picture.failover.value?.offers.length ?? 0) > 0,
};

const behindCommands: readonly Command[] = [
	dialogCommand({ kind: 'usage' }, { id: 'behind.usage', words: 'Usage', also: 'tokens cost money spend' }),
	dialogCommand({ kind: 'models' }, { id: 'behind.models', words: 'Rate limits', also: 'models chains 429' }),
	dialogCommand({ kind: 'outbox' }, { id: 'behind.outbox', words: 'Outbox', also: 'queued retry' }),
	dialogCommand(
		{ kind: 'providers' },
		{ id: 'behind.providers', words: 'Providers & models', also: 'tier local servers ollama' },
	),
	{
		id: 'behind.slo',
		words: 'Service levels',
		also: 'slo fallback degraded',
		keys: [],
		group: 'behind',
		asksEngine: false,
		available: always,
		run: ({ view }) => openPage(view, 'insights', { section: 'service-levels' }),
	},
	offersCommand,
];

/** Changes how the floor is shown; elsewhere nobody would see that it did. */
function lookCommand(
	words: Words & { readonly key: string },
	change: (preferences: Preferences) => Partial<Preferences>,
): Command {
	return {
		id: words.id,
		words: words.words,
		also: words.also ?? '',
		keys: [words.key],
		group: 'floor',
		asksEngine: false,
		available: ({ view }) => view.page === 'floor',
		run: ({ view }) =>
			view.setState(({ preferences }) => ({ preferences: { ...preferences, ...change(preferences) } })),
	};
}

const floorCommands: readonly Command[] = [
	lookCommand(
		{ id: 'floor.look', words: 'Switch between list and cards', also: 'view look grid rows', key: 'v' },
		({ look }) => ({ look: look === 'list' ? 'cards' : 'list' }),
	),
	lookCommand(
		{
			id: 'floor.grouping',
			words: 'Switch between groups by need and by repository',
			also: 'group grouping project',
			key: 'b',
		},
		({ grouping }) => ({ grouping: grouping === 'need' ? 'repository' : 'need' }),
	),
	{
		id: 'floor.search',
		words: 'Search this page',
		also: 'filter find agents settings',
		keys: ['/'],
		group: 'floor',
		asksEngine: false,
		available: always,
		run: ({ screen }) => screen.focusSearch(),
	},
	{
		id: 'floor.clear-filter',
		words: 'Show all agents',
		also: 'clear filter reset',
		keys: [],
		group: 'floor',
		asksEngine: false,
		available: ({ view }) => view.filter !== '',
		run: ({ view }) => view.setState({ filter: '' }),
	},
	...groupFilterCommands,
	{
		id: 'floor.decide',
		words: 'Answer what waits',
		also: 'decide failover consent popup lost provider',
		keys: [DECISION_KEY],
		group: 'floor',
		asksEngine: false,
		available: ({ picture: { failover } }) =>
			(failover.value?.popups.length ?? 0) + (failover.value?.consents.length ?? 0) > 0,
		run: ({ screen }) => screen.focusDecision(),
	},
	{
		id: 'floor.export',
		words: 'Export usage, trips or reliability…',
		also: 'csv json download save insights',
		keys: [],
		group: 'floor',
		asksEngine: false,
		available: always,
		run: ({ view }) => openPage(view, 'insights', { section: 'export' }),
	},
	{
		id: 'floor.demo-start',
		words: 'Play the demo',
		also: 'start played agents',
		keys: [],
		group: 'floor',
		asksEngine: true,
		available: ({ picture }) => picture.status.value?.demo === false,
		run: ({ transport, view }) => {
			openPage(view, 'floor');
			return transport.request('demo:start', {});
		},
	},
	{
		id: 'floor.demo-stop',
		words: 'Stop the demo',
		also: 'end played agents',
		keys: [],
		group: 'floor',
		asksEngine: true,
		available: ({ picture }) => picture.status.value?.demo === true,
		run: ({ transport }) => transport.request('demo:stop', {}),
	},
];

const themeWords: Readonly<Record<Theme, string>> = {
	system: 'Theme: as the system',
	dark: 'Theme: dark',
	light: 'Theme: light',
};

function themeCommand(theme: Theme): Command {
	return {
		id: `window.theme-${theme}`,
		words: themeWords[theme],
		also: 'colours appearance mode',
		keys: [],
		group: 'window',
		asksEngine: false,
		available: ({ view }) => view.preferences.theme !== theme,
		run: ({ view }) => view.setState(({ preferences }) => ({ preferences: { ...preferences, theme } })),
	};
}

const windowCommands: readonly Command[] = [
	{
		id: 'window.undo',
		words: 'Undo the last action',
		also: 'take back revert',
		keys: ['z'],
		group: 'window',
		// The bar says why it failed.
		asksEngine: false,
		available: ({ view }) => view.undoable !== null,
		run: ({ view }) => undoLast(view),
	},
	dialogCommand(
		{ kind: 'palette' },
		{ id: 'window.palette', words: 'Find or do…', also: 'commands', keys: [PALETTE_CHORD, 'p'] },
	),
	dialogCommand({ kind: 'keys' }, { id: 'window.keys', words: 'Keys', also: 'shortcuts help', keys: ['?'] }),
	...(['system', 'dark', 'light'] as const).map(themeCommand),
];

/** Every command, in the order in which it is listed. */
export const commands: readonly Command[] = [
	openAgent,
	...actionCommands,
	...pageCommands,
	...floorCommands,
	...behindCommands,
	...windowCommands,
];

/** Of the agent in hand, in the order of its buttons. */
export const agentCommands: readonly Command[] = commands.filter(({ group }) => group === 'agent');

export function commandById(id: string): Command | null {
	return commands.find((command) => command.id === id) ?? null;
}

/** What the keys do that is no command: moving, opening, closing. */
export const movementKeys: readonly (readonly [keys: readonly string[], meaning: string])[] = [
	[['↑', '↓'], 'The agent before, the agent after'],
	[['Home', 'End'], 'The first agent, the last one'],
	[['Tab'], 'On to the buttons of the agent'],
	[['Esc'], 'Close what is open, clear the search'],
];
