/** The seed's own functions, in every PowerShell of this machine, on the file that we read and write. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';

const functions = join(import.meta.dirname, 'fixtures', 'seed-functions.ps1');
const MINUTE = 60_000;

/** `null`: not on the PATH. */
function versionOf(shell: string): string | null {
	const { status, stdout } = spawnSync(
		shell,
		['-NoProfile', '-Command', '$PSVersionTable.PSVersion.ToString()'],
		{
			encoding: 'utf8',
		},
	);
	return status === 0 ? stdout.trim() : null;
}

/** PowerShell 7 has the one name, Windows PowerShell 5.1 the other. */
const shells = ['pwsh', 'powershell'].map((shell) => ({ shell, version: versionOf(shell) }));

describe.each(shells)('the seed’s functions in $shell', ({ shell, version }) => {
	const what = version === null ? `skipped: there is no ${shell} on the PATH` : `version ${version}`;

	function setUp(record: StateRecord | null) {
		const file = join(temporaryDirectory(), 'ralph-circuit-breaker.json');
		if (record !== null) writeFileSync(file, printStateFile(record, null));
		return {
			file,
			/** Standard output of the commands, where `$file` is the state file. */
			run: (commands: string): string => {
				const quoted = (path: string): string => `'${path.replaceAll("'", "''")}'`;
				const script = `$ErrorActionPreference = 'Stop'; . ${quoted(functions)}; $file = ${quoted(file)}; ${commands}`;
				const result = spawnSync(shell, ['-NoProfile', '-NonInteractive', '-Command', script], {
					encoding: 'utf8',
				});
				expect(result.stderr).toBe('');
				expect(result.status).toBe(0);
				return result.stdout.trim();
			},
			read: (): StateRecord => {
				const parsed = parseStateFile(readFileSync(file), Date.now());
				if (!parsed.ok) throw new Error(parsed.problem);
				expect(parsed.problems).toEqual([]);
				return parsed.record;
			},
			write: (change: Partial<StateRecord>): void => {
				const present = readFileSync(file);
				const parsed = parseStateFile(present, Date.now());
				if (!parsed.ok) throw new Error(parsed.problem);
				writeFileSync(file, printStateFile({ ...parsed.record, ...change }, present));
			},
		};
	}

	it.skipIf(version === null)(`make a file that we read (${what})`, () => {
		const { file, run, read } = setUp(null);
		run('Get-CircuitBreakerState -StateFile $file | Out-Null');
		expect(existsSync(file)).toBe(true);
		expect(read()).toEqual(defaultStateRecord);
		const present = readFileSync(file);
		expect(Buffer.from(printStateFile(defaultStateRecord, present))).toEqual(present);
	});

	it.skipIf(version === null)(`go a whole round, our write between any two steps (${what})`, () => {
		const { run, read, write } = setUp(defaultStateRecord);
		const began = Date.now();
		run('Update-CircuitBreakerOnRateLimit -StateFile $file 6>$null');
		const opened = read();
		expect(opened).toMatchObject({ state: 'open', metrics: { totalFallbacks: 1 } });
		expect(opened.openedAt).toBeGreaterThanOrEqual(began - 1_000);
		write({ consecutiveFailures: 5 });
		expect(run('Get-CurrentModel -StateFile $file')).toBe('gpt-5.4-mini');
		run('Update-CircuitBreakerOnRateLimit -StateFile $file 6>$null');
		expect(read()).toMatchObject({ currentFallbackIndex: 1, consecutiveFailures: 6 });
		write({ openedAt: Date.now() - 11 * MINUTE });
		expect(run('Get-CurrentModel -StateFile $file 6>$null')).toBe('claude-sonnet-5');
		expect(read()).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0 });
		write({ halfOpenSuccesses: 1 });
		run('Update-CircuitBreakerOnSuccess -StateFile $file 6>$null');
		expect(read()).toMatchObject({ state: 'closed', openedAt: null, metrics: { totalRecoveries: 1 } });
	});

	it.skipIf(version === null)(`see the time at which we opened it, also after saving it (${what})`, () => {
		const openedAt = Date.now() - 9 * MINUTE;
		const { run } = setUp({ ...defaultStateRecord, state: 'open', openedAt });
		const parse = '[DateTimeOffset]::new([DateTime]::Parse($s.openedAt)).ToUnixTimeMilliseconds()';
		const seen = run(
			`$s = Get-CircuitBreakerState -StateFile $file; ${parse}; ` +
				`Save-CircuitBreakerState -State $s -StateFile $file; $s = Get-CircuitBreakerState -StateFile $file; ${parse}`,
		);
		for (const at of seen.split(/\s+/)) expect(Math.abs(Number(at) - openedAt)).toBeLessThan(1_000);
		expect(run('Get-CurrentModel -StateFile $file')).toBe('gpt-5.4-mini');
	});

	it.skipIf(version === null)(`keep what they do not know, as we do (${what})`, () => {
		const resumeAt = Date.UTC(2030, 0, 1);
		const { file, run, read, write } = setUp({ ...defaultStateRecord, state: 'half-open', resumeAt });
		const own = readFileSync(file, 'utf8').replace('{', '{ "mine": { "a": [1, 2] },');
		writeFileSync(file, own);
		run('Update-CircuitBreakerOnSuccess -StateFile $file 6>$null');
		write({ currentFallbackIndex: 1 });
		expect(read()).toMatchObject({ halfOpenSuccesses: 1, resumeAt, currentFallbackIndex: 1 });
		expect(readFileSync(file, 'utf8').replace(/\s/g, '')).toContain('"mine":{"a":[1,2]}');
	});
});
