/** Git, and other version control: what others get, and what no reflog brings back. */
import {
	behind,
	type DestructiveRule,
	type Entries,
	has,
	type Inside,
	isUnknown,
	operandsOf,
	type Words,
	withSubcommand,
} from '../rule.ts';
import { optionValue } from './wrappers.ts';

/** Git's own options, before the subcommand, that take the next word. */
const VALUED = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env|attr-source|super-prefix))$/;
/** Settings whose value is a command. */
const RUNS =
	/(?:command|pager|editor|cmd|askpass|helper|external|textconv|clean|smudge|process|program|proxy)$/i;

const UNCOMMITTED = 'throws away uncommitted work';

/** A setting that is or runs a command: `alias.p=push`, `core.sshCommand=…`. */
function inSetting(key: string, value: string, inside: Inside): string | null {
	if (/^alias\./i.test(key)) return inside.line(value.startsWith('!') ? value.slice(1) : `git ${value}`);
	return RUNS.test(key) ? inside.line(value.replace(/^!/, '')) : null;
}

/** `git -c key=value …`, as often as it stands there. */
function inSettings(options: Words, inside: Inside): string | null {
	for (const [index, word] of options.entries()) {
		const [key = '', ...value] = word === '-c' ? (options[index + 1] ?? '').split('=') : [];
		const found = value.length === 0 ? null : inSetting(key, value.join('='), inside);
		if (found !== null) return found;
	}
	return null;
}

const git: DestructiveRule = (words, inside) => {
	const [name, ...rest] = operandsOf(words, VALUED);
	if (name === undefined) return null;
	const at = words.indexOf(name);
	const inOptions = inSettings(words.slice(0, at), inside);
	if (inOptions !== null) return inOptions;
	if (isUnknown(name)) return 'runs a git command that cannot be read';
	const own = (subcommands.get(name) ?? (() => null))(words.slice(at + 1), inside);
	if (own !== null) return own;
	// `git lfs push`, `git svn dcommit`.
	return /^(?:lfs push|subtree push|svn dcommit|p4 submit|cinnabar push|annex (?:drop|sync|copy|move)|flow \w+ (?:publish|finish)|town (?:ship|sync)|remote (?:rm|remove|prune)|notes (?:remove|prune)|stash (?:drop|clear)|worktree (?:remove|prune)|reflog (?:expire|delete)|submodule deinit)\b/.test(
		`${name} ${rest[0] ?? ''} ${rest[1] ?? ''}`,
	)
		? `deletes or sends (git ${name} ${rest[0] ?? ''})`
		: null;
};

const flagged =
	(flag: RegExp, what: string): DestructiveRule =>
	(words) =>
		has(words, flag) ? what : null;

const checkout: DestructiveRule = (words) => {
	if (has(words, /^(?:--|-[a-z]*f[a-z]*|--force|--ours|--theirs|--pathspec-from-file.*|-B)$/))
		return `${UNCOMMITTED} (git checkout)`;
	if (has(words, /^(?:-b|--orphan|-t|--track|--detach)(?:$|=)/)) return null;
	const [first = '', second] = operandsOf(words, /^--conflict$/);
	// One word may be a branch: a name with a directory's or file's ending is taken for a file.
	const isFile = /^\.{1,2}(?:\/|$)|\/$|^:|\.[a-z]\w{0,4}$|\uFFFC\.\w+$/i.test(first);
	return second !== undefined || isFile ? `${UNCOMMITTED} (git checkout)` : null;
};

const branch = flagged(
	/^(?:-[a-zA-Z]*[dDfMC][a-zA-Z]*|--delete|--force)$/,
	'deletes or moves a branch (git branch)',
);

/** `--exec LINE` of rebase; each `-x` is a line. */
const rebase: DestructiveRule = (words, inside) => {
	for (const [index, word] of words.entries()) {
		const found = /^(?:-x|--exec)/.test(word)
			? inside.line(optionValue(words.slice(index), /^(?:-x|--exec)/) ?? '')
			: null;
		if (found !== null) return found;
	}
	return null;
};

