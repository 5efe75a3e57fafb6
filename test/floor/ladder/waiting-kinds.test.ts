import { describe, expect, it } from 'vitest';
import { waitingKindOf } from '../../../src/main/floor/ladder/waiting-kinds.ts';

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
		['Read', { file_path: 'sleep 30' }],
		['await_nothing_here', {}],
		['Bash', undefined],
		['Bash', { command: 7 }],
	] as [string, unknown][])('does neither: %s %j', (tool, input) => {
		expect(waitingKindOf(tool, input)).toBeNull();
	});
});
