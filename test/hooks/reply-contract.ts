/** What the replies of every dialect must hold, whatever the words that its program obeys. */
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/main/floor/verdict.ts';
import type { Dialect } from '../../src/main/hooks/dialect.ts';

type Kind = Verdict['kind'];

/** The replies of one event whose verdict says "TEXT"; what is not named here is `{}`. */
type Replies = { readonly [kind in Kind]?: Record<string, unknown> };

export type ReplyTable = Readonly<Record<string, Replies>>;

export const VERDICT_KINDS = Object.keys({
	pass: true,
	note: true,
	deny: true,
	ask: true,
	'block-prompt': true,
	halt: true,
} satisfies Record<Kind, true>) as Kind[];

export function verdictOf(kind: Kind, text = 'TEXT'): Verdict {
	if (kind === 'pass') return { kind };
	return kind === 'note' ? { kind, text } : { kind, reason: text };
}

/** `longest`: characters of a text that arrive whole. */
export function keepsReplyContract(dialect: Dialect, table: ReplyTable, longest: number): void {
	const rows = Object.entries(table).flatMap(([event, replies]) =>
		VERDICT_KINDS.map((kind) => [event, kind, replies[kind] ?? {}] as const),
	);
	const saying = rows.filter(([, , expected]) => Object.keys(expected).length > 0);
	const said = (event: string, kind: Kind, text: string) =>
		JSON.stringify(dialect.reply(event, verdictOf(kind, text)));

	test.each(rows)('%s answers %s', (event, kind, expected) => {
		const first = dialect.reply(event, verdictOf(kind));
		expect(first).toEqual(expected);
		// Its receiver may change it; the next one is as it was.
		for (const name of ['added', ...Object.keys(first)]) first[name] = null;
		expect(dialect.reply(event, verdictOf(kind))).toEqual(expected);
	});

	describe('what the floor is told about events', () => {
		test.each(Object.entries(table))('%s', (event, replies) => {
			expect(dialect.carriesNote(event)).toBe(replies.note !== undefined);
			expect(dialect.answers(event)).toBe(Object.keys(replies).length > 0);
		});
	});

	test.each(saying)('long texts of %s, %s, are cut, and never within a character', (event, kind) => {
		const text = 'é'.repeat(longest);
		expect(said(event, kind, text)).toContain(text);
		const cut = said(event, kind, `${text}é`);
		expect(cut).toContain(`${'é'.repeat(longest - 1)}…"`);
		expect(cut).not.toContain(text);
		for (const shift of ['', 'x']) {
			expect(said(event, kind, `${shift}${'😀'.repeat(6_000)}`)).not.toMatch(/\\ud[89ab]/i);
		}
	});

	describe('without words', () => {
		test.each(Object.keys(table))('a note to %s is no reply', (event) => {
			for (const text of ['', ' ']) expect(dialect.reply(event, verdictOf('note', text))).toEqual({});
		});

		test.each(saying.filter(([, kind]) => kind !== 'note'))(
			'%s, %s, still says who refused',
			(event, kind) => {
				for (const reason of ['', ' ']) expect(said(event, kind, reason)).toContain('Agent Floor');
			},
		);
	});
}
