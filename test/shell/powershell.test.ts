/** The PowerShell module: its text as far as it can be read everywhere, and for real in every PowerShell of the machine. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { shellModules } from './shells.ts';

const module = join(shellModules, 'AgentFloor.psm1');
const manifest = join(shellModules, 'AgentFloor.psd1');
const seedFunctions = join(import.meta.dirname, '../models/fixtures/seed-functions.ps1');
const MINUTE = 60_000;

describe('the text of the module', () => {
	let parser: Parser;
	beforeAll(async () => {
		const { resolve } = createRequire(import.meta.url);
		await Parser.init({ locateFile: (file: string) => resolve(`web-tree-sitter/${file}`) });
		parser = new Parser();
		parser.setLanguage(
			await Language.load(
				await readFile(resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm')),
			),
		);
	});

	function nodes(text: string, type: string): Node[] {
		const tree = parser.parse(text);
		if (tree === null) throw new Error('not parsed');
		expect(tree.rootNode.hasError).toBe(false);
		return tree.rootNode.descendantsOfType(type).filter((node) => node !== null);
	}

	/** By name: what stands in its param block, name and default. */
	function parameters(text: string): Map<string, string[]> {
		return new Map(
			nodes(text, 'function_statement').map((node) => {
				const name = node.descendantsOfType('function_name')[0]?.text ?? '';
				const all = node
					.descendantsOfType('script_parameter')
					.map((one) => one?.text.replace(/\s+/g, ' ') ?? '');
				return [name, all];
			}),
		);
	}

	it('is ASCII, which both PowerShells read alike', () => {
		for (const file of [module, manifest]) expect(readFileSync(file, 'utf8')).toMatch(/^[\n\x20-\x7e]*$/);
	});

	it('is PowerShell, has the seed’s functions with their parameters, and exports them', () => {
		const text = readFileSync(module, 'utf8');
		const ours = parameters(text);
		const seeds = parameters(readFileSync(seedFunctions, 'utf8'));
		expect([...seeds.keys()]).toHaveLength(5);
		for (const [name, wanted] of seeds) {
			expect(ours.get(name)?.slice(0, wanted.length), name).toEqual(wanted);
			expect(readFileSync(manifest, 'utf8')).toContain(`'${name}'`);
			expect(text.slice(text.indexOf('Export-ModuleMember'))).toContain(name);
		}
	});

	it('calls nothing that is not there', () => {
		const text = readFileSync(module, 'utf8');
		const known = new Set([
			...parameters(text).keys(),
			...[
				'Add-Member',
				'ConvertFrom-Json',
				'ConvertTo-Json',
				'Export-ModuleMember',
				'Get-Command',
				'Get-Date',
			],
			...['Get-Random', 'Join-Path', 'Remove-Item', 'Select-Object', 'Set-StrictMode', 'Split-Path'],
			...['Start-Sleep', 'Test-Path', 'Write-Host', 'Write-Verbose', 'Write-Warning', '$command', '$Work'],
		]);
		const called = nodes(text, 'command_name').map(({ text: name }) => name);
		expect(called.length).toBeGreaterThan(50);
		expect(called.filter((name) => !known.has(name))).toEqual([]);
	});
});

/** `null`: not on the PATH. */
function versionOf(shell: string): string | null {
	const { status, stdout } = spawnSync(
		shell,
		['-NoProfile', '-Command', '$PSVersionTable.PSVersion.ToString()'],
		{ encoding: 'utf8' },
	);
	return status === 0 ? stdout.trim() : null;
}

const shells = ['pwsh', 'powershell'].map((shell) => ({ shell, version: versionOf(shell) }));

