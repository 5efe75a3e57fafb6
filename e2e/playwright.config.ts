import { defineConfig } from '@playwright/test';
import { findBrowser } from '../src/main/machine/browsers.ts';

// One of this machine (CHROMIUM_PATH before all); without one, Playwright looks for its own.
const browser = await findBrowser();
const isRoot = process.getuid?.() === 0;

export default defineConfig({
	testDir: '.',
	testMatch: '**/*.e2e.ts',
	outputDir: '../test-results',
	fullyParallel: true,
	// They wait more than they work: three fill two cores.
	workers: 3,
	retries: 0,
	forbidOnly: Boolean(process.env.CI),
	timeout: 60_000,
	use: {
		browserName: 'chromium',
		trace: 'retain-on-failure',
		screenshot: 'only-on-failure',
		launchOptions: {
			...(browser && { executablePath: browser.executable }),
			args: [
				...(isRoot ? ['--no-sandbox'] : []),
				'--disable-gpu',
				// Nothing but the floor is to be reached from a test.
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
				'--no-first-run',
			],
		},
	},
});
