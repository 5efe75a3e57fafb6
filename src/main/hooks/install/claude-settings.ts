/** The text of a Claude Code settings file: hook-settings.ts, for Claude Code's handlers. Pure: text in, text out. */
import { authorizationOf, brought, callsAsDesired, isOurs } from './claude-handlers.ts';
import * as settings from './hook-settings.ts';
import { obstacleIn } from './obstacles.ts';

export { foundContainers, isEmptySettings } from './hook-settings.ts';

export const claudeHooks: settings.HookKind = {
	newFile: '{}\n',
	grouped: true,
	isOurs,
	callsAsDesired,
	brought,
	strings: ({ type }) => (type === 'command' ? [['command']] : [['url'], ['headers', 'Authorization']]),
	obstacleIn,
};

export function withHooks(text: string, desired: readonly settings.DesiredHook[]): string {
	return settings.withHooks(claudeHooks, text, desired);
}

export function withoutHooks(text: string, found?: settings.FoundContainers): string {
	return settings.withoutHooks(claudeHooks, text, found);
}

export function hasOwnHooks(text: string): boolean {
	return settings.hasOwnHooks(claudeHooks, text);
}

export function inspect(text: string, desired: readonly settings.DesiredHook[]): settings.Inspection {
	return settings.inspect(claudeHooks, text, desired);
}

/** Whom the hooks in `text` call; `null` where there are none. @throws UnreadableSettings */
export function installationIn(text: string): { baseUrl: string; agentToken: string } | null {
	for (const { fields } of settings.ownHandlers(claudeHooks, text)) {
		const { url } = fields;
		const authorization = authorizationOf(fields.headers);
		if (typeof url !== 'string' || typeof authorization !== 'string') continue;
		if (!authorization.startsWith('Bearer ')) continue;
		return { baseUrl: new URL(url).origin, agentToken: authorization.slice('Bearer '.length) };
	}
	return null;
}
