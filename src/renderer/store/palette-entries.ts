/** What the palette lists: commands and agents, found by what was typed, the best first. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';
import { groupOf } from '../../shared/attention.ts';
import { clientWords } from '../../shared/format.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import { type Command, type CommandState, commandGroups } from './command.ts';
import { agentCommands, commands } from './commands.ts';
import { savedFilterCommands } from './filter-commands.ts';
import { groupWords } from './floor-layout.ts';
import type { ViewState } from './view-store.ts';

export type PaletteEntry =
	| { readonly kind: 'command'; readonly command: Command; readonly agent: AgentView | null }
	/** Leads on to what can be done with it. */
	| { readonly kind: 'agent'; readonly agent: AgentView };

export interface PaletteSection {
	readonly title: string;
	readonly entries: readonly PaletteEntry[];
}

export interface PaletteList {
	readonly sections: readonly PaletteSection[];
	/** Found in all; at most `MOST_SHOWN` of them are listed. */
	readonly found: number;
}

export interface PaletteQuestion {
	readonly typed: string;
	readonly view: ViewState;
	readonly picture: FloorPicture;
	/** In hand when the palette was opened; `null`: none. */
	readonly inHand: AgentView | null;
	/** Chosen in the first step; `null`: still in it. */
	readonly chosen: AgentView | null;
	/** Ids of commands, the newest first. */
	readonly recent: readonly string[];
}

/** More are counted, not listed: two thousand agents stay quick. */
export const MOST_SHOWN = 50;
/** Commands that were run last and stand first while nothing is typed. */
const RECENT_SHOWN = 5;

export function paletteList(question: PaletteQuestion): PaletteList {
	const { typed, chosen } = question;
	const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
	if (chosen !== null) {
		const entries = ranked(availableCommands(question, agentCommands, chosen), words);
		return capped([{ title: '', entries }]);
	}
	return words.length === 0 ? capped(atRest(question)) : found(question, words);
}

/** Nothing is typed: what was run last, what acts on the agent in hand, then everything. */
function atRest(question: PaletteQuestion): PaletteSection[] {
	const { inHand, picture, recent } = question;
	const all = availableCommands(question, everyCommand(question), inHand);
	const again = recent
		.map((id) => all.find(({ command }) => command.id === id))
		.filter((entry) => entry !== undefined)
		.slice(0, RECENT_SHOWN);
	const rest = all.filter((entry) => !again.includes(entry));
	const groups = Object.entries(commandGroups).map(([group, title]) => ({
		title,
		entries: rest.filter(({ command }) => command.group === group),
	}));
	return [
		{ title: 'Recent', entries: again },
		...groups,
		{ title: 'Agents', entries: agentEntries(picture) },
	];
}

function found(question: PaletteQuestion, words: readonly string[]): PaletteList {
	const offered = availableCommands(question, everyCommand(question), question.inHand);
	const commandsFound = ranked(offered, words, question.recent);
	const agentsFound = ranked(agentEntries(question.picture), words);
	const sections = [
		{ title: 'Commands', entries: commandsFound },
		{ title: 'Agents', entries: agentsFound },
	];
	// A name that begins as was typed is meant before a command that only mentions it.
	const agentFirst = bestScore(agentsFound, words) > bestScore(commandsFound, words);
	return capped(agentFirst ? sections.toReversed() : sections);
}

/** Those of every window, and those of the filters that this one has named. */
function everyCommand({ view }: PaletteQuestion): readonly Command[] {
	return [...commands, ...savedFilterCommands(view.preferences)];
}

function availableCommands(
	{ view, picture }: Pick<CommandState, 'view' | 'picture'>,
	among: readonly Command[],
	agent: AgentView | null,
) {
	return among
		.filter(({ id }) => id !== 'window.palette')
		.filter((command) => command.available({ view, picture, agent }))
		.map((command) => ({
			kind: 'command' as const,
			command,
			agent: command.group === 'agent' ? agent : null,
		}));
}

function agentEntries({ agents }: FloorPicture): PaletteEntry[] {
	return [...agents.values()].flatMap(({ value }) => (value === null ? [] : { kind: 'agent', agent: value }));
}

function capped(sections: readonly PaletteSection[]): PaletteList {
	let room = MOST_SHOWN;
	const shown: PaletteSection[] = [];
	for (const { title, entries } of sections) {
		const kept = entries.slice(0, room);
		room -= kept.length;
		if (kept.length > 0) shown.push({ title, entries: kept });
	}
	return { sections: shown, found: sections.reduce((sum, { entries }) => sum + entries.length, 0) };
}

/** Those in which every word is found, the best first; among equals the recent ones, then the order as it was. */
function ranked<T extends PaletteEntry>(
	entries: readonly T[],
	words: readonly string[],
	recent: readonly string[] = [],
): T[] {
	if (words.length === 0) return [...entries];
	const ageOf = (entry: T) => {
		const at = entry.kind === 'command' ? recent.indexOf(entry.command.id) : -1;
		return at === -1 ? recent.length : at;
	};
	return entries
		.map((entry) => ({ entry, score: scoreOf(entry, words), age: ageOf(entry) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score || a.age - b.age)
		.map(({ entry }) => entry);
}

function bestScore(entries: readonly PaletteEntry[], words: readonly string[]): number {
	const [first] = entries;
	return first === undefined ? 0 : scoreOf(first, words);
}

/** 0: a word is missing. A word at the head counts most, then at the head of a word, then inside, then elsewhere. */
function scoreOf(entry: PaletteEntry, words: readonly string[]): number {
	const { name, also } = textsOf(entry);
	const parts = ` ${name.replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
	let score = 0;
	for (const word of words) {
		if (name.startsWith(word)) score += 8;
		else if (parts.includes(` ${word}`)) score += 5;
		else if (name.includes(word)) score += 3;
		else if (also.includes(word)) score += 1;
		else return 0;
	}
	return score;
}

function textsOf(entry: PaletteEntry): { name: string; also: string } {
	if (entry.kind === 'agent') {
		const { name, directory, client, sessionId, model } = entry.agent;
		const also = `${directory}\n${clientWords(client)}\n${sessionId}\n${model ?? ''}\n${agentFacts(entry.agent)}`;
		return { name: name.toLowerCase(), also: also.toLowerCase() };
	}
	const { command, agent } = entry;
	return {
		name: command.words.toLowerCase(),
		also: `${command.also} ${agent?.name ?? ''} ${command.keys.join(' ')}`.toLowerCase(),
	};
}

/** "Needs you", "Working": where it stands on the floor. */
export function agentFacts(agent: AgentView): string {
	return groupWords[groupOf(agent)];
}
