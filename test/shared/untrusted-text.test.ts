import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitPath, visibleText } from '../../src/shared/untrusted-text.ts';

describe('text from outside', () => {
	it.each([
		['plain text stays as it is', 'npm test -- --watch=false', 'npm test -- --watch=false'],
		['markup is text like any other', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
		['an escape sequence is seen', 'a\u001b[31mred', 'a␛[31mred'],
		['NUL, delete and C1 are seen', '\u0000\u007f\u009b', '␀␡⟨U+009B⟩'],
		['a bidi override is seen', 'invoice\u202Efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
		['bidi isolates are seen', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
		['zero width characters are seen', 'pay\u200Bpal\uFEFF', 'pay⟨U+200B⟩pal⟨U+FEFF⟩'],
		['invisible fillers are seen', '\u3164\u115F', '⟨U+3164⟩⟨U+115F⟩'],
		['tag characters are seen', 'a\u{E0041}', 'a⟨U+E0041⟩'],
		['a joiner between Latin letters is seen', 'a\u200Db', 'a⟨U+200D⟩b'],
		['a joiner inside an emoji belongs to it', '👩\u200D💻 👨🏽\u200D🚒', '👩\u200D💻 👨🏽\u200D🚒'],
		['a non-joiner in Persian belongs to it', 'می\u200Cخواهم', 'می\u200Cخواهم'],
		['line breaks become spaces on one line', 'one\ntwo\tthree', 'one two three'],
		['line separators are seen', 'a\u2028b', 'a⟨U+2028⟩b'],
		['lone surrogates are replaced', 'a\uD800b', 'a\uFFFDb'],
		['accents stay', 'Zoë Nguyễn', 'Zoë Nguyễn'],
	])('%s', (_name, text, shown) => {
		expect(visibleText(text)).toBe(shown);
	});

	it('keeps the lines of a text of many lines, and shows a carriage return that would hide one', () => {
		expect(visibleText('a\r\nb\n\tc', { multiline: true })).toBe('a\nb\n\tc');
		expect(visibleText('rm -rf /\rls', { multiline: true })).toBe('rm -rf /␍ls');
	});

	it('stops a pile of combining marks', () => {
		const shown = visibleText(`Z${'\u0335'.repeat(200)}`);
		expect(shown).toBe(`Z${'\u0335'.repeat(4)}…`);
	});

	it('cuts between characters and says that it cut', () => {
		expect(visibleText('😀😀😀😀', { limit: 3 })).toBe('😀😀😀…');
		expect(visibleText('abcd', { limit: 4 })).toBe('abcd');
		expect(visibleText('x'.repeat(5_000_000), { limit: 10 })).toBe('xxxxxxxxxx…');
	});

	it('shows no control or format character, whatever comes in', () => {
		const nasty = fc.string({
			unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u202E', '\u0000')),
		});
		fc.assert(
			fc.property(nasty, fc.boolean(), (text, multiline) => {
				const shown = visibleText(text, { multiline });
				expect(shown.replace(/[\n\t\u200C\u200D]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
			}),
		);
	});

	it('is done once: shown text is shown as it is', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
				const once = visibleText(text);
				fc.pre(!once.endsWith('…'));
				expect(visibleText(once, { limit: 10_000 })).toBe(once);
			}),
		);
	});
});

describe('paths that give up their middle', () => {
	it.each([
		['/home/ada/code/shop/api', '/home/ada/code', '/shop/api'],
		['/api', '', '/api'],
		['', '', ''],
		['C:\\Users\\ada\\shop\\api', 'C:\\Users\\ada', '\\shop\\api'],
		['relative/one', '', 'relative/one'],
	])('%s', (path, head, tail) => {
		expect(splitPath(path)).toEqual({ head, tail });
	});

	it('loses nothing', () => {
		fc.assert(
			fc.property(fc.string(), (path) => {
				const { head, tail } = splitPath(path);
				expect(head + tail).toBe(path);
			}),
		);
	});
});
