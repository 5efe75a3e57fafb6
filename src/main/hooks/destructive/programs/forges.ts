/** Forges: `gh`, `glab`, their raw API included. */
import { type DestructiveRule, type Entries, has, isUnknown, operandsOf, withSubcommand } from '../rule.ts';
import { optionValue } from './wrappers.ts';

const OPTIONS = /^(?:-R|--repo|--hostname|-g|--group)$/;

const changes = withSubcommand(
	/^(?:(?:pr|mr) (?:merge|close|create|comment|note|review|edit|ready|reopen|lock|unlock|approve|rebase|update|update-branch)|(?:issue|release|repo|gist|secret|variable|label|ruleset|ssh-key|gpg-key|cache|codespace|project|schedule|deploy-key) (?:create|delete|close|edit|update|upload|archive|rename|set|remove|comment|note|transfer|sync|fork|lock|reopen|pin|delete-asset)|workflow (?:run|disable|enable)|(?:run|ci|pipeline) (?:cancel|delete|rerun|run|retry|trigger))\b/,
	(name) => `changes something on the forge (${name})`,
	OPTIONS,
);

/** Without a method it reads, unless there is something to send. */
const api: DestructiveRule = (words) => {
	const method = optionValue(words, /^(?:-X|--method)/);
	if (method !== null) return /^(?:GET|HEAD)$/i.test(method) ? null : 'changes something on the forge (api)';
	if (!has(words, /^(?:-[fF]|--(?:raw-)?field|--input)/)) return null;
	const reads = operandsOf(words)[1] === 'graphql' && !has(words, /mutation|\uFFFC|^--input|=@/i);
	return reads ? null : 'changes something on the forge (api)';
};

const forge: DestructiveRule = (words, inside) => {
	const [name, ...rest] = operandsOf(words, OPTIONS);
	if (name === 'api') return api(words, inside);
	if (rest[0] !== undefined && isUnknown(rest[0]) && /^(?:pr|mr|issue|release|repo)$/.test(name ?? ''))
		return 'runs a subcommand that cannot be read';
	return changes(words, inside);
};

export const forgePrograms: Entries = [['gh glab', forge]];
