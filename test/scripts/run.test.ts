/** The scripts' way to run a program in their place, as a process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const script = pathToFileURL(resolve(import.meta.dirname, '../../scripts/run.mjs')).href;

it.runIf(process.platform !== 'win32').each([
	['process.exit(7)', [7, null]],
	["process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)", [null, 'SIGINT']],
	["process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)", [null, 'SIGTERM']],
	["process.kill(process.pid, 'SIGKILL')", [137, null]],
])('ends as the program ended: %s', async (program, end) => {
	const run = `import { endLike, main, runInOurPlace } from '${script}';
		await main(async () => endLike(await runInOurPlace(process.execPath, ['-e', ${JSON.stringify(program)}])));`;
	const child = spawn(process.execPath, ['--input-type=module', '-e', run], { stdio: 'ignore' });
	expect(await once(child, 'exit')).toEqual(end);
});
