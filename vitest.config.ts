import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
		environment: 'node',
		testTimeout: 20_000,
		// Real servers, files and child processes: leave one core to them.
		maxWorkers: 2,
	},
});
