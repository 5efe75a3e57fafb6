/** `npm run shots`: takes the pictures of the documentation from the real window, so that they are never stale. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBrowser } from './host.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { main, node24, root } from './run.mjs';

/** The demo has climbed by then, ms. */
const DEMO_MS = 40_000;

await main(async () => {
	await ensureInstalled();
	await ensureBuilt();
	const { chromium } = await import('@playwright/test');
	const place = mkdtempSync(join(tmpdir(), 'agent-floor-shots-'));
	const data = join(place, 'data');
	mkdirSync(data);
	writeFileSync(join(data, 'settings.json'), '{"heartbeatSeconds": 3}');
	const floor = spawn(
		node24(),
		[join(root, 'out/main/headless.js'), `--data=${data}`, '--port=0', '--no-open', '--demo'],
		{ stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, HOME: place } },
	);
	try {
		while (!existsSync(join(data, 'server.json'))) await sleep(50);
		const { url, operatorToken } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'));
		const found = await findBrowser();
		const browser = await chromium.launch({
			executablePath: found?.executable,
			args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
		});
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
		await page.goto(`${url}/?token=${operatorToken}`);
		await sleep(DEMO_MS);
		const images = join(root, 'docs/images');
		mkdirSync(images, { recursive: true });
		const shoot = async (name) => {
			for (const colorScheme of ['dark', 'light']) {
				await page.emulateMedia({ colorScheme });
				await sleep(500);
				await page.screenshot({ path: join(images, `${name}-${colorScheme}.png`) });
			}
		};
		await shoot('floor');
		// Why the one that climbed tripped, and what it took.
		await page.locator('[data-testid="agent-card"]:not([data-level="healthy"]) .agent-name').first().click();
		await page.getByTestId('arm').first().scrollIntoViewIfNeeded();
		await shoot('arms');
		await page.keyboard.press('Escape');
		await page.getByTestId('usage-entry').click();
		await shoot('usage');
		await page.keyboard.press('Escape');
		// As a polling loop tells it.
		await fetch(`${url}/request/model:report`, {
			method: 'POST',
			headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
			body: JSON.stringify({ directory: place, outcome: 'rate-limit', said: '429 Too Many Requests' }),
		});
		await page.locator('[data-testid="models-badge"][data-limited="1"]').click();
		await shoot('models');
		await browser.close();
		return 0;
	} finally {
		floor.kill('SIGTERM');
		await new Promise((resolve) => floor.once('exit', resolve));
		rmSync(place, { recursive: true, force: true });
	}
});
