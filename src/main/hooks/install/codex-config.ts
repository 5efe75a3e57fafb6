/** What Codex's config.toml says about hooks. It is only read: it is the person's, and trust is theirs to give. */
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { UnreadableSettings } from './settings-document.ts';

export interface CodexConfig {
	/** False: Codex runs no hooks at all. */
	readonly hooksOn: boolean;
	/** By key: `<hooks.json>:<event>:<group>:<handler>`. */
	readonly states: ReadonlyMap<string, HookState>;
}

export interface HookState {
	readonly enabled: boolean;
	readonly trustedHash: string | null;
}

/** @throws UnreadableSettings with the first fault. */
export function readCodexConfig(text: string): CodexConfig {
	const config = parsed(text.replace(/^\uFEFF/, ''));
	const features = tableOf(config.features);
	const states = new Map<string, HookState>();
	for (const [key, value] of Object.entries(tableOf(tableOf(config.hooks).state))) {
		const { enabled, trusted_hash: hash } = tableOf(value);
		if (enabled === undefined && hash === undefined) continue;
		states.set(key.trim(), {
			enabled: enabled !== false,
			trustedHash: typeof hash === 'string' ? hash : null,
		});
	}
	// `codex_hooks` is what it was called before.
	return { hooksOn: features.hooks !== false && features.codex_hooks !== false, states };
}

function parsed(text: string): TomlTable {
	try {
		return parse(text);
	} catch (error) {
		if (error instanceof TomlError) throw new UnreadableSettings('no valid TOML', error.line, error.column);
		// Nested deeper than its reader can go: no configuration of anybody.
		if (error instanceof RangeError) throw new UnreadableSettings('no valid TOML', 1, 1);
		throw error;
	}
}

function tableOf(value: TomlValue | undefined): Readonly<Record<string, TomlValue | undefined>> {
	const isTable =
		typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
	return isTable ? value : {};
}
