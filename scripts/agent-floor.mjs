#!/usr/bin/env node
/** The command `agent-floor`, in a clone as well: installs and builds if needed, then does what it is asked. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { endLike, goToCaller, isNode24, main, node24, root, runInOurPlace } from './run.mjs';

const entry = join(root, 'out/main/cli.js');

await main(async () => {
	await ensureInstalled();
	await ensureBuilt();
	goToCaller();
	if (!isNode24()) return endLike(await runInOurPlace(node24(), [entry, ...process.argv.slice(2)]));
	// Already the right Node: a second one would only cost time. The command sets the exit code.
	process.argv[1] = entry;
	await import(pathToFileURL(entry).href);
	return process.exitCode;
});
