/**
 * What Codex's config.toml says about hooks. It is only read: it is the person's, and trust is theirs to give. This is
 * no TOML library: it takes every valid file apart and keeps only strings and booleans.
 */
import { unreadable } from './settings-document.ts';

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
	const states = new Map<string, HookState>();
	let hooksOn = true;
	new TomlReader(text, (path, value) => {
		const [table, name, key, field] = path;
		// `codex_hooks` is what it was called before.
		if (table === 'features' && path.length === 2 && (name === 'hooks' || name === 'codex_hooks')) {
			hooksOn = value !== false;
		}
		if (table !== 'hooks' || name !== 'state' || key === undefined || path.length !== 4) return;
		const state = states.get(key.trim()) ?? { enabled: true, trustedHash: null };
		if (field === 'enabled') states.set(key.trim(), { ...state, enabled: value !== false });
		if (field === 'trusted_hash' && typeof value === 'string') {
			states.set(key.trim(), { ...state, trustedHash: value });
		}
	}).read();
	return { hooksOn, states };
}

type Value = string | boolean | null;
type Listener = (path: readonly string[], value: Value) => void;

/** Deeper inline tables and lists are no configuration of anybody. */
const DEEPEST = 100;

/** toml.io/en/v1.0.0 */
class TomlReader {
	readonly #text: string;
	readonly #tell: Listener;
	#at = 0;

	constructor(text: string, tell: Listener) {
		this.#text = text;
		this.#tell = tell;
	}

	read(): void {
		let table: readonly string[] = [];
		for (;;) {
			this.#skip(/[\s\uFEFF]*(?:#[^\n]*\s*)*/y);
			if (this.#at >= this.#text.length) return;
			const isList = this.#skip(/\[\[/y);
			if (isList || this.#skip(/\[/y)) {
				table = this.#path();
				this.#expect(isList ? /\]\]/y : /\]/y);
				// What stands in lists of tables is not looked for; it must not pass for a table.
				if (isList) table = [...table, '[]'];
			} else {
				this.#pair(table, 0);
			}
			this.#expect(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y);
		}
	}

	#pair(table: readonly string[], depth: number): void {
		const path = [...table, ...this.#path()];
		this.#expect(/=[ \t]*/y);
		this.#value(path, depth);
	}

	#path(): string[] {
		const names = [];
		do {
			this.#skip(/[ \t]*/y);
			const bare = this.#match(/[A-Za-z0-9_-]+/y);
			names.push(bare ?? this.#string() ?? this.#fault());
			this.#skip(/[ \t]*/y);
		} while (this.#skip(/\./y));
		return names;
	}

	#value(path: readonly string[], depth: number): void {
		if (depth > DEEPEST) this.#fault();
		if (this.#skip(/\{/y)) {
			this.#items(/\}/y, () => this.#pair(path, depth + 1));
		} else if (this.#skip(/\[/y)) {
			this.#items(/\]/y, () => this.#value([...path, '[]'], depth + 1));
		} else {
			const text = this.#string();
			// Numbers and dates hold neither blanks nor brackets, but for the one blank within a date.
			const word = text === null ? (this.#match(/[^\s,#\]}]+(?: \d\d:[^\s,#\]}]+)?/y) ?? this.#fault()) : '';
			this.#tell(path, text ?? (word === 'true' ? true : word === 'false' ? false : null));
		}
	}

	#items(end: RegExp, item: () => void): void {
		const blank = /\s*(?:#[^\n]*\s*)*/y;
		for (;;) {
			this.#skip(blank);
			if (this.#skip(end)) return;
			item();
			this.#skip(blank);
			if (this.#skip(/,/y)) continue;
			this.#expect(end);
			return;
		}
	}

	/** `null` where no string begins. */
	#string(): string | null {
		if (this.#skip(/"""/y)) return unescaped(this.#until(/((?:[^\\]|\\[\s\S])*?)"""(?!")/y));
		if (this.#skip(/'''/y)) return this.#until(/([\s\S]*?)'''(?!')/y);
		if (this.#skip(/"/y)) return unescaped(this.#until(/((?:[^"\\\n]|\\.)*)"/y));
		return this.#skip(/'/y) ? this.#until(/([^'\n]*)'/y) : null;
	}

	#until(pattern: RegExp): string {
		pattern.lastIndex = this.#at;
		const found = pattern.exec(this.#text);
		if (found?.[1] === undefined) return this.#fault();
		this.#at = pattern.lastIndex;
		return found[1];
	}

	#match(pattern: RegExp): string | null {
		pattern.lastIndex = this.#at;
		const found = pattern.exec(this.#text);
		if (found === null) return null;
		this.#at = pattern.lastIndex;
		return found[0];
	}

	#skip(pattern: RegExp): boolean {
		return this.#match(pattern) !== null;
	}

	#expect(pattern: RegExp): void {
		if (!this.#skip(pattern)) this.#fault();
	}

	#fault(): never {
		throw unreadable('no valid TOML', this.#text, this.#at);
	}
}

const ESCAPES: Readonly<Record<string, string>> = {
	b: '\b',
	t: '\t',
	n: '\n',
	f: '\f',
	r: '\r',
	e: '\u001b',
};

function unescaped(text: string): string {
	return text.replaceAll(
		/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([\s\S]))/g,
		(_all, ...[short, long, byte, letter]: (string | undefined)[]) => {
			const code = short ?? long ?? byte;
			if (code === undefined) return ESCAPES[letter ?? ''] ?? letter ?? '';
			const point = Number.parseInt(code, 16);
			return point > 0x10ffff ? '\uFFFD' : String.fromCodePoint(point);
		},
	);
}
