/**
 * `npm test`: everything that can be checked, on a fresh clone. Says one line per step, shows the output of those that
 * fail, and ends with the line "N passed, N failed, N skipped". Names of steps as arguments run only these.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideBrowser } from './browser-for-tests.mjs';
import { ensureBuilt, ensureInstalled, rebuild } from './prepare.mjs';
import { main, node24, projectEnvironment, root, runQuietly, ScriptError } from './run.mjs';
import { countListed, sum, tallyPlaywright, tallyVitest, verdict } from './test-results.mjs';

const PASSED = { passed: 1, failed: 0, skipped: 0 };
const FAILED = { passed: 0, failed: 1, skipped: 0 };
const reports = mkdtempSync(join(tmpdir(), 'agent-floor-test-'));
let buildFailed = false;

/** Each gives its tally and, where there is something to show, its output. Those of a row run side by side. */
const rows = [
	[
		['lint', check('@biomejs/biome/bin/biome', 'check', '.')],
		[
			'layers',
			check('dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.cjs', 'src'),
		],
		['types', check('typescript/bin/tsc', '-p', 'tsconfig.node.json')],
		['types-web', check('typescript/bin/tsc', '-p', 'tsconfig.web.json')],
	],
	[['unit', unit]],
	[['build', buildAnew]],
	[['e2e', e2e]],
];

await main(async () => {
	const wanted = process.argv.slice(2);
	const known = rows.flat().map(([name]) => name);
	const unknown = wanted.filter((name) => !known.includes(name));
	if (unknown.length > 0)
		throw new ScriptError(`There is no step ${unknown.join(', ')}; there are ${known.join(', ')}.`);
	try {
		await ensureInstalled();
		const tallies = [];
		for (const row of rows) {
			const steps = row.filter(([name]) => wanted.length === 0 || wanted.includes(name));
			tallies.push(...(await Promise.all(steps.map(([name, step]) => timed(name, step)))));
		}
		const total = sum(tallies);
		console.log(verdict(total));
		return total.failed === 0 ? 0 : 1;
	} finally {
		rmSync(reports, { recursive: true, force: true });
	}
});

async function timed(name, step) {
	const began = performance.now();
	let result;
	try {
		result = await step();
	} catch (error) {
		if (!(error instanceof ScriptError)) throw error;
		result = { tally: FAILED, output: error.message };
	}
	const { tally, output = '', note = '' } = result;
	const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
	const state = tally.failed > 0 ? 'FAILED' : 'ok';
	console.log(`${state.padEnd(6)} ${name.padEnd(10)}${seconds} s  ${verdict(tally)}${note && ` (${note})`}`);
	if (tally.failed > 0 && output.trim() !== '') console.log(`${output.trim()}\n`);
	return tally;
}

/** A tool of node_modules that is content or not. */
function check(script, ...args) {
	return async () => {
		const { code, output } = await tool(script, args);
		return { tally: code === 0 ? PASSED : FAILED, output };
	};
}

async function unit() {
	const file = join(reports, 'unit.json');
	const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
	const { code, output } = await tool('vitest/vitest.mjs', args);
	return { tally: tallyVitest(readReport(file), code), output };
}

async function buildAnew() {
	buildFailed = true;
	await rebuild();
	buildFailed = false;
	return { tally: PASSED };
}

async function e2e() {
	if (buildFailed) return skipBrowserTests('there is no build to test');
	await ensureBuilt();
	const browser = await provideBrowser();
	if ('missing' in browser) return skipBrowserTests(browser.missing);
	const file = join(reports, 'e2e.json');
	const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file };
	if (browser.executable !== null) env.CHROMIUM_PATH = browser.executable;
	const { code, output } = await playwright(['--reporter=list,json'], env);
	return { tally: tallyPlaywright(readReport(file), code), output, note: browser.name };
}

async function skipBrowserTests(why) {
	const { stdout } = await playwright(['--list', '--reporter=json'], {});
	const tally = { passed: 0, failed: 0, skipped: countListed(parse(stdout)) };
	return { tally, note: `browser tests were skipped: ${why}` };
}

function playwright(args, env) {
	return tool('@playwright/test/cli.js', ['test', '--config', 'e2e/playwright.config.ts', ...args], env);
}

function tool(script, args, extra = {}) {
	return runQuietly(node24(), [join(root, 'node_modules', script), ...args], {
		env: projectEnvironment({ NO_COLOR: '1', FORCE_COLOR: '0', ...extra }),
	});
}

function readReport(file) {
	try {
		return parse(readFileSync(file, 'utf8'));
	} catch {
		// The runner ended before it wrote one; its exit code and output say why.
		return null;
	}
}

function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
