/** git: subcommands that only report. What a repository's own configuration makes git run is the operator's doing. */
import { anyArguments, type Call, only, type Rule, unknownArgument, without } from './options.ts';
import { quoted, Refused } from './refused.ts';
import type { Word } from './shell-word.ts';

/** Options before the subcommand that change nothing but the output. */
const GLOBAL_FLAGS =
	/^(?:--no-pager|-P|--no-optional-locks|--no-replace-objects|--literal-pathspecs|--icase-pathspecs)$/;
/** Settings that only shape text. Others name programs (core.pager, diff.external, alias.* …). */
const SHAPING_SETTING =
	/^(?:color\.(?:ui|diff|status|branch|grep)|core\.(?:quotepath|abbrev)|log\.decorate|diff\.(?:noprefix|renames)|column\.ui)=[\w%-]*$/i;

/** Shows commits or differences. `--output` writes a file, `--ext-diff` runs what the configuration names. */
const shows = without({ long: ['--output', '--ext-diff'] });

const LISTING =
	/^(?:-i|--(?:all|remotes|verbose|ignore-case|no-color|color(?:=\w+)?|column(?:=[\w,]+)?|no-column|sort=[\w:*-]+|format=[\s\S]*|abbrev(?:=\d+)?|no-abbrev))$/;
const FILTERS = /^--(?:contains|no-contains|merged|no-merged|points-at)(?:=[\s\S]*)?$/;

const subcommands: ReadonlyMap<string, Rule> = new Map<string, Rule>([
	...(
		['status', 'rev-parse', 'ls-files', 'ls-tree', 'describe', 'merge-base', 'name-rev', 'show-ref'] as const
	).map((name) => [name, anyArguments] as const),
	...(['for-each-ref', 'check-ignore', 'check-attr', 'count-objects', 'version', 'var'] as const).map(
		(name) => [name, anyArguments] as const,
	),
	...(['log', 'diff', 'show', 'blame', 'annotate', 'shortlog', 'whatchanged', 'rev-list'] as const).map(
		(name) => [name, shows] as const,
	),
	...(['diff-tree', 'diff-index', 'diff-files', 'range-diff', 'cherry'] as const).map(
		(name) => [name, shows] as const,
	),
	// Both run filters that the configuration names.
	['cat-file', without({ long: ['--textconv', '--filters'] })],
	['grep', without({ short: 'O', long: ['--open-files-in-pager', '--textconv', '--ext-grep'] })],
	['branch', lists(['--list', '--show-current'], /^-[arvq]+$/)],
	['tag', lists(['--list', '-l'], /^-n\d*$/)],
	['remote', judgeRemote],
	['config', judgeConfig],
	['stash', first(/^(?:list|show)$/, shows)],
	['worktree', first(/^list$/, only(/^(?:--porcelain|-v|--verbose|-z)$/, 'none'))],
	['reflog', judgeReflog],
	['symbolic-ref', judgeSymbolicRef],
]);

export const judgeGit: Rule = (call) => {
	const { words } = call;
	let index = 0;
	for (; index < words.length; index += 1) {
		const word = words[index];
		if (word?.kind !== 'literal') throw new Refused('which `git` command runs is only known when it runs');
		if (!word.text.startsWith('-')) break;
		if (word.text === '--version') return;
		if (GLOBAL_FLAGS.test(word.text)) continue;
		const value = words[++index];
		if (word.text === '-C' && value !== undefined && value.kind !== 'unknown' && isOne(value)) continue;
		if (word.text === '-c' && value?.kind === 'literal' && SHAPING_SETTING.test(value.text)) continue;
		throw new Refused(`${quoted(`git ${word.text}`)} can make git run other programs`);
	}
	const subcommand = words[index];
	// Bare `git` prints its usage.
	if (subcommand?.kind !== 'literal') return;
	const rule = subcommands.get(subcommand.text);
	if (rule === undefined) throw new Refused(`${quoted(`git ${subcommand.text}`)} is not known to only read`);
	rule({ ...call, program: `git ${subcommand.text}`, words: words.slice(index + 1) });
};