const submodule: DestructiveRule = (words, inside) => {
	if (!words.includes('foreach')) return null;
	const command = behind(words, 'foreach').filter((word) => !/^(?:--recursive|-q|--quiet|--)$/.test(word));
	return inside.line(command.join(' '));
};

const config: DestructiveRule = (words, inside) => {
	const [key = '', value] = operandsOf(
		words.filter((word) => word !== 'set'),
		/^(?:-f|--file|--blob|--type)$/,
	);
	return value === undefined ? null : inSetting(key, value, inside);
};

const sends =
	(what: string): DestructiveRule =>
	() =>
		what;

const subcommands: ReadonlyMap<string, DestructiveRule> = new Map<string, DestructiveRule>([
	['push', sends('sends commits to another repository (git push)')],
	['send-pack', sends('sends commits to another repository (git send-pack)')],
	['send-email', sends('sends mail (git send-email)')],
	['reset', flagged(/^--(?:hard|merge|keep)$/, `${UNCOMMITTED} (git reset)`)],
	[
		'clean',
		(words) => (has(words, /^(?:-[a-z]*n[a-z]*|--dry-run)$/) ? null : 'deletes untracked files (git clean)'),
	],
	['checkout', checkout],
	['checkout-index', flagged(/^(?:-[a-z]*f[a-z]*|--force)$/, `${UNCOMMITTED} (git checkout-index)`)],
	['read-tree', flagged(/^--reset$/, `${UNCOMMITTED} (git read-tree)`)],
	['switch', flagged(/^(?:-f|--force|--discard-changes|-C|--force-create)$/, `${UNCOMMITTED} (git switch)`)],
	[
		'restore',
		(words) =>
			has(words, /^(?:-S|--staged)$/) && !has(words, /^(?:-W|--worktree)$/)
				? null
				: `${UNCOMMITTED} (git restore)`,
	],
	['branch', branch],
	['tag', flagged(/^(?:-[a-zA-Z]*[df][a-zA-Z]*|--delete|--force)$/, 'deletes or moves a tag (git tag)')],
	['rm', (words) => (has(words, /^(?:--cached|-n|--dry-run)$/) ? null : 'deletes files (git rm)')],
	['gc', flagged(/^--prune/, 'deletes history (git gc)')],
	['prune', sends('deletes history (git prune)')],
	['filter-branch', sends('rewrites history (git filter-branch)')],
	['filter-repo', sends('rewrites history (git filter-repo)')],
	['update-ref', sends('moves or deletes a reference (git update-ref)')],
	['symbolic-ref', flagged(/^(?:-d|--delete)$/, 'deletes a reference (git symbolic-ref)')],
	['rebase', rebase],
	['submodule', submodule],
	['config', config],
	['bisect', (words, inside) => (words[0] === 'run' ? inside.command(words.slice(1)) : null)],
	['difftool', (words, inside) => inside.line(optionValue(words, /^(?:-x|--extcmd)/) ?? '')],
]);

export const gitPrograms: Entries = [
	['git hub', git],
	[
		'hg sl',
		withSubcommand(
			/^(?:push|strip|purge|update -C)\b/,
			(name) => `sends or deletes changes (${name})`,
			/^(?:-R|--repository|--cwd)$/,
		),
	],
	[
		'svn',
		withSubcommand(
			/^(?:commit|ci|delete|del|remove|rm|revert|import|move|mv)\b/,
			(name) => `sends or deletes changes (svn ${name})`,
		),
	],
	[
		'jj',
		withSubcommand(
			/^(?:git push|abandon)\b/,
			(name) => `sends or deletes changes (jj ${name})`,
			/^(?:-R|--repository)$/,
		),
	],
	[
		'p4',
		withSubcommand(
			/^(?:submit|revert|delete|obliterate)\b/,
			(name) => `sends or deletes changes (p4 ${name})`,
			/^-[cpuPd]$/,
		),
	],
	[
		'bzr fossil arc',
		withSubcommand(/^(?:push|land|commit|diff --create)\b/, (name) => `sends changes (${name})`),
	],
];
