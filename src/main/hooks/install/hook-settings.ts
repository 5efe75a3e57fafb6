/**
 * What to change in the text of a settings file that holds hooks, and what stands in it: in groups, as Claude Code has
 * them, `{"hooks": {"<event>": [{"hooks": [<handler>]}]}}`, or without, `{"hooks": {"<event>": [<handler>]}}`. Pure: text
 * in, text out. What differs between the CLIs is a `HookKind`.
 */
import { getNodeValue } from 'jsonc-parser';
import {
	appendElement,
	appendMembers,
	elementsOf,
	memberNamed,
	membersOf,
	type Node,
	nounOf,
	parseSettings,
	removeChild,
	replaceValues,
	textOf,
	unreadable,
} from './settings-document.ts';

/** A handler as it stands in the settings file. */
export type Handler = Readonly<Record<string, unknown>>;

export interface DesiredHook {
	readonly event: string;
	readonly handler: Handler;
}

/** What the hooks of one CLI look like. */
export interface HookKind {
	/** What a file holds, before any hook, that did not exist or was blank. */
	readonly newFile: string;
	/** False: the list of an event holds the handlers themselves. */
	readonly grouped: boolean;
	/** True for a handler of ours, of whatever installation and version. */
	isOurs(handler: Handler): boolean;
	/** True when `handler` calls the right floor; what else stands in it is the person's. */
	callsAsDesired(handler: Handler, desired: Handler): boolean;
	/** `handler` made to call as desired, keeping what the person added to it. */
	brought(handler: Handler, desired: Handler): Handler;
	/** Paths of the strings that can be written anew while the handler keeps its layout. */
	strings(desired: Handler): readonly (readonly string[])[];
	/** Why the CLI would not run `desired` although it stands in the file; empty otherwise. @throws UnreadableSettings */
	obstacleIn(text: string, desired: readonly DesiredHook[]): string;
}

export interface Inspection {
	/** Which of our hooks stand in the file, whether or not they would run. */
	readonly state: 'installed' | 'partly' | 'absent';
	/** Why the CLI would not run these hooks although they stand in the file; empty otherwise. */
	readonly obstacle: string;
}

/** Containers that stood in the file before the floor came: they stay when they are empty again. */
export interface FoundContainers {
	readonly hooks: boolean;
	readonly events: ReadonlySet<string>;
}

const NOTHING_FOUND: FoundContainers = { hooks: false, events: new Set() };

/** A handler of ours, with what holds it; without groups, `group` is `node` and `handlers` is `groups`. */
export interface OwnHandler {
	readonly event: string;
	readonly root: Node;
	readonly hooks: Node;
	readonly groups: Node;
	readonly group: Node;
	readonly handlers: Node;
	readonly node: Node;
	readonly fields: Handler;
	/** False where a repeated name later in the file hides it from the CLI. */
	readonly effective: boolean;
}

/**
 * The text with every desired hook in it once, and no other hook of ours. Stale ones are brought up to date where
 * they stand; everything else keeps its bytes.
 * @throws UnreadableSettings when the text is not a settings object, or a place where a hook must go is taken.
 */
export function withHooks(kind: HookKind, text: string, desired: readonly DesiredHook[]): string {
	refuseTakenPlaces(text, desired);
	let next = text.trim() === '' ? kind.newFile : text;
	let own = ownHandlers(kind, next);
	const change = (changed: string) => {
		next = changed;
		own = ownHandlers(kind, next);
	};
	for (;;) {
		const kept = desired.map(({ event }) => ownHandlerOf(own, event));
		const surplus = own.filter((handler) => !kept.includes(handler));
		const [first] = surplus;
		if (first === undefined) break;
		change(withoutOwn(kind, next, first, surplus, NOTHING_FOUND));
	}
	for (const { event, handler } of desired) {
		const there = ownHandlerOf(own, event);
		if (there === undefined || kind.callsAsDesired(there.fields, handler)) continue;
		change(broughtUpToDate(kind, next, there, handler));
	}
	return withMissing(
		kind,
		next,
		desired.filter(({ event }) => ownHandlerOf(own, event) === undefined),
	);
}

