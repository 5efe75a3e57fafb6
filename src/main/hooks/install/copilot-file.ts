/**
 * What to change in the text of a hooks file of Copilot CLI, and what stands in it:
 * `{"version": 1, "hooks": {"<event>": [<handler>]}}`. Pure: text in, text out.
 */
import { getNodeValue } from 'jsonc-parser';
import {
	brought,
	type CopilotHandler,
	type CopilotHook,
	callsAsDesired,
	EVENTS,
	isOurs,
} from './copilot-handlers.ts';
import {
	appendElement,
	appendMembers,
	elementsOf,
	isStrictJson,
	memberNamed,
	membersOf,
	type Node,
	nounOf,
	parseSettings,
	removeChild,
	replaceValues,
	unreadable,
} from './settings-document.ts';

export interface Inspection {
	/** Which of our hooks stand in the file, whether or not they would run. */
	readonly state: 'installed' | 'partly' | 'absent';
	/** Why Copilot CLI would not run these hooks although they stand in the file; empty otherwise. */
	readonly obstacle: string;
}

/** A handler of ours, with what holds it. */
interface OwnHandler {
	readonly event: string;
	readonly root: Node;
	readonly hooks: Node;
	readonly list: Node;
	readonly node: Node;
	readonly fields: CopilotHandler;
	/** False where a repeated name later in the file hides it. */
	readonly effective: boolean;
}

