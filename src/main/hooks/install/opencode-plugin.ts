/**
 * The plugin that opencode runs in its own process (1.18.33, on Bun): it tells the floor what happens and brings about
 * what the floor answers (opencode-reply.ts). Where the floor listens is read at every call from the file that the
 * forwarder of the other programs reads, so that the text depends on the data directory alone.
 *
 * Without the floor, or with one that hangs, opencode works as if there were none: a call ends with its deadline, nothing
 * is printed, nothing is thrown but a refusal of the floor, whatever shapes opencode hands over.
 */
import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { PROCESS_HEADER } from './floor-address.ts';
import { FORWARD_DEADLINES, type ForwardDeadlines } from './forward-deadlines.ts';
import { forwardProgramFile } from './forward-program.ts';
import { OPENCODE_CALLS } from './opencode-calls.ts';
import { OPENCODE_HOOKS } from './opencode-hooks-text.ts';

const FIRST_LINE =
	'// Of Agent Floor: tells the floor on this machine what opencode does, and opencode what the floor answers.';
const SEAL = '// sha256 of the lines above: ';

/** Seconds without a call after a floor did not answer in time. */
const QUIET_SECONDS = 10;

/** The file that says where the floor of a data directory listens, and with which token, as `platform` writes paths. */
export function floorConfigurationFile(dataDirectory: string, platform: NodeJS.Platform): string {
	const { dirname, join } = platform === 'win32' ? win32 : posix;
	return join(dirname(forwardProgramFile(dataDirectory, platform)), 'forward.curl');
}

/** The whole plugin. Equal arguments give equal text; it ends with a seal that `isUntouchedPlugin` checks. */
export function opencodePlugin(
	dataDirectory: string,
	platform: NodeJS.Platform,
	deadlines: ForwardDeadlines = FORWARD_DEADLINES,
	quietSeconds: number = QUIET_SECONDS,
): string {
	const configuration = JSON.stringify(floorConfigurationFile(dataDirectory, platform));
	const text = [
		FIRST_LINE,
		'// Without the floor it does nothing. Agent Floor writes and removes this file as a whole.',
		`const CONFIGURATION = ${configuration};`,
		`const SECONDS = ${JSON.stringify({ ...deadlines, quiet: quietSeconds })};`,
		`const PROCESS_HEADER = ${JSON.stringify(PROCESS_HEADER)};`,
		OPENCODE_HOOKS,
		OPENCODE_CALLS,
	].join('\n');
	return `${text}${SEAL}${digestOf(text)}\n`;
}

/** True for a plugin of any version and data directory that nobody changed since the floor wrote it. */
export function isUntouchedPlugin(text: string): boolean {
	const at = text.lastIndexOf(SEAL);
	return (
		text.startsWith(FIRST_LINE) && at > 0 && text.slice(at) === `${SEAL}${digestOf(text.slice(0, at))}\n`
	);
}

function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
