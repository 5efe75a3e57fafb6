/** A browser for the tests: one of this machine, or one that is installed for them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './host.mjs';
import { node24, projectEnvironment, root, runQuietly } from './run.mjs';

const INSTALL_DEADLINE_MS = 5 * 60_000;

/**
 * Finds Chromium, Chrome, Edge or Brave; otherwise installs Chromium: from the packages of Debian and its relatives
 * when run as root, else Playwright's own.
 * @returns {Promise<{ name: string, executable: string | null } | { missing: string }>} `executable` null: Playwright
 * knows where it is
 */
export async function provideBrowser() {
	const found = await findBrowser();
	if (found !== null) return found;
	if (await hasPlaywrightsOwn()) return { name: "Playwright's Chromium", executable: null };

	const tried = [];
	if (process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) {
		say('installing Chromium for the browser tests (apt-get)');
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		await runQuietly('apt-get', ['update'], { env, deadlineMs: INSTALL_DEADLINE_MS });
		const args = ['install', '-y', '--no-install-recommends', 'chromium'];
		const { code } = await runQuietly('apt-get', args, { env, deadlineMs: INSTALL_DEADLINE_MS });
		const installed = await findBrowser();
		if (installed !== null) return installed;
		tried.push(`apt-get install chromium ended with ${code}`);
	}
	say('fetching Chromium for the browser tests (playwright install)');
	const cli = join(root, 'node_modules/@playwright/test/cli.js');
	const { code, timedOut } = await runQuietly(node24(), [cli, 'install', 'chromium'], {
		deadlineMs: INSTALL_DEADLINE_MS,
	});
	if (await hasPlaywrightsOwn()) return { name: "Playwright's Chromium", executable: null };
	tried.push(`playwright install chromium ${timedOut ? 'took too long' : `ended with ${code}`}`);
	return { missing: `no Chromium, Chrome, Edge or Brave was found, and ${tried.join(', ')}` };
}

async function hasPlaywrightsOwn() {
	const script = "import { chromium } from '@playwright/test'; console.log(chromium.executablePath());";
	const { code, stdout } = await runQuietly(node24(), ['--input-type=module', '-e', script], {
		env: projectEnvironment(),
	});
	return code === 0 && existsSync(stdout.trim());
}

function say(what) {
	console.error(`agent-floor: ${what} …`);
}
