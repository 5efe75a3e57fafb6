/** Interpreters: code on the line is searched for telling calls, a script file is judged by its name. */
import { type DestructiveRule, type Entries, type Inside, operandsOf, UNKNOWN, type Words } from '../rule.ts';
import { inScriptFile, inTask } from '../script-names.ts';
import { inCode } from '../telltale.ts';
import { inInput } from './shells.ts';
import { commandBehind, optionValue } from './wrappers.ts';

const inFirstScript = (words: Words, inside: Inside): string | null => {
	const [script, next] = words;
	if (script === undefined || script === '-') {
		return inside.input.kind === 'text' ? inCode(inside.input.text) : inInput(inside);
	}
	// `--help` before anything else is what the script itself is asked for.
	return next === '--help' ? null : inScriptFile(script);
};

/** `valued`: letters of options that take a value; `code`: options whose value is code. */
const interpreter =
	(code: RegExp, valued: string, long?: string): DestructiveRule =>
	(words, inside) => {
		const operands = commandBehind(words, { valued, ...(long === undefined ? {} : { long }) });
		const options = words.slice(0, words.length - operands.length);
		const at = options.findIndex((word) => code.test(word));
		// All that follows: further pieces of code may be among it. Code may touch its option (`-e'unlink x'`).
		if (at !== -1 && words[at + 1] === UNKNOWN) return inCode(UNKNOWN);
		if (at !== -1) return inCode([words[at]?.slice(2), ...words.slice(at)].join('\n'));
		if (operands.length === 0 && options.some((word) => /^(?:-[vVh]|--version|--help)$/.test(word)))
			return null;
		return inFirstScript(operands, inside);
	};

const plainPython = interpreter(/^-[a-zA-Z]*c/, 'cWXm');

const python: DestructiveRule = (words, inside) => {
	const at = words.findIndex((word) => /^-[a-bd-zA-Z]*m/.test(word));
	if (at !== -1 && words.slice(0, at).every((word) => /^-[^c]*$/.test(word))) {
		const module = optionValue(words, /^-[a-bd-zA-Z]*m/) ?? '';
		const attached = !/m$/.test(words[at] ?? '');
		return inside.command([module, ...words.slice(at + (attached ? 1 : 2))]);
	}
	const [script = '', task = ''] = operandsOf(words);
	if (/(?:^|\/)manage\.py$/.test(script) && /^(?:flush|migrate|reset_db|sqlflush|dbshell)$/.test(task))
		return `changes a database (manage.py ${task})`;
	return plainPython(words, inside);
};

const plainPhp = interpreter(/^-[BERr]|^--run/, 'dcfBERrzSt');
const php: DestructiveRule = (words, inside) => {
	const [script = '', task = ''] = operandsOf(words);
	return (/(?:^|\/)artisan$/.test(script) ? inTask(task) : null) ?? plainPhp(words, inside);
};

const deno: DestructiveRule = (words, inside) => {
	const [name, target = ''] = operandsOf(words);
	switch (name) {
		case 'eval':
			return inCode(words.join('\n'));
		case 'run':
			return inFirstScript([target], inside);
		case 'task':
			return inTask(target);
		default:
			return name === 'deploy' || name === 'publish' ? `publishes (deno ${name})` : null;
	}
};

const awk: DestructiveRule = (words) => inCode(words.join('\n'));

/** `vim -c ":!rm x"`. */
const vi: DestructiveRule = (words, inside) => {
	for (const word of words) {
		const match = /^\+?:?\s?(?:silent!? )?!(.+)/.exec(word);
		const found = match?.[1] === undefined ? null : inside.line(match[1]);
		if (found !== null) return found;
	}
	return null;
};

const node = interpreter(
	/^(?:-[a-z]*[ep][a-z]*|--eval|--print)(?:$|=)/,
	'epr',
	'eval print require import loader env-file conditions input-type',
);

export const interpreters: Entries = [
	['python pypy ipython', python],
	['node nodejs tsx ts-node bun-node', node],
	['perl', interpreter(/^-[a-zA-Z0-9]*[eE]/, 'eEIMmx')],
	['ruby', interpreter(/^-[a-zA-Z0-9]*e/, 'eIrC')],
	['php', php],
	['manage.py', (words, inside) => python(['manage.py', ...words], inside)],
	['artisan', (words, inside) => php(['artisan', ...words], inside)],
	['lua luajit', interpreter(/^-e/, 'el')],
	['rscript r', interpreter(/^-e/, 'e')],
	['osascript', interpreter(/^-e/, 'el')],
	['deno', deno],
	['awk gawk mawk nawk', awk],
	['vi vim nvim ex view', vi],
];
