/** Finds the commands of a shell line, however they are wrapped, and asks each program's rule what it would do. */
import type { Node } from 'web-tree-sitter';
import type { ReadCommandLine } from '../shell-grammar.ts';
import { destructivePrograms, type PlainWord } from './programs.ts';

/** Lines inside lines (`bash -c "…"`) are followed this deep. */
const MOST_DEPTH = 4;

/** Programs that run the command after their own options; the pattern tells options that take a value. */
const WRAPPERS: ReadonlyMap<string, RegExp> = new Map(
	(
		[
			['sudo doas', /^-[ugCDhprRtTU]$|^--(?:user|group|chdir|host|prompt|role|type)$/],
			['env', /^-[uSC]$|^--(?:unset|chdir|split-string)$/],
			[
				'nohup setsid time command exec builtin noglob stdbuf ionice chrt unbuffer caffeinate',
				/^-[aioecnp]$/,
			],
			['nice', /^-n$|^--adjustment$/],
			['timeout', /^-[ks]$|^--(?:kill-after|signal)$/],
			['xargs parallel', /^-[nLPsdEIaJ]$|^--(?:max-args|max-procs|delimiter|replace|jobs)$/],
			['watch', /^-[nd]$/],
			['npx bunx pnpx uvx pipx', /^-[pc]$|^--package$/],
			['flock', /^-[wE]$/],
			['chronic ts strace ltrace', /^-[eopsu]$/],
			['find fd', /^$/],
		] as const
	).flatMap(([names, valued]) => names.split(' ').map((name) => [name, valued] as const)),
);

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'ash']);
/** Own words of the wrapper before its command: a duration, assignments, a lock file, a niceness. */
const OWN_WORD = /^(?:\d+(?:\.\d+)?[smhd]?|\w+=.*|\{\}|[+-]\d+)$/;
/** In a text that cannot be parsed: words that would be destructive if they were commands. */
const SUSPICIOUS =
	/(?:^|[^\w-])(?:rm|rmdir|unlink|shred|dd|mkfs|truncate|push|deploy|publish|destroy|terraform|kubectl|helm|ansible|psql|mysql|drop|delete|curl|wget|ssh|scp|rsync|aws|gcloud|az|eval|docker|reset|clean|shutdown|reboot)(?:$|[^\w-])/i;

/** What `commandLine` would destroy or send out, as the end of "it …"; `null`: nothing that is known. Never throws. */
export function destructionIn(commandLine: string, read: ReadCommandLine, depth = 0): string | null {
	try {
		return read(commandLine, (root) => {
			if (root.hasError) return inUnreadable(commandLine);
			for (const command of root.descendantsOfType('command')) {
				const found = command === null ? null : destructionOf(wordsOf(command), read, depth);
				if (found !== null) return found;
			}
			return null;
		});
	} catch {
		return inUnreadable(commandLine);
	}
}

/** Too long, or no shell that we know: then single words have to do, and the person decides. */
function inUnreadable(text: string): string | null {
	return SUSPICIOUS.test(text) ? 'cannot be read in full, and holds words of destructive commands' : null;
}

function destructionOf(words: readonly PlainWord[], read: ReadCommandLine, depth: number): string | null {
	const [first, ...rest] = words;
	if (first === undefined) return null;
	if (first === null) return 'runs a program whose name cannot be read';
	const program = nameOf(first);
	if (SHELLS.has(program) || program === 'eval' || program === 'su')
		return inText(program, rest, read, depth);
	const own = destructivePrograms.get(program)?.(rest) ?? null;
	if (own !== null) return own;
	const valued = WRAPPERS.get(program);
	if (valued === undefined) return null;
	if (program === 'find' || program === 'fd') return afterExec(rest, read, depth);
	const split = program === 'env' ? rest.indexOf('-S') : -1;
	if (split !== -1) return inText('eval', rest.slice(split + 1), read, depth);
	return destructionOf(commandAfter(rest, valued), read, depth);
}

/** The command that a wrapper runs. */
function commandAfter(words: readonly PlainWord[], valued: RegExp): readonly PlainWord[] {
	let index = 0;
	for (; index < words.length; index += 1) {
		const word = words[index];
		if (word === null || word === undefined) break;
		if (word.startsWith('-') && word !== '-') {
			if (valued.test(word)) index += 1;
		} else if (!OWN_WORD.test(word)) break;
	}
	return words.slice(index);
}

/** `find … -exec rm {} +`. */
function afterExec(words: readonly PlainWord[], read: ReadCommandLine, depth: number): string | null {
	for (const [index, word] of words.entries()) {
		if (word === null || !/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word)) continue;
		const found = destructionOf(words.slice(index + 1), read, depth);
		if (found !== null) return found;
	}
	return null;
}

/** `bash -c "…"`, `eval …`: the text is a line of its own. A script file is not followed. */
function inText(
	program: string,
	words: readonly PlainWord[],
	read: ReadCommandLine,
	depth: number,
): string | null {
	if (program !== 'eval') {
		const flag = words.findIndex((word) => word !== null && /^-[a-z]*c[a-z]*$|^--command$/.test(word));
		if (flag === -1) return null;
		const text = words[flag + 1];
		return text === undefined ? null : inLine(text, read, depth);
	}
	return words.length === 0 ? null : inLine(words.includes(null) ? null : words.join(' '), read, depth);
}

function inLine(text: PlainWord, read: ReadCommandLine, depth: number): string | null {
	if (text === null) return 'runs a text that only the shell will know';
	if (depth >= MOST_DEPTH) return 'runs a line inside a line that is nested too deep to be read';
	return destructionIn(text, read, depth + 1);
}

/** The words of a command without its assignments and redirections. */
function wordsOf(command: Node): PlainWord[] {
	const words: PlainWord[] = [];
	for (const child of command.namedChildren) {
		if (
			child === null ||
			/^(?:variable_assignment|file_redirect|heredoc_redirect|herestring_redirect)$/.test(child.type)
		)
			continue;
		const word = child.type === 'command_name' ? (child.namedChildren[0] ?? child) : child;
		words.push(plainText(word));
	}
	return words;
}

/** The text of a word when the shell would not change it; `null` otherwise. */
function plainText(node: Node): PlainWord {
	const { text, type } = node;
	switch (type) {
		case 'word':
		case 'number':
			return text.replace(/\\\n/g, '').replace(/\\([\s\S])/g, '$1');
		case 'raw_string':
			return text.slice(1, -1);
		case 'string':
			return /[$`]/.test(text.replace(/\\[\s\S]/g, ''))
				? knownPart(text.slice(1, -1))
				: text.slice(1, -1).replace(/\\([$`"\\])/g, '$1');
		case 'concatenation': {
			const parts = node.namedChildren.map((child) => (child === null ? '' : plainText(child)));
			const joined = node.children.length === node.namedChildren.length ? parts : null;
			return joined === null || joined.includes(null)
				? /[$`]/.test(text)
					? null
					: text.replace(/["'\\]/g, '')
				: joined.join('');
		}
		default:
			return null;
	}
}

/** A quoted text with expansions in it: what is written there still tells a lot (`bash -c "rm -rf $dir"`). */
function knownPart(text: string): PlainWord {
	return /^\s*[$`]/.test(text) ? null : text.replace(/\\([$`"\\])/g, '$1');
}

/** Without directory and Windows' ending: `/bin/rm`, `git.exe`. */
function nameOf(program: string): string {
	return (program.split(/[\\/]/).at(-1) ?? program).toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '');
}
