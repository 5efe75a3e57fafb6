/** Programs with a subcommand that runs another program: `npx`, `uv run`, `poetry run`, `docker exec`, `kubectl exec`. */
import { behind, type DestructiveRule, type Entries, operandsOf, unlessHelp, type Words } from '../rule.ts';
import { inScriptFile } from '../script-names.ts';
import { clusterRule, containerRule } from './clusters.ts';
import { packageManager, publishing } from './packages.ts';
import { commandBehind, optionValue, type Wrapper } from './wrappers.ts';

/** `vercel@latest` runs `vercel`. */
const withoutVersion = ([name = '', ...rest]: Words): Words => [name.replace(/(.)@.*$/, '$1'), ...rest];

const npx: DestructiveRule = (words, inside) => {
	const own = words[0] === 'run' ? words.slice(1) : words;
	const command = commandBehind(own, {
		valued: 'pwc',
		long: 'call package workspace with from python spec index-url',
	});
	const line = optionValue(own.slice(0, own.length - command.length), /^(?:-c$|--call)/);
	if (line !== null) return inside.line(line);
	return command.length === 0 ? null : inside.command(withoutVersion(command));
};

/** Subcommand, what runs behind it, and what to say of all others. */
const runs =
	(subcommand: RegExp, wrapper: Wrapper, otherwise: DestructiveRule): DestructiveRule =>
	(words, inside) => {
		const [name = '', next = ''] = operandsOf(words, /^(?:-C|--directory|--project|-p)$/);
		if (!subcommand.test(name)) return unlessHelp(otherwise)(words, inside);
		const rest = behind(words, name);
		const inner = name === 'tool' && next === 'run' ? behind(rest, 'run') : rest;
		const command = commandBehind(inner, wrapper);
		const own = inner.slice(0, inner.length - command.length);
		// `uv run -m module`: its words are behind the option.
		if (own.some((word) => /^(?:-m|--module)$/.test(word)))
			return inside.command(['python', '-m', ...command]);
		return inside.command(withoutVersion(command));
	};

const nothing: DestructiveRule = () => null;
const PYTHON: Wrapper = {
	valued: 'pne',
	long: 'with with-editable with-requirements python env-file project directory package extra group only-group index config-file name prefix',
};

/** Subcommands of package managers that are named like programs. */
const OWN_SUBCOMMAND =
	/^(?:rm|remove|unlink|env|node|find|time|exec|dlx|x|run|run-script|task|test|start|install)$/;

/** `pnpm dlx vercel`, `yarn workspace a deploy`, `yarn prisma migrate reset`. */
const javaScript: DestructiveRule = (words, inside) => {
	const [name, ...rest] = operandsOf(words, /^(?:--prefix|-C|--cwd|--filter|-F|-w|--workspace|--dir)$/);
	if (name === undefined) return null;
	if (name === 'workspace' && rest[0] !== undefined) return javaScript(behind(words, rest[0]), inside);
	if (name === 'workspaces') return javaScript(behind(words, 'run'), inside);
	if (/^(?:exec|dlx|x)$/.test(name)) return npx(behind(words, name), inside);
	const own = unlessHelp(packageManager)(words, inside);
	if (own !== null || OWN_SUBCOMMAND.test(name)) return own;
	return /\.[cm]?[jt]sx?$/.test(name)
		? inScriptFile(name)
		: inside.command(withoutVersion(behindFirst(words, name)));
};

const behindFirst = (words: Words, name: string): Words => words.slice(words.indexOf(name));

const npm: DestructiveRule = (words, inside) => {
	const [name = ''] = operandsOf(words, /^(?:--prefix|-C|-w|--workspace)$/);
	return /^(?:exec|x)$/.test(name)
		? npx(behind(words, name), inside)
		: unlessHelp(packageManager)(words, inside);
};

const bun: DestructiveRule = (words, inside) =>
	words.some((word) => /^(?:-e|--eval|-p|--print)$/.test(word))
		? inside.command(['node', ...words])
		: javaScript(words, inside);

const CONTAINER_FLAGS =
	/^(?:-[dituPTq]+|--(?:rm|detach|interactive|tty|privileged|init|read-only|publish-all|quiet|no-healthcheck|no-TTY|no-deps|service-ports|build|oom-kill-disable|replace|remove-orphans))$/;
const CONTAINER_OPTIONS =
	/^(?:-[Hclfp]|--(?:host|context|config|log-level|file|project-name|profile|env-file|project-directory|connection|url))$/;

/** `docker exec c rm`, `docker compose run web rm`. */
const container: DestructiveRule = (words, inside) => {
	const name =
		operandsOf(words, CONTAINER_OPTIONS).find((word) => !/^(?:compose|container)$/.test(word)) ?? '';
	if (!/^(?:exec|run|create)$/.test(name)) return unlessHelp(containerRule)(words, inside);
	const rest = behind(words, name);
	// `-u` is a flag of none of them, but of `compose exec`'s cluster `-itu`.
	const command = commandBehind(rest, {
		flags: new RegExp(CONTAINER_FLAGS.source.replace('u', '')),
		operands: 1,
	});
	const entry = optionValue(rest.slice(0, rest.length - command.length), /^--entrypoint/);
	return inside.command(entry === null ? command : [...entry.split(' '), ...command]);
};

/** `kubectl exec pod -- rm`. */
const cluster: DestructiveRule = (words, inside) => {
	const own = unlessHelp(clusterRule)(words, inside);
	if (own !== null || !words.includes('exec')) return own;
	const rest = behind(words, 'exec');
	return inside.command(
		rest.includes('--') ? behind(rest, '--') : commandBehind(rest, { valued: 'cnf', operands: 1 }),
	);
};

/** `just`-like tools that run one program: `bundle exec cap production deploy`. */
export const runners: Entries = [
	['npx bunx pnpx uvx pipx', npx],
	['npm', npm],
	['pnpm yarn', javaScript],
	['bun', bun],
	['uv', runs(/^(?:run|tool)$/, PYTHON, publishing)],
	['poetry hatch', runs(/^run$/, PYTHON, publishing)],
	['pipenv pdm rye conda mamba micromamba', runs(/^run$/, PYTHON, publishing)],
	['bundle rbenv pyenv asdf nodenv volta dotnet-script', runs(/^(?:exec|run)$/, {}, nothing)],
	['mise rtx', runs(/^(?:exec|x)$/, { valued: 'Cj' }, nothing)],
	['nvm fnm', runs(/^(?:exec|run)$/, { operands: 1 }, nothing)],
	['docker podman nerdctl docker-compose', container],
	['kubectl oc', cluster],
];
