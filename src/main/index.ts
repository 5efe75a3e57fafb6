/** Electron's entry. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { runDesktop } from './desktop/run.ts';
import { startFloor } from './floor-app.ts';
import { resolveDataDirectory } from './store/data-directory.ts';
import { version } from './version.ts';

runDesktop({
	startFloor,
	version,
	args: process.argv.slice(1),
	resolveDataDirectory: (flag) =>
		resolveDataDirectory({ flag, env: process.env, platform: process.platform, homeDirectory: homedir() }),
	// The bundle is out/main/index.js.
	root: resolve(import.meta.dirname, '..', '..'),
});
