/** What in a settings file keeps Claude Code from running hooks that stand in it. Measured with version 2.1.197. */
import type { DesiredHook } from './claude-handlers.ts';
import { elementsOf, isStrictJson, memberNamed, parseSettings, textOf } from './settings-document.ts';

/** Empty where nothing does. @throws UnreadableSettings */
export function obstacleIn(text: string, desired: readonly DesiredHook[]): string {
	const root = parseSettings(text);
	if (root === null) return '';
	if (!isStrictJson(text)) {
		return 'Claude Code ignores this whole file: it has a comment or a trailing comma, and only strict JSON is read.';
	}
	if (memberNamed(root, 'disableAllHooks')?.value === true) {
		return 'Claude Code runs no hooks: "disableAllHooks" is true in this file.';
	}
	const allowed = memberNamed(root, 'allowedHttpHookUrls');
	if (allowed?.type !== 'array') return '';
	const patterns = elementsOf(allowed).flatMap((node) => textOf(node) ?? []);
	const refused = desired.find(({ handler }) => {
		const { url } = handler;
		return typeof url === 'string' && !patterns.some((pattern) => matchesWildcards(url, pattern));
	});
	return refused === undefined
		? ''
		: `Claude Code refuses the floor's address, unless another settings file allows it: "allowedHttpHookUrls" in this one does not allow ${String(refused.handler.url)}.`;
}

/** `*` stands for any characters. */
function matchesWildcards(url: string, pattern: string): boolean {
	const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`, 's').test(url);
}
