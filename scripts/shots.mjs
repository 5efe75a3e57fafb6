/**
 * `npm run shots`: takes the pictures of the documentation from the real window, so that they are never stale. With
 * `--all` every screen, in both themes and at three sizes, into `out/shots`, to be looked at.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBrowser } from './host.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { main, node24, root } from './run.mjs';
import { writePast, writeSessions } from './shots/past.mjs';
import { screens } from './shots/screens.mjs';

/** The demo has climbed by then, ms. */
const DEMO_MS = 40_000;
/** What moves has come to rest, ms. */
const SETTLE_MS = 600;
const sizes = [
	[1440, 900],
	[1024, 700],
	[400, 800],
];

await main(async () => {
	const all = process.argv.includes('--all');
	await ensureInstalled();
	await ensureBuilt();
	const { chromium } = await import('@playwright/test');
	const place = mkdtempSync(join(tmpdir(), 'agent-floor-shots-'));
	const data = join(place, 'data');
	const empty = join(place, 'empty');
	for (const directory of [data, empty]) {
		mkdirSync(directory);
		writeFileSync(join(directory, 'settings.json'), '{"heartbeatSeconds": 3}');
	}
	// A month of work, in a store that a floor has made.
	const sessions = writeSessions(place, Date.now());
	await (await start(data)).stop();
	writePast(join(data, 'floor.db'), sessions, Date.now());
	const floors = [await start(data), await start(empty)];
	const found = await findBrowser();
	const browser = await chromium.launch({
		executablePath: found?.executable,
		args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
	});
	try {
		const [floor, fresh] = floors;
		await floor.ask('demo:start', {});
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
		await page.goto(floor.window);
		const first = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
		await first.goto(fresh.window);
		await sleep(DEMO_MS);
		const images = all ? join(root, 'out/shots') : join(root, 'docs/images');
		mkdirSync(images, { recursive: true });
		for (const { name, show, leave, documented, ofFresh } of screens) {
			if (!all && !documented) continue;
			const where = ofFresh ? first : page;
			for (const [width, height] of all ? sizes : sizes.slice(0, 1)) {
				await where.setViewportSize({ width, height });
				await show(where, floor, place);
				for (const colorScheme of ['dark', 'light']) {
					await where.emulateMedia({ colorScheme });
					await sleep(SETTLE_MS);
					const file = all ? `${name}-${width}-${colorScheme}.png` : `${name}-${colorScheme}.png`;
					await where.screenshot({ path: join(images, file) });
				}
				await (leave ?? pressEscape)(where);
			}
		}
		return 0;
	} finally {
		await browser.close();
		for (const floor of floors) await floor.stop();
		rmSync(place, { recursive: true, force: true });
	}

	/** A floor on its own data, with a home that holds nothing but what was written here. */
	async function start(directory) {
		const server = join(directory, 'server.json');
		const child = spawn(
			node24(),
			[join(root, 'out/main/headless.js'), `--data=${directory}`, '--port=0', '--no-open'],
			{ stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, HOME: place } },
		);
		while (!existsSync(server)) await sleep(50);
		const { url, operatorToken } = JSON.parse(readFileSync(server, 'utf8'));
		return {
			window: `${url}/?token=${operatorToken}`,
			ask: (channel, input) =>
				fetch(`${url}/request/${channel}`, {
					method: 'POST',
					headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
					body: JSON.stringify(input),
				}),
			stop: async () => {
				if (child.exitCode !== null) return;
				child.kill('SIGTERM');
				await new Promise((resolve) => child.once('exit', resolve));
			},
		};
	}
});

async function pressEscape(page) {
	await page.keyboard.press('Escape');
}
