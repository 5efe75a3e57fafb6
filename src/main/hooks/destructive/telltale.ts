/** Texts that are no shell lines: program code, SQL, and lines that cannot be parsed are searched for telling words. */
import { UNKNOWN } from './rule.ts';

/** SQL that changes or deletes what is there. */
export const STATEMENT =
	/\b(?:drop|truncate|delete\s+from|alter\s+table|update\s+\S+\s+set|grant|revoke|insert\s+or\s+replace)\b/i;

/** Words that would be destructive if they were commands. */
const COMMAND_WORD =
	/(?:^|[^\w-])(?:rm|rmdir|unlink|shred|dd|mkfs|truncate|push|deploy|publish|destroy|terraform|kubectl|helm|ansible|psql|mysql|drop|delete|curl|wget|ssh|scp|rsync|aws|gcloud|az|eval|docker|reset|clean|shutdown|reboot|release|migrate|rollback|teardown|nuke|merge|chown|xargs)(?:$|[^\w-])/i;
/** Spellings whose only use in a line is to hide or build words. */
const BUILT_WORD = /(?:^|[\s;&|({`])\{[^\s{},]*,[^\s{}]*\}|\$'|\$\{?IFS/;
/** Something is handed to a shell: `| sh`, `sh <<EOF`, `sh -c`. */
const FED_SHELL = /(?:^|[\s;&|(/])(?:ba|z|da|k|fi)?sh(?:$|[\s;&|)<])/;

/** A line that is too long, or no shell that we know: then single words have to do, and the person decides. */
export function inUnreadable(text: string): string | null {
	const unquoted = text.replace(/['"\\]/g, '');
	const found = [COMMAND_WORD, BUILT_WORD, FED_SHELL].some(
		(words) => words.test(text) || words.test(unquoted),
	);
	return found ? 'cannot be read in full, and holds words of destructive commands' : null;
}

const DELETES =
	/\b(?:rmtree|rm_rf|rm_r|rm_f|rmSync|rmdir\w*|unlink\w*|removedirs|remove_tree|remove_entry|remove_dir|rimraf|emptyDir\w*|truncateSync|send2trash|delete_all|destroy_all|deleteMany|drop_all|dropDatabase)\b|\b(?:os|fs|fsp|FileUtils|Deno|File|Dir)\.(?:rm|remove|removeSync|delete|truncate)\b|\.rm\(|(?<![.\w])remove\(/;
const SENDS =
	/\b(?:requests|httpx|axios|session|client|http)\.(?:post|put|patch|delete)\b|\bmethod["']?\s?[:=]\s?["'`](?:POST|PUT|PATCH|DELETE)|\bsmtplib\b|\bNet::HTTP(?:\.|::)(?:post|put|delete)|\burlopen\(.{0,200}data=/i;
const CALLS =
	/\b(?:subprocess|popen\w*|system|exec\w*|spawn\w*|child_process|shell_exec|passthru|run_command|do shell script|execa|zx)\b|`|%x/;
const DISGUISED = /\b(?:b64decode|fromCharCode|atob|unhexlify|decode_base64|Base64)\b/;

/** Code given to an interpreter on the line (`python -c`, `node -e`). */
export function inCode(text: string): string | null {
	if (text.trim() === UNKNOWN) return 'runs a text that only the shell will know';
	if (DELETES.test(text)) return 'runs code that deletes';
	if (SENDS.test(text)) return 'runs code that sends data to a server';
	if (STATEMENT.test(text)) return 'runs code that changes or deletes data';
	if (CALLS.test(text) && COMMAND_WORD.test(text)) return 'runs code that runs a destructive command';
	if (/\b(?:eval|exec|system)\b/.test(text) && DISGUISED.test(text)) return 'runs code that is disguised';
	return null;
}

/** PowerShell and cmd.exe are not parsed. */
const POWERSHELL =
	/(?:^|[^\w-])(?:remove-\w+|clear-\w+|stop-\w+|restart-\w+|ri|rd|rmdir|del|erase|rm|format-volume|publish-\w+|push|invoke-(?:webrequest|restmethod|expression|command)|iex|irm|iwr|deploy)(?:$|[^\w-])|::delete\b|\.delete\(/i;

export function inPowerShell(text: string): string | null {
	return POWERSHELL.test(text) ? 'holds words of destructive PowerShell commands' : null;
}
