/**
 * Whether Codex would read a hooks.json. It reads strictly (codex-rs/config/src/hook_config.rs; each rule measured with
 * codex-cli 0.171.0), and what it cannot read it skips as a whole, with a warning that a headless run does not show.
 */
import {
	elementsOf,
	isStrictJson,
	memberNamed,
	membersOf,
	type Node,
	nounOf,
	parseSettings,
	textOf,
	unreadable,
} from './settings-document.ts';

/** The events that Codex knows: only their lists are read. */
const EVENTS: ReadonlySet<string> = new Set([
	'PreModelRequest',
	'PreToolUse',
	'PermissionRequest',
	'PostToolUse',
	'PreCompact',
	'PostCompact',
	'SessionStart',
	'SessionEnd',
	'UserPromptSubmit',
	'SubagentStart',
	'SubagentStop',
	'Stop',
	'Interrupt',
]);
const HANDLER_TYPES: ReadonlySet<string> = new Set(['command', 'mcp_tool', 'prompt', 'agent']);

/** The end of "Codex ignores this whole file: …"; empty where nothing is wrong. @throws UnreadableSettings */
export function faultOfHooksFile(text: string): string {
	const root = parseSettings(text);
	if (root === null) return '';
	if (!isStrictJson(text)) return 'it has a comment or a trailing comma, and only strict JSON is read';
	const fault = faultIn(root);
	return fault === null ? '' : unreadable(fault.what, text, fault.at.offset).message;
}

interface Fault {
	readonly what: string;
	readonly at: Node;
}

function faultIn(root: Node): Fault | null {
	const members = membersOf(root);
	const foreign = members.find(({ name }) => name !== 'hooks' && name !== 'description');
	if (foreign) return { what: `"${foreign.name}", which Codex does not know, stands`, at: foreign.value };
	const hooks = memberNamed(root, 'hooks');
	const twice = repeated(root) ?? (hooks?.type === 'object' ? repeated(hooks, EVENTS) : null);
	if (twice || hooks === undefined) return twice;
	if (hooks.type !== 'object') return wrong('hooks', hooks);
	for (const { name, value } of membersOf(hooks)) {
		const fault = EVENTS.has(name) ? faultOfList(name, value) : null;
		if (fault) return fault;
	}
	return null;
}

function repeated(object: Node, names?: ReadonlySet<string>): Fault | null {
	const seen = new Set<string>();
	for (const { name, value } of membersOf(object)) {
		if (seen.has(name) && names?.has(name) !== false)
			return { what: `"${name}" stands twice, again`, at: value };
		seen.add(name);
	}
	return null;
}

function faultOfList(event: string, groups: Node): Fault | null {
	if (groups.type !== 'array') return wrong(`hooks.${event}`, groups);
	for (const group of elementsOf(groups)) {
		if (group.type !== 'object') return wrong(`a group of ${event}`, group);
		const matcher = memberNamed(group, 'matcher');
		if (matcher && matcher.type !== 'string' && matcher.type !== 'null') return wrong('matcher', matcher);
		const handlers = memberNamed(group, 'hooks');
		// A group without handlers is read as an empty one.
		if (handlers === undefined) continue;
		if (handlers.type !== 'array') return wrong('hooks', handlers);
		for (const handler of elementsOf(handlers)) {
			const fault = faultOfHandler(handler);
			if (fault) return fault;
		}
	}
	return null;
}

function faultOfHandler(handler: Node): Fault | null {
	if (handler.type !== 'object') return wrong('a hook', handler);
	const type = textOf(memberNamed(handler, 'type'));
	if (type === undefined || !HANDLER_TYPES.has(type)) {
		return { what: `a hook whose type is ${JSON.stringify(type ?? null)} stands`, at: handler };
	}
	if (type !== 'command') return null;
	const command = memberNamed(handler, 'command');
	if (command?.type !== 'string') return { what: 'a hook without a command stands', at: handler };
	const timeout = memberNamed(handler, 'timeout');
	const isSeconds = timeout?.type === 'number' && Number.isInteger(timeout.value) && timeout.value >= 0;
	if (timeout && timeout.type !== 'null' && !isSeconds) {
		return { what: 'a timeout that is no whole number of seconds stands', at: timeout };
	}
	return null;
}

function wrong(name: string, node: Node): Fault {
	return { what: `"${name}" is ${nounOf(node)}`, at: node };
}
