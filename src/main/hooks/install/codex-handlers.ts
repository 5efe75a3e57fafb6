/**
 * Which events of Codex the floor asks for, the handler that each of them gets, and what keeps Codex from running it.
 * Measured with codex-cli 0.171.0 (`hooks/list` of its app server): hooks.json is read strictly, and one fault in it
 * hides every hook of the file; a hook runs only when `[hooks.state."<key>"]` of config.toml holds the hash of it that
 * the person has trusted in `/hooks`; the key holds its place in the lists.
 */
import { createHash } from 'node:crypto';
import type { CodexConfig } from './codex-config.ts';
import { faultOfHooksFile } from './codex-hooks-file.ts';
import { forwardTimeout } from './forward-deadlines.ts';
import { forwardCommand, isForwardCommand } from './forward-program.ts';
import {
	type DesiredHook,
	type Handler,
	type HookKind,
	type OwnHandler,
	ownHandlers,
} from './hook-settings.ts';
import { elementsOf, memberNamed, textOf } from './settings-document.ts';

const CLIENT = 'codex';

/** Left out: PreModelRequest, which comes before every request, obeys no reply and tells nothing. */
export const CODEX_EVENTS = [
	'SessionStart',
	'UserPromptSubmit',
	'PreToolUse',
	'PermissionRequest',
	'PostToolUse',
	'PreCompact',
	'PostCompact',
	'SubagentStart',
	'SubagentStop',
	'Stop',
	'Interrupt',
	'SessionEnd',
] as const;

/** One handler per event, without a matcher: every tool and every kind. Trust hangs on each of its fields. */
export function desiredCodexHooks(dataDirectory: string, platform: NodeJS.Platform): DesiredHook[] {
	return CODEX_EVENTS.map((event) => ({
		event,
		handler: {
			type: 'command',
			command: forwardCommand(dataDirectory, platform, CLIENT, event),
			timeout: forwardTimeout(event),
		},
	}));
}

/** What around the settings file decides whether Codex runs what stands in it. */
export interface CodexSurroundings {
	/** `null`: there is no config.toml. */
	readonly config: CodexConfig | null;
	/** The names under which Codex may know the settings file. */
	readonly files: readonly string[];
	readonly byteOrderMark: boolean;
}

export function codexHooks({ config, files, byteOrderMark }: CodexSurroundings): HookKind {
	const kind: HookKind = {
		newFile: '{}\n',
		grouped: true,
		isOurs: ({ type, command }) =>
			type === 'command' && typeof command === 'string' && isForwardCommand(command, CLIENT),
		// Its timeout and status message are the person's; in the background it could refuse nothing.
		callsAsDesired: (handler, desired) =>
			handler.type === desired.type &&
			handler.command === desired.command &&
			handler.commandWindows === undefined &&
			handler.async !== true,
		brought: ({ commandWindows: _, async: __, ...handler }, desired): Handler => ({
			...desired,
			...handler,
			type: desired.type,
			command: desired.command,
		}),
		strings: () => [['command']],
		obstacleIn: (text, desired) => {
			if (byteOrderMark) return 'Codex ignores this whole file: it begins with a byte order mark.';
			const fault = faultOfHooksFile(text);
			if (fault !== '') return `Codex ignores this whole file: ${fault}.`;
			if (config?.hooksOn === false)
				return 'Codex runs no hooks: "features.hooks" is false in its config.toml.';
			const own = ownHandlers(kind, text).filter(
				({ event, effective }) => effective && desired.some((hook) => hook.event === event),
			);
			return untrusted(own, config, files);
		},
	};
	return kind;
}

function untrusted(own: readonly OwnHandler[], config: CodexConfig | null, files: readonly string[]): string {
	const of = (handlers: readonly OwnHandler[]) =>
		handlers.length === own.length ? 'the hooks' : handlers.map(({ event }) => event).join(', ');
	const stateOf = (handler: OwnHandler) =>
		files.map((file) => config?.states.get(hookKey(file, handler))).find((state) => state !== undefined);
	const off = own.filter((handler) => stateOf(handler)?.enabled === false);
	if (off.length > 0) return `Codex does not run ${of(off)} of Agent Floor: switched off in its /hooks.`;
	const strange = own.filter((handler) => {
		const trusted = stateOf(handler)?.trustedHash ?? null;
		return trusted === null || !hookHashes(handler).includes(trusted);
	});
	if (strange.length === 0) return '';
	return `Codex does not run ${of(strange)} of Agent Floor until you trust them: start codex, enter /hooks, and trust what stands in this file.`;
}

/** Places count from 0, those of other people's hooks included. */
export function hookKey(file: string, { event, groups, group, handlers, node }: OwnHandler): string {
	return `${file}:${label(event)}:${elementsOf(groups).indexOf(group)}:${elementsOf(handlers).indexOf(node)}`;
}

/**
 * What Codex trusts: SHA-256 over the hook as it understands it, keys sorted. Some events take no matcher, and then it
 * is no part of the hash: both are good.
 */
export function hookHashes({ event, group, fields }: OwnHandler): string[] {
	const { type, command, timeout, statusMessage, additionalContextLimit } = fields;
	const isCut = event === 'SessionEnd' || event === 'Interrupt';
	const seconds = Math.max(1, typeof timeout === 'number' ? timeout : isCut ? 1 : 600);
	const handler = sorted({
		type,
		command,
		timeout: isCut ? Math.min(3, seconds) : seconds,
		async: fields.async === true,
		...(typeof statusMessage === 'string' && { statusMessage }),
		...(typeof additionalContextLimit === 'number' && { additionalContextLimit }),
	});
	const matcher = textOf(memberNamed(group, 'matcher'));
	const bare = { event_name: label(event), hooks: [handler] };
	return [bare, ...(matcher === undefined ? [] : [{ ...bare, matcher }])].map(
		(identity) => `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`,
	);
}

function sorted(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** PreToolUse → pre_tool_use */
function label(event: string): string {
	return event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}
