import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
		environment: 'node',
		testTimeout: 20_000,
		// Real servers, files and child processes: leave one core to them.
		maxWorkers: 2,
		// Files share loaded modules, which saves a third of the time. Tests keep no state in them: any order passes.
		isolate: false,
		// Programs that tests start from their sources are compiled once.
		env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, 'node_modules/.cache/node') },
	},
});
