/** The Node entry: the same floor without Electron, its window in a browser on this machine. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startFloor } from './floor-app.ts';
import { findBrowser, openAppWindow } from './machine/browsers.ts';
import { StartError } from './server/start-error.ts';
import { resolveDataDirectory } from './store/data-directory.ts';
import { version } from './version.ts';

/** A floor that cannot close in this time is ended, ms. */
const CLOSE_DEADLINE_MS = 5_000;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string' },
			data: { type: 'string' },
			'no-open': { type: 'boolean', default: false },
			demo: { type: 'boolean', default: false },
		},
	});
	const dataDirectory = resolveDataDirectory({
		flag: values.data,
		env: process.env,
		platform: process.platform,
		homeDirectory: homedir(),
	});
	const open = async (address: string, windowAddress: () => Promise<string> | string): Promise<void> => {
		print(`Agent Floor is at ${address}`);
		const browser = values['no-open'] ? null : await findBrowser();
		if (!browser) return;
		try {
			await openAppWindow(browser, await windowAddress(), join(dataDirectory, 'window-profile'));
		} catch (error) {
			process.stderr.write(
				`${browser.name} could not be opened (${String(error)}); open the address by hand.\n`,
			);
		}
	};
	try {
		const floor = await startFloor({
			dataDirectory,
			version,
			windowDirectory: resolve(import.meta.dirname, '../renderer'),
			demo: values.demo,
			...(values.port !== undefined && { port: readPort(values.port) }),
		});
		let closing = false;
		const close = (): void => {
			// A terminal's Ctrl-C comes twice: to the whole group, and once more from the script that started us.
			if (closing) return;
			closing = true;
			const deadline = setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS);
			deadline.unref();
			floor.stop().then(
				() => process.exit(0),
				(error: unknown) => fail(error),
			);
		};
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, close);
		await open(floor.address, () => floor.windowAddress());
	} catch (error) {
		if (error instanceof StartError && error.code === 'already-running' && error.address !== null) {
			print(`${error.what} ${error.means}`);
			const { address } = error;
			await open(address, () => askForWindowAddress(address));
			return;
		}
		fail(error);
	}
}

/** Of the floor that runs already. */
async function askForWindowAddress(address: string): Promise<string> {
	const { origin, searchParams } = new URL(address);
	const response = await fetch(`${origin}/window-address`, {
		method: 'POST',
		headers: { authorization: `Bearer ${searchParams.get('token')}` },
	});
	return ((await response.json()) as { address: string }).address;
}

function readPort(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
	throw new StartError({
		code: 'port-refused',
		what: `--port=${text} is not a port.`,
		means: 'The floor did not start; agents work on without it.',
		remedy: 'Give a number from 0 (any free one) to 65535.',
	});
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

function fail(error: unknown): void {
	const words =
		error instanceof StartError
			? `${error.what}\n${error.means}\n${error.remedy}`
			: `Agent Floor could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
	process.stderr.write(`${words}\n`);
	process.exit(1);
}

// Last resort: a fault in one room must not take the floor, and with it every agent's supervision, down unseen.
process.on('unhandledRejection', (error) => {
	process.stderr.write(`Agent Floor: an unexpected error was survived: ${String(error)}\n`);
});

await main();
