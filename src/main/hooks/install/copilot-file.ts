/**
 * The text of a hooks file of Copilot CLI, `{"version": 1, "hooks": {"<event>": [<handler>]}}`: hook-settings.ts, for
 * its handlers. Pure: text in, text out.
 */
import { brought, callsAsDesired, EVENTS, isOurs } from './copilot-handlers.ts';
import * as settings from './hook-settings.ts';
import { isStrictJson, memberNamed, parseSettings } from './settings-document.ts';

export const copilotHooks: settings.HookKind = {
	newFile: '{\n  "version": 1\n}\n',
	grouped: false,
	isOurs,
	callsAsDesired,
	brought,
	// A handler is written anew as a whole.
	strings: () => [],
	obstacleIn,
};

/** Our hooks in `text`, in order. @throws UnreadableSettings */
export function ownHooks(text: string): settings.DesiredHook[] {
	return settings.ownHandlers(copilotHooks, text).map(({ event, fields }) => ({ event, handler: fields }));
}

/** True when `text` is what the floor wrote, of whatever installation and version. @throws UnreadableSettings */
export function isAsWritten(text: string): boolean {
	const own = ownHooks(text);
	const written = own.every(({ handler }) => {
		const { type, bash, powershell, timeoutSec, ...added } = handler;
		return typeof timeoutSec === 'number' && Object.keys(added).length === 0;
	});
	return own.length > 0 && written && text === settings.withHooks(copilotHooks, '', own);
}

/**
 * The text without any hook of ours, and without the lists and the `hooks` object that only held them; `null` when
 * nothing but the version would be left.
 * @throws UnreadableSettings
 */
export function withoutHooks(text: string): string | null {
	const rest = settings.withoutHooks(copilotHooks, text);
	return /^\s*(\{\s*("version"\s*:\s*1\s*)?\}\s*)?$/.test(rest) ? null : rest;
}

/** Each of these makes Copilot CLI pass over the file, or a key, without a word (measured with 1.0.102). */
function obstacleIn(text: string): string {
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
	const misspelt = ownHooks(text).find(({ event }) => !known.includes(event));
	const meant = known.find((event) => event.toLowerCase() === misspelt?.event.toLowerCase());
	return misspelt === undefined || meant === undefined
		? ''
		: `Copilot CLI reads "${misspelt.event}" as another event or none: "${meant}" is meant.`;
}