function isOne(word: Word): boolean {
	return word.kind !== 'operand' || word.single;
}

/** `branch` and `tag`: a bare name would create one, so names only with one of the `listing` options or as a filter. */
function lists(listing: readonly string[], short: RegExp): Rule {
	return (call) => {
		const names = call.words.some((word) => word.kind === 'literal' && listing.includes(word.text));
		for (const [index, word] of call.words.entries()) {
			const before = call.words[index - 1];
			const isFilterValue =
				before?.kind === 'literal' && FILTERS.test(before.text) && !before.text.includes('=');
			if (word.kind === 'literal') {
				const isName = !word.text.startsWith('-');
				if (isName && (names || isFilterValue)) continue;
				if (listing.includes(word.text) || [LISTING, FILTERS, short].some((known) => known.test(word.text)))
					continue;
				throw new Refused(`${quoted(`${call.program} ${word.text}`)} can change something`);
			}
			if (word.kind !== 'operand' || (!names && !isFilterValue))
				throw new Refused(unknownArgument(call.program));
		}
	};
}

function first(allowed: RegExp, rest: Rule): Rule {
	return (call) => {
		const [word, ...words] = call.words;
		if (word?.kind !== 'literal' || !allowed.test(word.text))
			throw new Refused(`\`${call.program}\` can change something`);
		rest({ ...call, words });
	};
}

function judgeRemote(call: Call): void {
	const verbose = call.words.every((word) => word.kind === 'literal' && /^(?:-v|--verbose)$/.test(word.text));
	// `remote show` would ask the other side.
	if (!verbose) first(/^get-url$/, only(/^--(?:all|push)$/))(call);
}

const CONFIG_QUESTION = /^(?:--get|--get-all|--get-regexp|--get-urlmatch|--list|-l)$/;
const CONFIG_FLAG =
	/^(?:--all|--regexp|--global|--local|--system|--worktree|--show-origin|--show-scope|--name-only|--includes|--null|-z|--bool|--int|--path|--type=\w+|--default=[\s\S]*)$/;

/**
 * Only a question. git stops reading options at the first name, so that `config core.x value --list` sets the value:
 * the question must come first, a list takes no name, and a get at most a name and a pattern.
 */
function judgeConfig({ words }: Call): void {
	let asks = '';
	let names = 0;
	for (const [index, word] of words.entries()) {
		const text = word.kind === 'literal' ? word.text : null;
		if (index === 0 && text !== null && /^(?:get|list)$/.test(text)) asks = text;
		else if (text?.startsWith('-') && names > 0)
			throw new Refused('`git config` with an option behind a name can set it');
		else if (text !== null && CONFIG_QUESTION.test(text)) asks = text;
		else if (text?.startsWith('-')) {
			if (!CONFIG_FLAG.test(text))
				throw new Refused(`${quoted(`git config ${text}`)} can change the configuration`);
		} else if (text === null && !(word.kind === 'operand' && word.single))
			throw new Refused(unknownArgument('git config'));
		else names += 1;
	}
	if (asks === '') throw new Refused('`git config` without `--get` or `--list` can change the configuration');
	const isList = asks === '--list' || asks === '-l' || asks === 'list';
	if (names > (isList ? 0 : 2))
		throw new Refused('`git config` with a name and a value can change the configuration');
}

function judgeReflog(call: Call): void {
	const [word] = call.words;
	// `expire`, `delete` and whatever comes later change it.
	const shown =
		word === undefined ||
		(word.kind === 'literal' && /^(?:-.*|show|list|exists|HEAD(?:@\{\d+\})?)$/.test(word.text));
	if (!shown) throw new Refused('`git reflog` can change something');
	shows(call);
}

function judgeSymbolicRef(call: Call): void {
	only(/^(?:--short|-q|--quiet)$/)(call);
	const names = call.words.filter((word) => word.kind !== 'literal' || !word.text.startsWith('-'));
	if (names.length !== 1 || names[0]?.kind !== 'literal')
		throw new Refused('`git symbolic-ref` with a second name changes the first');
}
