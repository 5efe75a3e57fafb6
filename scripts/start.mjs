/** `npm start`: everything from a fresh clone to an open window. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseHost, findBrowser, findElectron, hasDisplay } from './host.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { goToCaller, main, node24, projectEnvironment, root, runInOurPlace, ScriptError } from './run.mjs';

const HELP = `Usage: npm start -- [flags]

Installs and builds if needed, and opens the floor.

  --host=auto       where the window comes from: electron, web (a Chromium, Chrome, Edge or Brave window),
                    or auto, which takes Electron where it is there or can be fetched, else the web
  --no-open         open no window; the address is printed
  --port=N          listen on this port of the loopback interface; 0 takes any free one (default 47100)
  --data=DIR        keep everything in this directory
  --demo            play a bundled floor of several agents on a temporary data directory
  --help            this text`;

/** Electron ended in its first moments, by one of these, was not able to open a window on this machine. */
const CRASHES = new Set(['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGILL', 'SIGBUS']);
/** What a shell and the loader say when a program or one of its libraries cannot be loaded. */
const CANNOT_RUN = new Set([126, 127, 133, 134]);
const FIRST_MOMENTS_MS = 15_000;

await main(async () => {
	const flags = readFlags(process.argv.slice(2));
	if (flags.help) {
		console.log(HELP);
		return 0;
	}
	await ensureInstalled();
	await ensureBuilt();
	goToCaller();
	if (flags.data !== undefined) flags.data = resolve(flags.data);
	if (!flags.demo || flags.data !== undefined) return start(flags);
	const place = demoPlace();
	try {
		return await start({ port: '0', ...flags, data: place });
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
});

/** A data directory of the demo's own, gone when it ends; it beats faster, so that one sees the ladder move. */
function demoPlace() {
	const place = mkdtempSync(join(tmpdir(), 'agent-floor-demo-'));
	writeFileSync(join(place, 'settings.json'), JSON.stringify({ heartbeatSeconds: 5 }));
	return place;
}

async function start(flags) {
	let electron = null;
	const display = hasDisplay();
	const choose = (wanted, find) =>
		chooseHost({ wanted, open: !flags['no-open'], display, electron: find, browser: findBrowser });
	let choice = await choose(flags.host, async () => {
		const found = await findElectron({ insist: flags.host === 'electron' });
		electron = found.executable ?? null;
		return found;
	});
	if (choice.host === 'electron') {
		tell(choice);
		const began = Date.now();
		const { code, signal } = await startElectron(electron, flags);
		const crashed = CRASHES.has(signal) || CANNOT_RUN.has(code);
		if (flags.host === 'electron' || !crashed || Date.now() - began > FIRST_MOMENTS_MS) return code;
		const missing = `Electron cannot run on this machine (it ended with ${signal ?? code})`;
		choice = await choose('auto', async () => ({ missing }));
	}
	tell(choice);
	const headless = [join(root, 'out/main/headless.js'), ...passedOn(flags, choice.host === 'address')];
	return (await runInOurPlace(node24(), headless)).code;
}

function readFlags(args) {
	const options = {
		host: { type: 'string', default: 'auto' },
		'no-open': { type: 'boolean', default: false },
		port: { type: 'string' },
		data: { type: 'string' },
		demo: { type: 'boolean', default: false },
		help: { type: 'boolean', short: 'h', default: false },
	};
	let flags;
	try {
		flags = parseArgs({ args, options }).values;
	} catch (error) {
		throw new ScriptError(`${error.message}\n\n${HELP}`);
	}
	if (!['electron', 'web', 'auto'].includes(flags.host)) {
		throw new ScriptError(`--host=${flags.host} is none of electron, web, auto.\n\n${HELP}`);
	}
	if (flags.port !== undefined && !(/^\d{1,5}$/.test(flags.port) && Number(flags.port) <= 65_535)) {
		throw new ScriptError(`--port=${flags.port} is no port; give a number from 0 (any free one) to 65535.`);
	}
	return flags;
}

/** The flags that the floor itself understands. */
function passedOn(flags, noOpen = flags['no-open']) {
	return [
		...(flags.port === undefined ? [] : [`--port=${flags.port}`]),
		...(flags.data === undefined ? [] : [`--data=${flags.data}`]),
		...(noOpen ? ['--no-open'] : []),
		...(flags.demo ? ['--demo'] : []),
	];
}

function startElectron(executable, flags) {
	const env = projectEnvironment();
	// Set by some editors for their terminals; it would make Electron a plain Node.
	delete env.ELECTRON_RUN_AS_NODE;
	// Chromium does not start its sandbox as root.
	const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
	return runInOurPlace(executable, [...sandbox, root, ...passedOn(flags)], env);
}

function tell(choice) {
	console.log(`Agent Floor: ${choice.line}.`);
}
