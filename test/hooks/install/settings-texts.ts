/** Settings files as people, editors and other programs leave them: any JSON, any layout, foreign hooks and all. */
import fc from 'fast-check';
import { COMMAND_EVENTS, HTTP_EVENTS } from '../../../src/main/hooks/install/claude-handlers.ts';

type Json = null | boolean | number | string | Json[] | Map<string, Json>;

/** A Map, since order and names such as `__proto__` matter. */
const name = fc.oneof(
	fc.constantFrom(
		'model',
		'env',
		'permissions',
		'hooks ',
		'__proto__',
		'constructor',
		'',
		'a"b',
		'ü\n',
		'🦊',
	),
	fc.string({ unit: 'binary', maxLength: 6 }),
);

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		fc.constant(null),
		fc.boolean(),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.string({ unit: 'binary', maxLength: 12 }),
		fc.array(tie('value'), { maxLength: 3 }),
		fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
	),
})).value;

const foreignHandler: fc.Arbitrary<Json> = fc.oneof(
	fc.string({ maxLength: 10 }).map((command) => record({ type: 'command', command: `echo ${command}` })),
	fc.constant(record({ type: 'http', url: 'http://127.0.0.1:47100/other/claude-code/Stop' })),
	fc.constant(record({ type: 'http', url: 'https://hooks.example.com/hooks/claude-code/Stop' })),
	json,
);

const foreignGroup: fc.Arbitrary<Json> = fc.oneof(
	{ weight: 4, arbitrary: fc.array(foreignHandler, { maxLength: 3 }).map((hooks) => record({ hooks })) },
	{
		weight: 2,
		arbitrary: fc.array(foreignHandler, { maxLength: 2 }).map((hooks) => record({ matcher: 'Bash', hooks })),
	},
	{ weight: 1, arbitrary: json },
);

const foreignHooks: fc.Arbitrary<Json> = fc
	.array(
		fc.oneof(
			fc.tuple(
				fc.constantFrom<string>(...COMMAND_EVENTS, ...HTTP_EVENTS),
				fc.array(foreignGroup, { maxLength: 3 }),
			),
			fc.tuple(
				name.filter((event) => !isOurEvent(event)),
				json,
			),
		),
		{ maxLength: 5 },
	)
	.map((pairs) => new Map<string, Json>(pairs));

const settings = fc
	.tuple(fc.array(fc.tuple(name, json), { maxLength: 4 }), fc.option(foreignHooks), fc.nat())
	.map(([members, hooks, at]) => {
		const pairs: [string, Json][] = members.filter(([key]) => key !== 'hooks');
		if (hooks !== null) pairs.splice(at % (pairs.length + 1), 0, ['hooks', hooks]);
		return new Map(pairs);
	});

function isOurEvent(event: string): boolean {
	return [...COMMAND_EVENTS, ...HTTP_EVENTS].some((known) => known === event);
}

function record(fields: Record<string, Json>): Map<string, Json> {
	return new Map(Object.entries(fields));
}

interface Layout {
	readonly eol: string;
	readonly indent: string;
	readonly colon: string;
	readonly trailing: string;
}

const layout: fc.Arbitrary<Layout> = fc.record({
	eol: fc.constantFrom('\n', '\r\n'),
	indent: fc.constantFrom('  ', '    ', '\t', ' '),
	colon: fc.constantFrom(': ', ':', ' : '),
	trailing: fc.constantFrom('', '\n', '\r\n', '\n\n'),
});

function printed(value: Json, style: Layout, depth = 0): string {
	const inner = style.eol + style.indent.repeat(depth + 1);
	const outer = style.eol + style.indent.repeat(depth);
	if (value instanceof Map) {
		if (value.size === 0) return '{}';
		const members = [...value].map(
			([key, held]) => JSON.stringify(key) + style.colon + printed(held, style, depth + 1),
		);
		return `{${inner}${members.join(`,${inner}`)}${outer}}`;
	}
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		const elements = value.map((element) => printed(element, style, depth + 1));
		return `[${inner}${elements.join(`,${inner}`)}${outer}]`;
	}
	return JSON.stringify(value);
}

/** What may stand between two tokens. */
const gap = fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n', '\n\n   ', ' \t ');
const comment = fc.constantFrom('// "hooks": {\n', '/* , } */', ' /**/ ', '\r\n// ü\r\n');

/** Tokens with anything between them that `between` gives. */
function scattered(value: Json, between: () => string, comma: () => string): string {
	if (value instanceof Map) {
		const members = [...value].map(
			([key, held]) =>
				between() +
				JSON.stringify(key) +
				between() +
				':' +
				between() +
				scattered(held, between, comma) +
				between(),
		);
		return `{${members.join(',')}${members.length > 0 ? comma() : ''}${between()}}`;
	}
	if (Array.isArray(value)) {
		const elements = value.map((element) => between() + scattered(element, between, comma) + between());
		return `[${elements.join(',')}${elements.length > 0 ? comma() : ''}${between()}]`;
	}
	return JSON.stringify(value);
}

function cycle(items: readonly string[]): () => string {
	let at = 0;
	return () => items[at++ % items.length] ?? '';
}

const tidyText = fc.tuple(settings, layout).map(([value, style]) => printed(value, style) + style.trailing);
const inlineText = settings.map((value) =>
	scattered(
		value,
		() => '',
		() => '',
	),
);
const wildText = fc.tuple(settings, fc.array(gap, { minLength: 1, maxLength: 30 })).map(([value, gaps]) => {
	const between = cycle(gaps);
	return between() + scattered(value, between, () => '') + between();
});
const commentedText = fc
	.tuple(
		settings,
		fc.array(fc.oneof(gap, comment), { minLength: 1, maxLength: 30 }),
		fc.array(fc.constantFrom('', ','), { minLength: 1, maxLength: 5 }),
	)
	.map(([value, gaps, commas]) => {
		const between = cycle(gaps);
		return between() + scattered(value, between, cycle(commas)) + between();
	});

/** Strict JSON in any layout. */
export const strictText: fc.Arbitrary<string> = fc.oneof(tidyText, inlineText, wildText);

/** The same, and with comments and trailing commas. */
export const settingsText: fc.Arbitrary<string> = fc.oneof(strictText, commentedText);

/** With and without a byte order mark. */
export const settingsBytes: fc.Arbitrary<Uint8Array> = fc
	.tuple(fc.oneof({ weight: 9, arbitrary: settingsText }, fc.constantFrom('', ' ', '\r\n')), fc.boolean())
	.map(([text, mark]) => Buffer.from((mark ? '\uFEFF' : '') + text, 'utf8'));
