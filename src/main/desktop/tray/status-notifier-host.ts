/**
 * Does anybody draw tray icons on this Linux desktop? Electron does not say: an icon is handed over without error
 * although, as on plain GNOME, nobody shows it.
 */
import { execFile } from 'node:child_process';

const ANSWER_WITHIN_MS = 1_000;
const WATCHER = 'org.kde.StatusNotifierWatcher';

/** Asks the session bus with whichever tool the system has. The same property, read in two ways. */
const questions: readonly { readonly program: string; readonly args: readonly string[] }[] = [
	{
		program: 'gdbus',
		args: [
			...['call', '--session', '--dest', WATCHER, '--object-path', '/StatusNotifierWatcher'],
			...['--method', 'org.freedesktop.DBus.Properties.Get', WATCHER, 'IsStatusNotifierHostRegistered'],
		],
	},
	{
		program: 'busctl',
		args: [
			'--user',
			'get-property',
			WATCHER,
			'/StatusNotifierWatcher',
			WATCHER,
			'IsStatusNotifierHostRegistered',
		],
	},
];

/** Runs a program and resolves with its output; rejects when it is missing, fails or takes too long. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

/** True only when the session bus says that a host is registered. Never rejects: what cannot be asked is "no". */
export async function hasStatusNotifierHost(run: RunProgram = runProgram): Promise<boolean> {
	for (const { program, args } of questions) {
		try {
			return isYes(await run(program, args));
		} catch {
			// The tool is missing, or the bus knows no watcher; the next one may know better.
		}
	}
	return false;
}

/** `(<true>,)` from gdbus, `b true` from busctl. */
function isYes(answer: string): boolean {
	return /^(\(<true>,\)|b true)$/.test(answer.trim());
}

function runProgram(program: string, args: readonly string[]): Promise<string> {
	return new Promise((resolve, reject) => {
		execFile(program, args, { timeout: ANSWER_WITHIN_MS, encoding: 'utf8' }, (error, stdout) => {
			if (error) reject(error);
			else resolve(stdout);
		});
	});
}
