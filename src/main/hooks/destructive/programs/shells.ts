/** Shells, and the shell's own commands that run text: `bash -c`, `… | sh`, `eval`, `trap`, `alias`, `source`. */
import {
	type DestructiveRule,
	type Entries,
	type Inside,
	isUnknown,
	operandsOf,
	UNKNOWN,
	type Words,
} from '../rule.ts';
import { inScriptFile } from '../script-names.ts';
import { inPowerShell } from '../telltale.ts';
import { commandBehind } from './wrappers.ts';

const NOT_KNOWN = 'runs a text that only the shell will know';

/** A line; one that is made by the shell, or by `xargs` and `find` from `{}`, cannot be read. */
function inText(text: string, inside: Inside): string | null {
	return text.trim() === UNKNOWN || /^\s*\{\}/.test(text) ? NOT_KNOWN : inside.line(text);
}

/** What a shell reads as its script. */
export function inInput({ input, line }: Inside): string | null {
	switch (input.kind) {
		case 'none':
			return null;
		case 'text':
			return line(input.text);
		case 'file':
			return inScriptFile(input.name);
		case 'unknown':
			return NOT_KNOWN;
	}
}

const shell: DestructiveRule = (given, inside) => {
	// `+x` switches an option off.
	const words = given.filter((word, index) => index > 3 || !/^\+[a-zA-Z]+$/.test(word));
	const operands = commandBehind(words, { valued: 'oO', long: 'rcfile init-file init-command' });
	const options = words.slice(0, words.length - operands.length);
	const joined = options.find((word) => word.startsWith('--command='));
	if (joined !== undefined) return inText(joined.slice('--command='.length), inside);
	if (options.some((word) => /^-[a-zA-Z]*c[a-zA-Z]*$|^--command$/.test(word))) {
		const [text] = operands;
		return text === undefined ? null : inText(text, inside);
	}
	if (options.some((word) => /^(?:--version|--help|-n|--noexec)$/.test(word))) return null;
	const [script] = operands;
	const readsInput =
		script === undefined || /^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(script) || hasStdinOption(options);
	return readsInput ? inInput(inside) : inScriptFile(script);
};

const hasStdinOption = (options: Words): boolean =>
	options.some((word) => /^-[a-zA-Z]*s[a-zA-Z]*$/.test(word));

const evaluate: DestructiveRule = (words, inside) => {
	const text = words.filter((word, index) => index > 0 || word !== '--').join(' ');
	return text === '' ? null : inText(text, inside);
};

const trap: DestructiveRule = (words, inside) => {
	const [action, signal] = operandsOf(words);
	return action === undefined || signal === undefined ? null : inText(action, inside);
};

const alias: DestructiveRule = (words, inside) => {
	for (const word of words) {
		const at = word.indexOf('=');
		const found = at === -1 ? null : inText(word.slice(at + 1), inside);
		if (found !== null) return found;
	}
	return null;
};

const source: DestructiveRule = ([file], inside) => {
	if (file === undefined) return null;
	return /^\/dev\/(?:stdin|fd\/0)$/.test(file) ? inInput(inside) : inScriptFile(file);
};

const powerShell: DestructiveRule = (words, inside) =>
	inPowerShell(words.join(' ')) ??
	(inside.input.kind !== 'none' && (words.length === 0 || words.includes('-'))
		? NOT_KNOWN
		: words.some((word) => /^-e(?:nc|ncodedcommand)?$/i.test(word) || isUnknown(word))
			? NOT_KNOWN
			: null);

const commandPrompt: DestructiveRule = (words, inside) => {
	const at = words.findIndex((word) => /^\/[ckr]$/i.test(word));
	return at === -1 ? null : inside.line(words.slice(at + 1).join(' '));
};

export const shells: Entries = [
	['sh bash zsh dash ksh mksh fish ash rbash', shell],
	['eval', evaluate],
	['trap', trap],
	['alias', alias],
	['source .', source],
	['at batch', (_words, inside) => inInput(inside)],
	['pwsh powershell', powerShell],
	['cmd', commandPrompt],
];