/**
 * The text without any hook of ours, and without the groups, lists and the `hooks` object that only held them, unless
 * these are among `found`.
 * @throws UnreadableSettings when the text is not a settings object.
 */
export function withoutHooks(kind: HookKind, text: string, found: FoundContainers = NOTHING_FOUND): string {
	let next = text;
	for (;;) {
		const all = ownHandlers(kind, next);
		const [own] = all;
		if (own === undefined) return next;
		next = withoutOwn(kind, next, own, all, found);
	}
}

/** @throws UnreadableSettings */
export function hasOwnHooks(kind: HookKind, text: string): boolean {
	return ownHandlers(kind, text).length > 0;
}

/** True when nothing is left in the text: no member, no comment. */
export function isEmptySettings(text: string): boolean {
	return /^\s*(\{\s*\})?\s*$/.test(text);
}

/** Which containers stand in `text`. @throws UnreadableSettings */
export function foundContainers(text: string): FoundContainers {
	const hooks = hooksOf(parseSettings(text));
	return hooks === undefined
		? NOTHING_FOUND
		: { hooks: true, events: new Set(membersOf(hooks).map((member) => member.name)) };
}

/** @throws UnreadableSettings */
export function inspect(kind: HookKind, text: string, desired: readonly DesiredHook[]): Inspection {
	const own = ownHandlers(kind, text);
	const right = desired.filter(({ event, handler }) => {
		const there = ownHandlerOf(own, event);
		return there !== undefined && kind.callsAsDesired(there.fields, handler);
	});
	const obstacle = kind.obstacleIn(text, desired);
	if (own.length === 0) return { state: 'absent', obstacle };
	const complete = right.length === desired.length && own.length === desired.length;
	return { state: complete ? 'installed' : 'partly', obstacle };
}

function withMissing(kind: HookKind, text: string, missing: readonly DesiredHook[]): string {
	if (missing.length === 0) return text;
	const entry = (handler: Handler) => (kind.grouped ? { hooks: [handler] } : handler);
	const lists = missing.map(({ event, handler }): [string, unknown] => [event, [entry(handler)]]);
	const root = rootOf(text);
	const hooks = memberNamed(root, 'hooks');
	if (hooks === undefined) return appendMembers(text, root, [['hooks', Object.fromEntries(lists)]]);
	const shared = missing.find(({ event }) => memberNamed(hooks, event) !== undefined);
	if (shared === undefined) return appendMembers(text, hooks, lists);
	const groups = memberNamed(hooks, shared.event);
	if (groups === undefined) return text;
	return withMissing(
		kind,
		appendElement(text, groups, entry(shared.handler)),
		missing.filter((hook) => hook !== shared),
	);
}

/** Where only strings are wrong they are written anew, and the handler keeps its layout. */
function broughtUpToDate(kind: HookKind, text: string, own: OwnHandler, desired: Handler): string {
	const next = kind.brought(own.fields, desired);
	const strings = kind.strings(desired);
	const replacements = strings.flatMap((path) => {
		const node = nodeAt(own.node, path);
		const value = valueAt(next, path);
		return node !== undefined && textOf(node) !== undefined && value !== undefined ? [{ node, value }] : [];
	});
	const written = new Set(strings.map(([name]) => name));
	const names = Object.keys({ ...own.fields, ...next }).filter((name) => !written.has(name));
	const alike = names.every((name) => JSON.stringify(own.fields[name]) === JSON.stringify(next[name]));
	return alike && replacements.length === strings.length
		? replaceValues(text, replacements)
		: replaceValues(text, [{ node: own.node, value: next }]);
}

function nodeAt(object: Node, path: readonly string[]): Node | undefined {
	return path.reduce<Node | undefined>((node, name) => node && memberNamed(node, name), object);
}

function valueAt(object: Handler, path: readonly string[]): unknown {
	return path.reduce<unknown>(
		(value, name) =>
			typeof value === 'object' && value !== null
				? Object.getOwnPropertyDescriptor(value, name)?.value
				: undefined,
		object,
	);
}

