/**
 * The filter box: words that must all be found, `"a phrase"`, `field:word`, and `-` before any of them for what must not
 * be. Pure.
 */
import type { AgentView } from '../../shared/agent-view.ts';
import { type AgentGroup, isHeld } from '../../shared/attention.ts';
import { clientWords } from '../../shared/format.ts';
import { isCapArm } from './caps.ts';

/** What can stand before a colon, with an example of what may follow it. */
export const filterFields = {
	needs: 'needs:you',
	level: 'level:constrained',
	state: 'state:waiting',
	repo: 'repo:shop',
	model: 'model:sonnet',
	client: 'client:codex',
	/** At or over so many percent of a cap. */
	cap: 'cap:50',
} as const;
export type FilterField = keyof typeof filterFields;

export interface FilterTerm {
	/** `null`: anywhere. */
	readonly field: FilterField | null;
	/** In lower case; never empty. */
	readonly text: string;
	/** It must not be found. */
	readonly negated: boolean;
}

/** One term: a minus, a field and a colon, then a phrase in quotes or a word. What is not closed reaches to the end. */
const TERM = /(-?)(?:([a-z]+):)?(?:"([^"]*)"?|(\S*))/giy;

/**
 * The terms of a filter. Never throws: what is no term of ours is a word as it stands (`http://x`, `qwen3:30b`), and a
 * field that nothing follows yet says nothing.
 */
export function parseFilter(filter: string): FilterTerm[] {
	const terms: FilterTerm[] = [];
	const space = /\s*/y;
	let at = 0;
	while (at < filter.length) {
		space.lastIndex = at;
		space.test(filter);
		at = space.lastIndex;
		TERM.lastIndex = at;
		const found = TERM.exec(filter);
		if (found === null || found[0] === '') break;
		at = TERM.lastIndex;
		const term = termOf(found);
		if (term.text !== '') terms.push(term);
	}
	return terms;
}

function termOf([whole, minus = '', name, phrase, word = '']: RegExpExecArray): FilterTerm {
	const field = name === undefined ? null : fieldOf(name);
	const plain = phrase ?? word;
	if (name !== undefined && field === null) {
		return {
			field: null,
			text: whole.slice(minus.length).replaceAll('"', '').toLowerCase(),
			negated: minus !== '',
		};
	}
	// A minus alone is a word.
	if (minus !== '' && name === undefined && phrase === undefined && word === '') {
		return { field: null, text: '-', negated: false };
	}
	return { field, text: plain.toLowerCase(), negated: minus !== '' };
}

function fieldOf(name: string): FilterField | null {
	const field = name.toLowerCase();
	return Object.hasOwn(filterFields, field) ? (field as FilterField) : null;
}

/** True when every term holds for an agent that stands in `group`. */
export function matchesTerms(agent: AgentView, terms: readonly FilterTerm[], group: AgentGroup): boolean {
	return terms.every((term) => holds(agent, term, group) !== term.negated);
}

function holds(agent: AgentView, { field, text }: FilterTerm, group: AgentGroup): boolean {
	switch (field) {
		case null:
			return textOf(agent).includes(text) || group.replace('-', ' ').includes(text);
		case 'needs':
			return group === 'needs-you' && ('you'.startsWith(text) || 'me'.startsWith(text));
		case 'level':
			return agent.standing.startsWith(text) || (isHeld(agent) && 'held'.startsWith(text));
		case 'state':
			return [agent.state.kind, group, group.replace('-', ' ')].some((word) => word.startsWith(text));
		case 'repo':
			return placesOf(agent).some((place) => place.toLowerCase().includes(text));
		case 'model':
			return [agent.model, agent.served?.model].some((model) => model?.toLowerCase().includes(text));
		case 'client':
			return [agent.client, clientWords(agent.client)].some((name) => name.toLowerCase().includes(text));
		case 'cap':
			return capShare(agent) >= Number.parseFloat(text) / 100;
	}
}

function placesOf({ repository, directory }: AgentView): string[] {
	return repository === null ? [directory] : [repository.name, repository.path];
}

/** How much of the cap that is nearest is used, 1 being all of it; 0 when no cap is set or counted. */
export function capShare({ arms }: Pick<AgentView, 'arms'>): number {
	const shares = arms.map(({ arm, count, limit }) =>
		isCapArm(arm) && count !== null && limit !== null && limit > 0 ? count / limit : 0,
	);
	return Math.max(0, ...shares);
}

/** Views are never changed, so their text is made once. */
const knownTexts = new WeakMap<AgentView, string>();

/** All that a plain word is looked for in, in lower case. */
function textOf(agent: AgentView): string {
	const known = knownTexts.get(agent);
	if (known !== undefined) return known;
	const { name, directory, repository, client, model, served, level, standing, state, sessionId } = agent;
	const text = [
		name,
		directory,
		repository?.name,
		client,
		model,
		served?.model,
		served?.harness,
		level,
		standing,
		state.kind,
		state.reason,
		sessionId,
	]
		.join('\n')
		.toLowerCase();
	knownTexts.set(agent, text);
	return text;
}

/** The same filter over bare texts: they have no fields, so a term with one is not found. */
export function hasAllWords(texts: readonly string[], filter: string): boolean {
	const terms = parseFilter(filter);
	if (terms.length === 0) return true;
	const text = texts.join('\n').toLowerCase();
	return terms.every((term) => (term.field === null && text.includes(term.text)) !== term.negated);
}
