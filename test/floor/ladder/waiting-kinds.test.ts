import { describe, expect, it } from 'vitest';
import { tookWhatItNames, waitingKindOf } from '../../../src/main/floor/ladder/waiting-kinds.ts';

const bash = (command: string): [string, unknown] => ['Bash', { command }];

describe('a call', () => {
	it.each([
		bash('sleep 30'),
		bash('sleep 2m && gh run view 7'),
		bash('for i in 1 2 3; do sleep 10; done'),
		['PowerShell', { command: 'Start-Sleep -Seconds 20; gh pr checks' }],
		['shell', { command: ['bash', '-lc', 'sleep 5; curl localhost'] }],
		bash('gh run watch 7'),
		bash('kubectl rollout status deploy/app'),
		bash('timeout 60 tail -f /dev/null; check-build 7'),
		['mcp__browser__wait_for', { text: 'done' }],
		bash('sleep "$DELAY"; check'),
		bash('sleep $((2 ** n))'),
		bash("bash -c 'sleep 30; check'"),
		bash('ping -n 31 127.0.0.1 >nul & check'),
		bash('ping -c 20 localhost; check'),
		bash('timeout 30 & check'),
		bash('timeout /t 30 /nobreak'),
		bash('python -c "import time; time.sleep(30)"; check'),
		bash('read -t 30; check'),
		bash('npx -y wait-on http://localhost:3000'),
		bash('pnpm dlx wait-on -t 30000 tcp:5432'),
		bash('aws cloudformation wait stack-create-complete --stack-name a'),
		['pwsh', { command: 'Start-Sleep -Duration 00:00:30; check' }],
		['pwsh', { command: 'Start-Sleep -Milliseconds 5000; check' }],
		['pwsh', { command: '[System.Threading.Thread]::Sleep(30000); check' }],
	] as [string, unknown][])('waits: %s %j', (tool, input) => {
		expect(waitingKindOf(tool, input)).toBe('waits');
	});

	it.each([
		['BashOutput', { bash_id: '1' }],
		['TaskOutput', { task_id: '1' }],
		bash('gh run view 7 --json status'),
		bash('cd app && gh pr checks 12'),
		bash('kubectl logs deploy/app --tail=20'),
		bash('tail -n 20 build.log'),
		bash('docker compose logs web'),
		bash('docker compose ps --format json'),
		bash('systemctl status nginx'),
		['mcp__browser__press_key', { key: 'Tab' }],
		['browser_scroll', { direction: 'down' }],
		['gdb_step_over', {}],
	] as [string, unknown][])('looks: %s %j', (tool, input) => {
		expect(waitingKindOf(tool, input)).toBe('looks');
	});

	it.each([
		bash('npm test'),
		bash('sleep 1; npm test'),
		bash('git status'),
		bash('head -n 20 src/a.ts | tail -n 10'),
		bash('tail -n 20 src/a.ts'),
		bash('echo "asleep 30"'),
		bash('kubectl get pods'),
		bash('timeout 30 npm test'),
		bash('pytest --timeout 30; check'),
		bash('ping -c 4 example.com'),
		['pwsh', { command: 'Start-Sleep -Milliseconds 500; check' }],
		['get_api_key', { id: 7 }],
		['complete_step', { id: 7 }],
		['Read', { file_path: 'sleep 30' }],
		['await_nothing_here', {}],
		['Bash', undefined],
		['Bash', { command: 7 }],
	] as [string, unknown][])('does neither: %s %j', (tool, input) => {
		expect(waitingKindOf(tool, input)).toBeNull();
	});
});

describe('a call takes the time that its input names', () => {
	it.each<[unknown, number]>([
		[{ command: 'node pause.js 30' }, 30_400],
		[{ command: 'perl -e "select(undef, undef, undef, 30)"' }, 30_050],
		[{ command: './until-ready --for 45000' }, 46_000],
		[{ seconds: 20 }, 20_900],
	])('%j in %i ms', (input, took) => {
		expect(tookWhatItNames(input, took)).toBe(true);
	});

	it.each<[unknown, number]>([
		[{ command: 'node pause.js 30' }, 12_000],
		[{ command: 'node pause.js 30' }, 45_000],
		[{ command: 'pytest -n 8' }, 8_000],
		[{ command: 'npm test --timeout 30' }, 30_000],
		[{ command: 'timeout 30 npm test' }, 30_000],
		[{ command: 'npm test', timeout: 30_000 }, 30_000],
		[{ query: 'x', timeout: 30_000 }, 30_000],
		[{ command: 'npm test' }, 30_000],
		[{ command: 'sleep 30' }, Number.NaN],
		[{ command: 'sleep 30' }, Number.POSITIVE_INFINITY],
		[undefined, 30_000],
	])('not: %j in %d ms', (input, took) => {
		expect(tookWhatItNames(input, took)).toBe(false);
	});
});