describe.each(shells)('the module in $shell', { timeout: 120_000 }, ({ shell, version }) => {
	const about = version === null ? `skipped: there is no ${shell} on the PATH` : `version ${version}`;

	function place(record: Partial<StateRecord> | string) {
		const directory = temporaryDirectory();
		const file = join(directory, '.squad', 'ralph-circuit-breaker.json');
		mkdirSync(join(directory, '.squad'));
		const set = (content: Partial<StateRecord> | string): void =>
			writeFileSync(
				file,
				typeof content === 'string' ? content : printStateFile({ ...defaultStateRecord, ...content }, null),
			);
		set(record);
		return {
			directory,
			set,
			get: (): StateRecord => {
				const parsed = parseStateFile(readFileSync(file), Date.now());
				if (!parsed.ok) throw new Error(parsed.problem);
				expect(parsed.problems).toEqual([]);
				return parsed.record;
			},
			run: (commands: string): string => {
				const script = `$ErrorActionPreference = 'Stop'; $WarningPreference = 'SilentlyContinue'; Import-Module '${manifest.replaceAll("'", "''")}'; ${commands}`;
				const { status, stdout, stderr } = spawnSync(
					shell,
					['-NoProfile', '-NonInteractive', '-Command', script],
					{
						cwd: directory,
						encoding: 'utf8',
						env: { ...process.env, AGENT_FLOOR_COMMAND: 'no-such-command' },
					},
				);
				expect(stderr).toBe('');
				expect(status).toBe(0);
				return stdout.replaceAll('\r\n', '\n').trim();
			},
		};
	}

	it.runIf(version !== null)(`goes through the seed’s circle (${about})`, () => {
		const { run, get, set, directory } = place({});
		run('Update-CircuitBreakerOnRateLimit');
		expect(run('Get-CurrentModel')).toBe('gpt-5.4-mini');
		run('Update-CircuitBreakerOnRateLimit');
		expect(run('Get-CurrentModel')).toBe('gpt-5-mini');
		const opened = get();
		expect(opened).toMatchObject({ state: 'open', currentFallbackIndex: 1, metrics: { totalFallbacks: 1 } });
		run('Update-CircuitBreakerOnRateLimit');
		expect(get().openedAt).toBe(opened.openedAt);
		expect(run('Get-CurrentModel -NoWait')).toBe('gpt-5-mini');
		set({ ...opened, openedAt: Date.now() - 10 * MINUTE });
		expect(run('Get-CurrentModel')).toContain('claude-sonnet-5');
		run('Update-CircuitBreakerOnSuccess; Update-CircuitBreakerOnSuccess');
		expect(get()).toMatchObject({ state: 'closed', openedAt: null, metrics: { totalRecoveries: 1 } });
		expect(readdirSync(join(directory, '.squad'))).toEqual(['ralph-circuit-breaker.json']);
	});

	it.runIf(version !== null)(`sets aside what is torn, and counts from now without a time (${about})`, () => {
		const torn = place('{"state": "op');
		expect(torn.run('Get-CurrentModel')).toBe('claude-sonnet-5');
		expect(torn.get()).toEqual(defaultStateRecord);
		const undated = place({ state: 'open', openedAt: null });
		expect(undated.run('Get-CurrentModel')).toBe('gpt-5.4-mini');
		expect(Math.abs(Number(undated.get().openedAt) - Date.now())).toBeLessThan(10 * MINUTE);
	});

	it.runIf(version !== null)(`reads the wish of a message (${about})`, () => {
		const { run, get } = place({});
		run("Update-CircuitBreakerOnRateLimit -Message 'Limit reached. Try again in 3 hours, 30 minutes.'");
		const { openedAt, resumeAt } = get();
		expect(Math.abs(Number(resumeAt) - Number(openedAt) - 210 * MINUTE)).toBeLessThanOrEqual(2_000);
	});

	it.runIf(version !== null)(`loses no update of several processes (${about})`, async () => {
		const { run, get } = place({});
		run(
			`$jobs = 1..3 | ForEach-Object { Start-Job -ArgumentList (Get-Location).Path { param($where) Set-Location $where; Import-Module '${manifest}'; 1..5 | ForEach-Object { Update-CircuitBreakerOnRateLimit 6>$null } } }; $jobs | Wait-Job | Receive-Job`,
		);
		expect(get()).toMatchObject({ consecutiveFailures: 15, metrics: { totalFallbacks: 1 } });
	});

	it.runIf(version !== null)(`leaves the exit code of the loop’s own program alone (${about})`, () => {
		const { run } = place({});
		const program = process.execPath.replaceAll("'", "''");
		expect(run(`& '${program}' -e 'process.exit(42)'; [void](Get-CurrentModel); $LASTEXITCODE`)).toBe('42');
	});
});
