/** `npm run bench:faults`: prints the fault matrix; `-- --write` also writes docs/faults.md. */
import { join } from 'node:path';
import { ensureInstalled } from './prepare.mjs';
import { main, node24, root, runInOurPlace } from './run.mjs';

await main(async () => {
	await ensureInstalled();
	const args = ['--no-warnings', join(root, 'bench/faults-page.ts'), ...process.argv.slice(2)];
	return (await runInOurPlace(node24(), args)).code;
});
