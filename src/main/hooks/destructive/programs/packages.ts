/** Package managers and task runners: publishing, and scripts that are judged by their names. */
import {
	type DestructiveRule,
	type Entries,
	has,
	isUnknown,
	operandsOf,
	type Words,
	withSubcommand,
} from '../rule.ts';
import { inTask } from '../script-names.ts';

const isRehearsal = (words: Words): boolean => has(words, /^(?:--dry-run|--dryrun)$/);

export const packageManager: DestructiveRule = (words) => {
	const [name, ...rest] = operandsOf(words, /^(?:--prefix|-C|--cwd|--filter|-F|-w|--workspace|--dir)$/);
	if (name === undefined) return null;
	if (isUnknown(name)) return 'runs a script that cannot be read';
	if (/^(?:publish|unpublish|deprecate)$/.test(name))
		return isRehearsal(words) ? null : `changes what others install (${name})`;
	if (/^(?:dist-tag|owner|access|team)$/.test(name) && !/^(?:ls|list|get)$/.test(rest[0] ?? ''))
		return `changes the package's registry entry (${name})`;
	const script = /^(?:run|run-script|task)$/.test(name) ? rest[0] : name;
	if (script === undefined) return null;
	return isUnknown(script) ? 'runs a script that cannot be read' : inTask(script);
};

/** Python's build tools. */
export const publishing: DestructiveRule = withSubcommand(
	/^(?:publish|upload)\b/,
	(name) => `publishes a package (${name})`,
);

/** Every operand is a target. */
const targets =
	(valued: RegExp): DestructiveRule =>
	(words) => {
		if (has(words, /^(?:-n|-m|--dry-run|--just-print|--recon)$/)) return null;
		for (const target of operandsOf(words, valued)) {
			if (/^(?:distclean|clobber)$/.test(target)) return `runs the target "${target}"`;
			const found = inTask(target);
			if (found !== null) return found;
		}
		return null;
	};

const MAKE =
	/^(?:-[CfIoWdt]|--(?:directory|file|makefile|include-dir|old-file|new-file|what-if|justfile|working-directory|taskfile))$/;

/** Scripts of the names that follow: `npm-run-all build deploy`, `turbo run deploy`. */
const anyTask = targets(/^(?:--filter|-F|--scope|--projects|-c|--configuration|--concurrency)$/);

const rails: DestructiveRule = (words, inside) => {
	const [name = ''] = operandsOf(words);
	if (name === 'destroy' || name === 'd') return 'deletes generated files (rails destroy)';
	if (name === 'runner' || name === 'r') return inside.command(['ruby', '-e', ...words]);
	return inTask(name);
};

export const packagePrograms: Entries = [
	['make gmake just task rake mage invoke inv nox tox doit ninja mix fab goreleaser', targets(MAKE)],
	['gradle gradlew mvn mvnw sbt ant bazel', targets(/^(?:-[bcpfPD]|-pl|--project-dir|--build-file|--file)$/)],
	['turbo nx lerna moon lage rush npm-run-all run-s run-p wireit', anyTask],
	['rails', rails],
	[
		'cargo',
		(words) => {
			const [name = '', next = ''] = operandsOf(words.filter((word) => !word.startsWith('+')));
			if (name === 'publish' && isRehearsal(words)) return null;
			if (name === 'xtask' || name === 'make') return inTask(next);
			return /^(?:publish|yank|owner|release)$/.test(name)
				? `changes what others install (cargo ${name})`
				: null;
		},
	],
	['twine flit', publishing],
	['gem', withSubcommand(/^(?:push|yank|owner)\b/, (name) => `changes what others install (gem ${name})`)],
	[
		'dotnet nuget',
		withSubcommand(/^(?:nuget )?(?:push|delete)\b/, (name) => `changes what others install (${name})`),
	],
	[
		'gh-pages np release-it changeset lerna-publish vsce ovsx',
		(words) =>
			isRehearsal(words) || has(words, /^(?:add|status|version|init|ls|show|package)$/)
				? null
				: 'publishes what it builds',
	],
];
