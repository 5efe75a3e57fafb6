/** `npm run bench`: measures the built floor. `--only=name` runs one of `bench/*.bench.ts`. */
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { main, node24, root, runInOurPlace } from './run.mjs';

await main(async () => {
	await ensureInstalled();
	await ensureBuilt();
	const args = ['--no-warnings', join(root, 'bench/run.ts'), ...process.argv.slice(2)];
	return (await runInOurPlace(node24(), args)).code;
});