/** The whole file as the floor writes it. */
export function fileWith(hooks: readonly CopilotHook[]): string {
	const lists = hooks.map(({ event, handler }): [string, unknown] => [event, [handler]]);
	return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(lists) }, null, 2)}\n`;
}

/** Our hooks in `text`, in order. @throws UnreadableSettings */
export function ownHooks(text: string): CopilotHook[] {
	return ownHandlers(text).map(({ event, fields }) => ({ event, handler: fields }));
}

/** True when `text` is what the floor wrote, of whatever installation and version. @throws UnreadableSettings */
export function isAsWritten(text: string): boolean {
	const own = ownHooks(text);
	const written = own.every(({ handler }) => {
		const { type, bash, powershell, timeoutSec, ...added } = handler;
		return typeof timeoutSec === 'number' && Object.keys(added).length === 0;
	});
	return own.length > 0 && written && text === fileWith(own);
}

/**
 * The text with every desired hook in it once, and no other hook of ours. Stale ones are brought up to date where
 * they stand; everything else keeps its bytes.
 * @throws UnreadableSettings when the text is not a hooks file, or a place where a hook must go is taken.
 */
export function withHooks(text: string, desired: readonly CopilotHook[]): string {
	refuseTakenPlaces(text, desired);
	if (text.trim() === '') return fileWith(desired);
	let next = text;
	for (;;) {
		const own = ownHandlers(next);
		const kept = desired.map(({ event }) => ownHandlerOf(own, event));
		const surplus = own.filter((handler) => !kept.includes(handler));
		const [first] = surplus;
		if (first === undefined) break;
		next = withoutOwn(next, first, surplus);
	}
	for (const { event, handler } of desired) {
		const there = ownHandlerOf(ownHandlers(next), event);
		if (there === undefined || callsAsDesired(there.fields, handler)) continue;
		next = replaceValues(next, [{ node: there.node, value: brought(there.fields, handler) }]);
	}
	const own = ownHandlers(next);
	return withMissing(
		next,
		desired.filter(({ event }) => ownHandlerOf(own, event) === undefined),
	);
}

/**
 * The text without any hook of ours, and without the lists and the `hooks` object that only held them; `null` when
 * nothing but the version would be left.
 * @throws UnreadableSettings
 */
export function withoutHooks(text: string): string | null {
	let next = text;
	for (;;) {
		const own = ownHandlers(next);
		const [first] = own;
		if (first === undefined) break;
		next = withoutOwn(next, first, own);
	}
	return /^\s*(\{\s*("version"\s*:\s*1\s*)?\}\s*)?$/.test(next) ? null : next;
}

/** @throws UnreadableSettings */
export function inspect(text: string, desired: readonly CopilotHook[]): Inspection {
	const own = ownHandlers(text);
	const right = desired.filter(({ event, handler }) => {
		const there = ownHandlerOf(own, event);
		return there !== undefined && callsAsDesired(there.fields, handler);
	});
	if (own.length === 0) return { state: 'absent', obstacle: '' };
	const complete = right.length === desired.length && own.length === desired.length;
	return { state: complete ? 'installed' : 'partly', obstacle: obstacleIn(text, own) };
}

/** Each of these makes Copilot CLI pass over the file, or a key, without a word (measured with 1.0.102). */
function obstacleIn(text: string, own: readonly OwnHandler[]): string {
	if (!isStrictJson(text)) {
		return 'Copilot CLI ignores this whole file: it has a comment or a trailing comma, and only strict JSON is read.';
	}
	const root = parseSettings(text);
	const version = root === null ? undefined : memberNamed(root, 'version');
	if (version !== undefined && version.value !== 1) {
		return 'Copilot CLI ignores this whole file: its "version" is not 1.';
	}
	if (root !== null && memberNamed(root, 'disableAllHooks')?.value === true) {
		return 'Copilot CLI runs none of these hooks: "disableAllHooks" is true in this file.';
	}
	const known: readonly string[] = EVENTS;
	const misspelt = own.find(({ event }) => !known.includes(event));
	const meant = known.find((event) => event.toLowerCase() === misspelt?.event.toLowerCase());
	return misspelt === undefined || meant === undefined
		? ''
		: `Copilot CLI reads "${misspelt.event}" as another event or none: "${meant}" is meant.`;
}

function withMissing(text: string, missing: readonly CopilotHook[]): string {
	if (missing.length === 0) return text;
	const root = parseSettings(text);
	if (root === null) throw unreadable('no JSON value', text, 0);
	const lists = missing.map(({ event, handler }): [string, unknown] => [event, [handler]]);
	const hooks = memberNamed(root, 'hooks');
	if (hooks === undefined) return appendMembers(text, root, [['hooks', Object.fromEntries(lists)]]);
	const shared = missing.find(({ event }) => memberNamed(hooks, event) !== undefined);
	if (shared === undefined) return appendMembers(text, hooks, lists);
	const list = memberNamed(hooks, shared.event);
	if (list === undefined) return text;
	return withMissing(
		appendElement(text, list, shared.handler),
		missing.filter((hook) => hook !== shared),
	);
}

/** Removes the largest thing around `own` that holds nothing but handlers of `all`. */
function withoutOwn(text: string, own: OwnHandler, all: readonly OwnHandler[]): string {
	const nodes = new Set(all.map((handler) => handler.node));
	const isOwnList = (list: Node) =>
		list.type === 'array' && holdsOnly(elementsOf(list), (node) => nodes.has(node));
	if (holdsOnly(membersOf(own.hooks), ({ value }) => isOwnList(value))) {
		return removeMember(text, own.root, own.hooks);
	}
	if (isOwnList(own.list)) return removeMember(text, own.hooks, own.list);
	return removeChild(text, own.list, own.node);
}

function holdsOnly<T>(items: readonly T[], accepts: (item: T) => boolean): boolean {
	return items.length > 0 && items.every(accepts);
}

function removeMember(text: string, object: Node, value: Node): string {
	return value.parent === undefined ? text : removeChild(text, object, value.parent);
}

/** The one handler of ours that the program obeys for `event`. */
function ownHandlerOf(own: readonly OwnHandler[], event: string): OwnHandler | undefined {
	return own.find((handler) => handler.event === event && handler.effective);
}

/** Every handler of ours, those in repeated members included. What is not shaped like a hook is nobody of ours. */
function ownHandlers(text: string): OwnHandler[] {
	const root = parseSettings(text);
	if (root === null) return [];
	const own: OwnHandler[] = [];
	for (const { name, value: hooks } of membersOf(root)) {
		if (name !== 'hooks' || hooks.type !== 'object') continue;
		for (const { name: event, value: list } of membersOf(hooks)) {
			if (list.type !== 'array') continue;
			const effective = memberNamed(root, 'hooks') === hooks && memberNamed(hooks, event) === list;
			for (const node of elementsOf(list)) {
				if (node.type !== 'object') continue;
				const fields = Object.fromEntries(
					membersOf(node).map((member) => [member.name, getNodeValue(member.value)]),
				);
				if (isOurs(fields)) own.push({ event, root, hooks, list, node, fields, effective });
			}
		}
	}
	return own;
}

function refuseTakenPlaces(text: string, desired: readonly CopilotHook[]): void {
	const root = parseSettings(text);
	const hooks = root === null ? undefined : memberNamed(root, 'hooks');
	if (hooks === undefined) return;
	if (hooks.type !== 'object') {
		throw unreadable(`"hooks" is ${nounOf(hooks)}, not an object,`, text, hooks.offset);
	}
	for (const { event } of desired) {
		const list = memberNamed(hooks, event);
		if (list !== undefined && list.type !== 'array') {
			throw unreadable(`"hooks.${event}" is ${nounOf(list)}, not a list,`, text, list.offset);
		}
	}
}
