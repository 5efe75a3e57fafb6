/** `npm run bench:detect`: judges the labelled traces; `-- --write` also writes docs/detection.md. */
import { join } from 'node:path';
import { ensureInstalled } from './prepare.mjs';
import { main, node24, root, runInOurPlace } from './run.mjs';

await main(async () => {
	await ensureInstalled();
	const args = ['--no-warnings', join(root, 'bench/detect/detect.ts'), ...process.argv.slice(2)];
	return (await runInOurPlace(node24(), args)).code;
});
