import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readCodexConfig } from '../../../src/main/hooks/install/codex-config.ts';
import { UnreadableSettings } from '../../../src/main/hooks/install/settings-document.ts';

const KEY = '/home/a/.codex/hooks.json:stop:0:0';
const statesOf = (text: string) => Object.fromEntries(readCodexConfig(text).states);

describe('whether hooks are on', () => {
	test.each([
		['', true],
		['model = "x"\n', true],
		['[features]\nhooks = true\n', true],
		['[features]\nhooks = false\n', false],
		['[features]\r\nhooks=false # off\r\n', false],
		['[ features ]\n"hooks" = false', false],
		['[features]\ncodex_hooks = false\n', false],
		['features.hooks = false\n', false],
		['features = { x = 1, hooks = false }\n', false],
		// Not these.
		['hooks = false\n', true],
		['[profiles.x.features]\nhooks = false\n', true],
		['[[features]]\nhooks = false\n', true],
		['[features]\nhooks.x = false\n', true],
		['# [features]\n# hooks = false\n', true],
		['x = """\n[features]\nhooks = false\n"""\n', true],
		["x = '''\n[features]\nhooks = false\n'''\n", true],
		['x = [\n"[features]", # "\n"hooks = false",\n]\n', true],
	])('%j', (text, on) => {
		expect(readCodexConfig(text).hooksOn).toBe(on);
	});
});

describe('what the person trusts', () => {
	it('stands in tables of its own, as Codex writes it', () => {
		const text = `model = "x"\n\n[hooks.state]\n\n[hooks.state."${KEY}"]\ntrusted_hash = "sha256:1"\n\n[hooks.state."b"]\nenabled = false\n`;
		expect(statesOf(text)).toEqual({
			[KEY]: { enabled: true, trustedHash: 'sha256:1' },
			b: { enabled: false, trustedHash: null },
		});
	});

	test.each([
		`hooks.state."${KEY}".trusted_hash = "sha256:1"`,
		`hooks = { state = { "${KEY}" = { trusted_hash = "sha256:1" } } }`,
		`[hooks]\nstate.'${KEY}' = { enabled = true, trusted_hash = 'sha256:1' }`,
		`[hooks.state]\n"\\u002fhome/a/.codex/hooks.json:stop:0:0".trusted_hash = """sha256:1"""`,
	])('%s', (text) => {
		expect(statesOf(text)).toEqual({ [KEY]: { enabled: true, trustedHash: 'sha256:1' } });
	});

	it('has the paths of Windows in it', () => {
		const expected = { 'C:\\Users\\a\\hooks.json:stop:0:0': { enabled: true, trustedHash: 'h' } };
		expect(statesOf('[hooks.state."C:\\\\Users\\\\a\\\\hooks.json:stop:0:0"]\ntrusted_hash = "h"')).toEqual(
			expected,
		);
		expect(statesOf("[hooks.state.'C:\\Users\\a\\hooks.json:stop:0:0']\ntrusted_hash = 'h'")).toEqual(
			expected,
		);
	});

	it('is found between everything that TOML has', () => {
		const text = [
			'\uFEFF# a comment with "quotes" and [brackets]',
			'a = 1_000.5e-3 # x',
			'b = 1979-05-27 07:32:00Z',
			'c = [ [1, 2], ["a", \'b\'], { x = [ ] } , ]',
			'd = { }',
			'e = "a \\" # \\\\"',
			"f = 'c:\\'",
			'g = """a""" # not """ here',
			'h = """he said ""x"" and """" # ends in four',
			'"quoted key"."and dot" = inf',
			'[[hooks.Stop]]',
			'matcher = "x"',
			'[[hooks.Stop.hooks]]',
			'type = "command"',
			`[hooks.state."${KEY}"] # here`,
			'\ttrusted_hash = "sha256:1"',
			'[mcp_servers.x.env]',
			'TOKEN = "y"',
		].join('\n');
		expect(statesOf(text)).toEqual({ [KEY]: { enabled: true, trustedHash: 'sha256:1' } });
	});

	it('of any names and hashes is found again', () => {
		const name = fc.string({ unit: 'binary' }).map((text) => `k${text.toWellFormed()}k`);
		fc.assert(
			fc.property(fc.dictionary(name, name), (hashes) => {
				const lines = Object.entries(hashes).map(
					([key, hash]) => `[hooks.state.${quoted(key)}]\ntrusted_hash = ${quoted(hash)}\n`,
				);
				const found = Object.entries(statesOf(lines.join('\n'))).map(([key, { trustedHash }]) => [
					key,
					trustedHash,
				]);
				expect(Object.fromEntries(found)).toEqual(hashes);
			}),
		);
	});
});

/** As TOML wants it: JSON's escapes are among its own, but DEL must be escaped too. */
function quoted(text: string): string {
	return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

describe('what is no TOML is refused with its place', () => {
	test.each([
		['a = ', 1, 5],
		['a = 1\nb = "x\n', 2, 7],
		['[features\nhooks = false', 1, 10],
		['a = 1 b = 2', 1, 7],
		['a = [1, 2', 1, 10],
		['{}', 1, 1],
	])('%j', (text, line, column) => {
		expect(() => readCodexConfig(text)).toThrow(UnreadableSettings);
		expect(() => readCodexConfig(text)).toThrow(`line ${line}, column ${column}`);
	});

	it('whatever it is', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'[]{}="\'.#,\\\n ab') })),
				(text) => {
					try {
						readCodexConfig(text);
					} catch (error) {
						expect(error).toBeInstanceOf(UnreadableSettings);
					}
				},
			),
			{ numRuns: 2_000 },
		);
		expect(() => readCodexConfig(`a = ${'['.repeat(100_000)}`)).toThrow(UnreadableSettings);
	});
});