/** Removes the largest thing around `own` that holds nothing but handlers of `all`. */
function withoutOwn(
	kind: HookKind,
	text: string,
	own: OwnHandler,
	all: readonly OwnHandler[],
	found: FoundContainers,
): string {
	const nodes = new Set(all.map((handler) => handler.node));
	const isOwnGroup = (group: Node) => {
		if (!kind.grouped) return nodes.has(group);
		const handlers = handlersIn(group);
		return handlers !== undefined && holdsOnly(elementsOf(handlers), (node) => nodes.has(node));
	};
	const isOwnList = (event: string, groups: Node) =>
		!found.events.has(event) && groups.type === 'array' && holdsOnly(elementsOf(groups), isOwnGroup);
	const isOwnObject = holdsOnly(membersOf(own.hooks), ({ name, value }) => isOwnList(name, value));
	if (!found.hooks && isOwnObject) return removeMember(text, own.root, own.hooks);
	if (isOwnList(own.event, own.groups)) return removeMember(text, own.hooks, own.groups);
	if (isOwnGroup(own.group)) return removeChild(text, own.groups, own.group);
	return removeChild(text, own.handlers, own.node);
}

function holdsOnly<T>(items: readonly T[], accepts: (item: T) => boolean): boolean {
	return items.length > 0 && items.every(accepts);
}

function removeMember(text: string, object: Node, value: Node): string {
	return value.parent === undefined ? text : removeChild(text, object, value.parent);
}

/** The one handler of ours that the CLI obeys for `event`. */
function ownHandlerOf(own: readonly OwnHandler[], event: string): OwnHandler | undefined {
	return own.find((handler) => handler.event === event && handler.effective);
}

/** Every handler of ours, those in repeated members included. What is not shaped like a hook is nobody of ours. */
export function ownHandlers(kind: HookKind, text: string): OwnHandler[] {
	const root = parseSettings(text);
	if (root === null) return [];
	const own: OwnHandler[] = [];
	for (const { name, value: hooks } of membersOf(root)) {
		if (name !== 'hooks' || hooks.type !== 'object') continue;
		for (const { name: event, value: groups } of membersOf(hooks)) {
			const effective = memberNamed(root, 'hooks') === hooks && memberNamed(hooks, event) === groups;
			for (const place of placesIn(kind, groups)) {
				if (place.node.type !== 'object') continue;
				const fields = fieldsOf(place.node);
				if (kind.isOurs(fields)) own.push({ event, root, hooks, groups, ...place, fields, effective });
			}
		}
	}
	return own;
}

/** Where handlers stand in the list of an event. */
function placesIn(kind: HookKind, groups: Node): Pick<OwnHandler, 'group' | 'handlers' | 'node'>[] {
	if (groups.type !== 'array') return [];
	return elementsOf(groups).flatMap((group) => {
		if (!kind.grouped) return { group, handlers: groups, node: group };
		const handlers = handlersIn(group);
		return handlers === undefined ? [] : elementsOf(handlers).map((node) => ({ group, handlers, node }));
	});
}

function handlersIn(group: Node): Node | undefined {
	const handlers = group.type === 'object' ? memberNamed(group, 'hooks') : undefined;
	return handlers?.type === 'array' ? handlers : undefined;
}

function fieldsOf(object: Node): Handler {
	return Object.fromEntries(membersOf(object).map(({ name, value }) => [name, getNodeValue(value)]));
}

function rootOf(text: string): Node {
	const root = parseSettings(text);
	if (root === null) throw unreadable('no JSON value', text, 0);
	return root;
}

function hooksOf(root: Node | null): Node | undefined {
	const hooks = root === null ? undefined : memberNamed(root, 'hooks');
	return hooks?.type === 'object' ? hooks : undefined;
}

function refuseTakenPlaces(text: string, desired: readonly DesiredHook[]): void {
	const root = parseSettings(text);
	const hooks = root === null ? undefined : memberNamed(root, 'hooks');
	if (hooks === undefined) return;
	if (hooks.type !== 'object') {
		throw unreadable(`"hooks" is ${nounOf(hooks)}, not an object,`, text, hooks.offset);
	}
	for (const { event } of desired) {
		const groups = memberNamed(hooks, event);
		if (groups !== undefined && groups.type !== 'array') {
			throw unreadable(`"hooks.${event}" is ${nounOf(groups)}, not a list,`, text, groups.offset);
		}
	}
}
