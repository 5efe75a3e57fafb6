/**
 * The forwarder of all agents that run commands as hooks and cannot call a URL, or should not (hook-clients.ts): one
 * program in the data directory. A settings file names it by a command line that never changes for one data directory,
 * because Codex trusts a hook by the hash of its command and Gemini CLI warns of every changed one; port and token
 * stand in a file beside the program, which the floor writes anew.
 *
 * It hands the payload on from standard input, prints the floor's JSON object or nothing, keeps standard error empty,
 * ends within its own deadline and exits 0 whatever happens: without the floor, every agent works as if the floor did
 * not exist.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { type FloorAddress, refuseUnwritable } from './floor-address.ts';
import {
	FORWARD_DEADLINES,
	type ForwardDeadlines,
	MOST_REPLY_BYTES,
	QUIET_FILE,
} from './forward-deadlines.ts';
import { nodeForwardProgram } from './forward-node.ts';
import { posixForwardProgram } from './forward-posix.ts';
import { batchForwardProgram, powershellForwardProgram } from './forward-windows.ts';

const CONFIGURATION = 'forward.curl';
const WORD = /^[A-Za-z][A-Za-z0-9-]*$/;

/**
 * The command line of the hook `event` of `client`. It must stay as it is, byte for byte, in all later versions.
 * Windows: Codex runs it with PowerShell or with cmd.exe, and to neither is a quoted path at its start a program
 * (openai/codex#38168, #46454: nothing runs, and only "Failed" is shown). So the path stands bare where it can, else
 * behind cmd.exe's `call`.
 * @throws RangeError for a client or event that is not one plain word.
 */
export function forwardCommand(
	dataDirectory: string,
	platform: NodeJS.Platform,
	client: string,
	event: string,
): string {
	if (!WORD.test(client) || !WORD.test(event)) {
		throw new RangeError(`"${client} ${event}" cannot stand in a command line.`);
	}
	const program = forwardProgramFile(dataDirectory, platform);
	if (platform !== 'win32') return `"${program.replaceAll(/[\\"$`]/g, '\\$&')}" ${client} ${event}`;
	const path = /^[\p{L}\p{N}\\:_.~-]+$/u.test(program) ? program : `cmd.exe /d /c call "${program}"`;
	return `${path} ${client} ${event}`;
}

/** The program in a data directory, as `platform` writes paths, whatever system this is. */
export function forwardProgramFile(dataDirectory: string, platform: NodeJS.Platform): string {
	return platform === 'win32'
		? win32.join(dataDirectory, 'hooks', 'forward.cmd')
		: posix.join(dataDirectory, 'hooks', 'forward');
}

/** The data directory that a command line of `forwardCommand` names; `null` for any other line. */
export function forwardDataDirectory(command: string, platform: NodeJS.Platform): string | null {
	if (platform !== 'win32') {
		const inPosix = /^"((?:[^"\\]|\\.)*\/hooks\/forward)" [\w-]+ [\w-]+$/s.exec(command);
		const program = inPosix?.[1]?.replaceAll(/\\(.)/gs, '$1');
		return program === undefined ? null : posix.dirname(posix.dirname(program));
	}
	const inWindows = /^(?:cmd\.exe \/d \/c call "(.*)"|(.*)) [\w-]+ [\w-]+$/s.exec(command);
	const program = inWindows?.[1] ?? inWindows?.[2];
	return program?.endsWith('\\hooks\\forward.cmd') ? win32.dirname(win32.dirname(program)) : null;
}

/** True for the command line of a forwarder, in whatever data directory, of this client. */
export function isForwardCommand(command: string, client: string): boolean {
	const { 1: path, 2: name, 3: event } = /^(.*?) ([\w-]+) ([\w-]+)$/s.exec(command) ?? [];
	return (
		path !== undefined &&
		name === client &&
		event !== undefined &&
		/[\\/]hooks[\\/]forward(\.cmd)?"?$/.test(path)
	);
}

/**
 * Writes the program and what it reads, each whole or not at all, so that a hook that runs at this moment finds the old
 * one or the new one.
 * @param runtime path of a Node (or Electron) binary, for machines without curl; this process's own knows the way.
 * @throws RangeError for a base URL or a token that cannot be written into a configuration file as it is.
 * @throws ErrnoException when the directory cannot be written.
 */
export async function writeForwardProgram(
	dataDirectory: string,
	address: FloorAddress,
	platform: NodeJS.Platform,
	runtime: string = process.execPath,
	deadlines: ForwardDeadlines = FORWARD_DEADLINES,
): Promise<void> {
	const directory = directoryIn(dataDirectory);
	const text = forwardConfiguration(address);
	await mkdir(directory, { recursive: true, mode: 0o700 });
	// The program last: it finds all that it needs.
	await writeFileAtomic(join(directory, CONFIGURATION), text, { mode: 0o600 });
	// The silence was another floor's.
	await rm(join(directory, QUIET_FILE), { force: true });
	if (platform === 'win32') {
		await writeFileAtomic(join(directory, 'forward.ps1'), powershellForwardProgram(), { mode: 0o600 });
		await writeFileAtomic(join(directory, 'forward.cmd'), batchForwardProgram(deadlines), { mode: 0o700 });
		return;
	}
	await writeFileAtomic(join(directory, 'forward.cjs'), nodeForwardProgram(), { mode: 0o600 });
	await writeFileAtomic(join(directory, 'forward'), posixForwardProgram(deadlines, runtime), { mode: 0o700 });
}

/**
 * The floor ends: until the program is written anew its hooks call nobody, which takes them the least time there is.
 * After a crash they still call a port where nobody listens, which takes a moment longer.
 * @throws ErrnoException when the directory cannot be written.
 */
export async function forgetFloorAddress(dataDirectory: string): Promise<void> {
	await rm(join(directoryIn(dataDirectory), CONFIGURATION), { force: true });
}

function directoryIn(dataDirectory: string): string {
	return join(dataDirectory, 'hooks');
}

/**
 * As a file, because every local user can read the arguments of a running process. `noproxy`: nothing of the person's
 * stands between hook and floor. An empty `Expect`: no second round trip before the body. The last line of what curl
 * prints tells whether it was the floor that answered.
 * @throws RangeError
 */
export function forwardConfiguration(address: FloorAddress): string {
	refuseUnwritable(address);
	return [
		'# Of Agent Floor: where its hooks call. Written anew whenever the floor starts.',
		`url = "${address.baseUrl}"`,
		`header = "Authorization: Bearer ${address.agentToken}"`,
		'header = "Content-Type: application/json"',
		'header = "Expect:"',
		'request = "POST"',
		'noproxy = "*"',
		'silent',
		'fail',
		`max-filesize = ${MOST_REPLY_BYTES}`,
		'write-out = "\\n%{http_code} %{content_type}"',
		'',
	].join('\n');
}
