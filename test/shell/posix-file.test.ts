/** The POSIX module on the state file alone, for real, in every shell of this machine. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStateFile, printStateFile } from '../../src/main/models/state-file.ts';
import { defaultStateRecord, type StateRecord } from '../../src/main/models/state-record.ts';
import { samples } from '../models/fixtures/written-by-others.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { inShell, posixShells, shellModules, startShell } from './shells.ts';

const STATE_FILE = '.squad/ralph-circuit-breaker.json';
const MINUTE = 60_000;
const sh = { program: 'sh', args: [] };

function read(directory: string): StateRecord {
	const parsed = parseStateFile(readFileSync(join(directory, STATE_FILE)), Date.now());
	if (!parsed.ok) throw new Error(parsed.problem);
	expect(parsed.problems).toEqual([]);
	return parsed.record;
}

function place(content?: Partial<StateRecord> | Uint8Array | string): string {
	const directory = temporaryDirectory();
	mkdirSync(join(directory, '.squad'));
	if (content !== undefined) write(directory, content);
	return directory;
}

function write(directory: string, content: Partial<StateRecord> | Uint8Array | string): void {
	const isText = typeof content === 'string' || content instanceof Uint8Array;
	const bytes = isText ? content : printStateFile({ ...defaultStateRecord, ...content }, null);
	writeFileSync(join(directory, STATE_FILE), bytes);
}

const openedAgo = (minutes: number): Partial<StateRecord> => ({
	state: 'open',
	openedAt: Date.now() - minutes * MINUTE,
});

describe.each(posixShells)('the module in $name', ({ name, isThere, ...shell }) => {
	const about = isThere ? '' : ` (skipped: there is no ${name} on the PATH)`;

	it.runIf(isThere)(`goes through the seed’s circle${about}`, async () => {
		const directory = place();
		const first = await inShell(
			shell,
			directory,
			`agent_floor_current_model
			agent_floor_success
			agent_floor_rate_limit
			agent_floor_current_model
			agent_floor_rate_limit
			agent_floor_current_model
			agent_floor_failure`,
		);
		expect(first).toEqual({
			code: 0,
			out: 'claude-sonnet-5\ngpt-5.4-mini\ngpt-5-mini\n',
			err: [
				'  [circuit-breaker] RATE LIMITED — falling back to gpt-5.4-mini (cooldown: 10m)',
				'  [circuit-breaker] Fallback also limited — trying gpt-5-mini',
				'',
			].join('\n'),
		});
		const opened = read(directory);
		expect(opened).toMatchObject({
			state: 'open',
			currentFallbackIndex: 1,
			consecutiveFailures: 2,
			metrics: { totalFallbacks: 1, totalRecoveries: 0 },
		});
		expect(opened.metrics.lastFallbackAt).toBe(opened.openedAt);

		write(directory, { ...opened, openedAt: Date.now() - 10 * MINUTE });
		const second = await inShell(
			shell,
			directory,
			`agent_floor_current_model
			agent_floor_success
			agent_floor_current_model
			agent_floor_success
			agent_floor_current_model`,
		);
		expect(second).toEqual({
			code: 0,
			out: 'claude-sonnet-5\n'.repeat(3),
			err: [
				'  [circuit-breaker] Cooldown expired. Testing preferred model...',
				'  [circuit-breaker] Half-open success 1/2',
				'  [circuit-breaker] RECOVERED — back to preferred model (claude-sonnet-5)',
				'',
			].join('\n'),
		});
		const healed = read(directory);
		expect(healed).toMatchObject({
			...defaultStateRecord,
			metrics: { totalFallbacks: 1, totalRecoveries: 1, lastFallbackAt: opened.openedAt },
		});
		expect(Math.abs(Number(healed.metrics.lastRecoveryAt) - Date.now())).toBeLessThan(10 * MINUTE);
		expect(readdirSync(join(directory, '.squad'))).toEqual(['ralph-circuit-breaker.json']);
	});
});

describe('the module on the file alone', () => {
	it('a limit while half-open opens again from the first fallback', async () => {
		const directory = place({ state: 'half-open', halfOpenSuccesses: 1, currentFallbackIndex: 1 });
		await inShell(sh, directory, 'agent_floor_rate_limit');
		expect(read(directory)).toMatchObject({ state: 'open', currentFallbackIndex: 0, halfOpenSuccesses: 0 });
	});

	it('an openedAt that is still to come is kept where its cooldown ends at resumeAt', async () => {
		const openedAt = Date.now() + 4 * 60 * MINUTE;
		const directory = place({ state: 'open', openedAt, resumeAt: openedAt + 10 * MINUTE });
		const before = readFileSync(join(directory, STATE_FILE), 'utf8');
		expect((await inShell(sh, directory, 'agent_floor_current_model')).out).toBe('gpt-5.4-mini\n');
		expect(readFileSync(join(directory, STATE_FILE), 'utf8')).toBe(before);
		write(directory, {
			state: 'open',
			openedAt: Date.now() + 4 * 60 * MINUTE,
			resumeAt: Date.now() + MINUTE,
		});
		await inShell(sh, directory, 'agent_floor_current_model');
		expect(Number(read(directory).openedAt)).toBeLessThan(Date.now() + MINUTE);
	});

	it('says a cooldown that is no whole number of minutes in seconds', async () => {
		const words = async (cooldownMinutes: number) =>
			(await inShell(sh, place({ cooldownMinutes }), 'agent_floor_rate_limit')).err;
		expect(await words(10)).toMatch(/\(cooldown: 10m\)/);
		expect(await words(0.03)).toMatch(/\(cooldown: 2s\)/);
	});

	it.each(['--evil', '-m', 'a\u001b[31mb', 'a\nb', 'a\\b'])(
		'a model called %j is not printed',
		async (model) => {
			const directory = place({ preferredModel: 'PREFERRED' });
			const file = join(directory, '.squad/ralph-circuit-breaker.json');
			// As JSON has it, and raw, as only somebody who means harm writes it.
			for (const name of [JSON.stringify(model), `"${model.replaceAll('\\', '\\\\')}"`]) {
				writeFileSync(
					file,
					JSON.stringify({ state: 'closed', preferredModel: 'PREFERRED' }).replace('"PREFERRED"', () => name),
				);
				const { code, out, err } = await inShell(sh, directory, 'agent_floor_current_model');
				expect([code, out]).toEqual([2, '']);
				expect(err).toMatch(/names a model that no model is called/);
				expect(err.trimEnd()).not.toMatch(/\p{Cc}/u);
			}
		},
	);

	it('a limited fallback does not put off the preferred model', async () => {
		const directory = place(openedAgo(7));
		const { openedAt } = read(directory);
		await inShell(sh, directory, 'agent_floor_rate_limit; agent_floor_rate_limit; agent_floor_rate_limit');
		expect(read(directory).openedAt).toBe(openedAt);
		write(directory, { ...read(directory), openedAt: Date.now() - 10 * MINUTE });
		expect((await inShell(sh, directory, 'agent_floor_current_model')).out).toBe('claude-sonnet-5\n');
	});

	it('with the whole chain limited it waits; --no-wait gives the last fallback and 3', async () => {
		const directory = place({ ...openedAgo(1), currentFallbackIndex: 1 });
		const { code, out } = await inShell(
			sh,
			directory,
			'agent_floor_rate_limit; agent_floor_current_model --no-wait',
		);
		expect([code, out]).toEqual([3, 'gpt-5-mini\n']);
		// The cooldown ends in a moment: it waits for that, and no longer.
		write(directory, { ...read(directory), openedAt: Date.now() - 10 * MINUTE + 2_500 });
		await inShell(sh, directory, 'agent_floor_rate_limit');
		const waited = await inShell(sh, directory, 'agent_floor_current_model');
		expect(waited).toMatchObject({ code: 0, out: 'claude-sonnet-5\n' });
		expect(waited.err).toMatch(
			/^ {2}\[circuit-breaker] All models of the chain are limited; waiting \d s\.\n/,
		);
	});

	it('a wish longer than the cooldown is kept as resumeAt, and read', async () => {
		const directory = place({});
		await inShell(sh, directory, 'agent_floor_rate_limit --retry-after=7200');
		const { openedAt, resumeAt } = read(directory);
		expect(Math.abs(Number(resumeAt) - Number(openedAt) - 120 * MINUTE)).toBeLessThanOrEqual(2_000);
		write(directory, { ...read(directory), openedAt: Date.now() - 60 * MINUTE });
		expect((await inShell(sh, directory, 'agent_floor_current_model')).out).toBe('gpt-5.4-mini\n');
	});

	it.each([
		['--retry-after=7200', 7_200],
		['--retry-after=4 hours', 14_400],
		['--message=try again in 4 hours', 14_400],
		['--message=You have hit a limit. Please try again in 3 hours, 30 minutes.', 12_600],
		['--message=Rate limit reached\nretry after 20s. Please wait 1h 30m', 5_400],
		['--message=Retry-After: 1800', 1_800],
		['--message={"retry-after": 1800, "x": 1}', 1_800],
		['--message="retryDelay": "1234.5s"', 1_235],
		['--message=resets in about an hour and 1 minute', 3_660],
		['--message=try again in 30 days', 604_800],
		// Shorter than the cooldown, or no span at all.
		['--message=try again in 20 seconds', null],
		['--message=429, 3 hours of work lost, retry the call', null],
	])('reads the wish of %s', async (option, seconds) => {
		const directory = place({});
		const { code, err } = await inShell(sh, directory, `agent_floor_rate_limit "$OPTION"`, {
			OPTION: option,
		});
		expect([code, err.split('\n')]).toEqual([0, [expect.stringMatching(/RATE LIMITED/), '']]);
		const { openedAt, resumeAt } = read(directory);
		if (seconds === null) return expect(resumeAt).toBeNull();
		expect(Math.abs(Number(resumeAt) - Number(openedAt) - seconds * 1000)).toBeLessThanOrEqual(2_000);
	});

	it.each([
		'--message=Limit reached, resets 3:40pm (Europe/Berlin)',
		'--retry-after=soon',
		'--retry-after=1, 500',
		'--message=wait 4 months',
	])('says which wish it does not understand: %s', async (option) => {
		const directory = place({});
		const { code, err } = await inShell(sh, directory, `agent_floor_rate_limit "$OPTION"`, {
			OPTION: option,
		});
		expect([code, err]).toEqual([0, expect.stringContaining(`so the cooldown alone counts: ${option}\n`)]);
		expect(read(directory)).toMatchObject({ state: 'open', resumeAt: null });
	});

	it.each(['agent_floor_rate_limit banana', 'agent_floor_success banana', 'agent_floor_failure banana'])(
		'%s is refused',
		async (words) => {
			const directory = place({ state: 'half-open' });
			const { code, err } = await inShell(sh, directory, words);
			expect([code, err]).toEqual([
				2,
				'  [circuit-breaker] Not understood, and nothing was reported: banana\n',
			]);
			expect(read(directory)).toMatchObject({ state: 'half-open', halfOpenSuccesses: 0 });
		},
	);

	it('says once, when it is sourced, that it has no command', async () => {
		const again = `. '${shellModules}/agent-floor-model.sh'; agent_floor_current_model; agent_floor_success`;
		const without = await inShell(sh, place(), again);
		expect(without.err).toMatch(
			/^ {2}\[circuit-breaker] There is no command no-such-command here, so only [^\n]*\n$/,
		);
		expect((await inShell(sh, place(), again, { AGENT_FLOOR_COMMAND: 'false' })).err).not.toContain(
			'There is no',
		);
	});

	it('makes the directory with the first limit, says so, and not for a question', async () => {
		const directory = temporaryDirectory();
		const questions =
			'agent_floor_current_model; agent_floor_success; agent_floor_failure; agent_floor_state';
		expect(await inShell(sh, directory, questions)).toMatchObject({ code: 0, err: '' });
		expect(readdirSync(directory)).toEqual([]);
		const { err } = await inShell(sh, directory, 'agent_floor_rate_limit; agent_floor_rate_limit');
		expect(err.match(/\.squad was made/g)).toHaveLength(1);
		expect(read(directory)).toMatchObject({ state: 'open', currentFallbackIndex: 1 });
	});

	it('a late limit of the preferred model moves nothing', async () => {
		const directory = place(openedAgo(1));
		await inShell(sh, directory, 'agent_floor_rate_limit --model=claude-sonnet-5');
		expect(read(directory)).toMatchObject({ currentFallbackIndex: 0, consecutiveFailures: 0 });
	});

	it.each([
		['null', null],
		['in the future', Date.now() + 24 * 60 * MINUTE],
	])('an openedAt that is %s counts from now', async (_, openedAt) => {
		const directory = place({ state: 'open', openedAt });
		expect((await inShell(sh, directory, 'agent_floor_current_model')).out).toBe('gpt-5.4-mini\n');
		expect(Math.abs(Number(read(directory).openedAt) - Date.now())).toBeLessThan(10 * MINUTE);
	});

	it.each([
		['torn', '{"state": "op'],
		['empty', ''],
		['no JSON', 'state: open'],
		['NUL bytes', '\0\0\0\0'],
		['another file', '{"name": "app"}'],
		['two documents', '{"state":"open"}{"state":"open"}'],
		['a bare word', '{"state": closed}'],
	])('what is %s is set aside and said', async (_, content) => {
		const directory = place(content);
		const { code, out, err } = await inShell(sh, directory, 'agent_floor_current_model');
		expect([code, out]).toEqual([0, 'claude-sonnet-5\n']);
		expect(err).toMatch(/is no whole state file; it was set aside as .*corrupt-.*, and begins anew\.\n$/);
		const aside = readdirSync(join(directory, '.squad')).find((name) => name.includes('corrupt-')) ?? '';
		expect(readFileSync(join(directory, '.squad', aside), 'utf8')).toBe(content);
		expect(read(directory)).toEqual(defaultStateRecord);
	});

	it('keeps unknown fields, byte order mark, line ends and spacing', async () => {
		const text =
			'\ufeff{\r\n    "state":  "closed",\r\n    "note":  "a\\"}{ä",\r\n    "fallbackChain":  [\r\n                          "one"\r\n                      ],\r\n    "metrics":  {\r\n                    "totalFallbacks":  0,\r\n                    "mine":  [1, {"x": null}]\r\n                }\r\n}\r\n';
		const directory = place(text);
		await inShell(sh, directory, 'agent_floor_rate_limit');
		const after = readFileSync(join(directory, STATE_FILE), 'utf8');
		expect(after.startsWith('\ufeff{\r\n    "state":  "open",\r\n    "note":  "a\\"}{ä",\r\n')).toBe(true);
		expect(JSON.parse(after.slice(1))).toMatchObject({
			note: 'a"}{ä',
			metrics: { totalFallbacks: 1, mine: [1, { x: null }] },
		});
		expect(read(directory)).toMatchObject({ state: 'open', fallbackChain: ['one'], consecutiveFailures: 1 });
	});

	it.each([
		['{"state":"OPEN","openedAt":"\\/Date(AGO)\\/"}'],
		['{"State":"open","OpenedAt":{"value":"\\/Date(AGO)\\/","DateTime":"Monday"}}'],
		['{"state":"open","openedAt":"ISO","fallbackChain":"gpt-5.4-mini gpt-5-mini"}'],
		['{"state":"open","openedAt":"ISO","currentFallbackIndex":99,"fallbackChain":["gpt-5.4-mini"]}'],
	])('understands %s', async (text) => {
		const at = (minutes: number): string => {
			const ago = Date.now() - minutes * MINUTE;
			return text.replace('AGO', String(ago)).replace('ISO', new Date(ago).toISOString());
		};
		expect((await inShell(sh, place(at(9)), 'agent_floor_current_model')).out).toBe('gpt-5.4-mini\n');
		expect((await inShell(sh, place(at(11)), 'agent_floor_current_model')).out).toBe('claude-sonnet-5\n');
	});

	// Without iconv there is no reading of UTF-16; such a file is set aside and said.
	const readable = samples.filter(({ bytes, problems }) => bytes[1] !== 0 && bytes[0] !== 0 && !problems);
	it.each(readable.filter(({ bytes }) => bytes[0] !== 0xff && bytes[0] !== 0xfe))(
		'understands a file as others write it: $name',
		async ({ bytes, record }) => {
			const script =
				'_af_names; _af_read; printf "%s|" "$_af_circuit" "$_af_preferred" "$_af_fallbacks" "$_af_index" "$_af_cooldown" "$_af_opened" "$_af_failures" "$_af_opens"';
			const { out } = await inShell(sh, place(bytes), script, { TZ: 'Europe/Berlin' });
			const { state, preferredModel, fallbackChain, currentFallbackIndex, cooldownMinutes, openedAt } =
				record;
			expect(out.toLowerCase().split('|').slice(0, 8)).toEqual([
				state,
				preferredModel,
				fallbackChain.join('\n'),
				String(currentFallbackIndex),
				String(cooldownMinutes),
				openedAt === null ? '' : String(Math.floor(openedAt / 1000)),
				String(record.consecutiveFailures),
				String(record.metrics.totalFallbacks),
			]);
		},
	);

	it('reads and writes dates as we do, in any zone and year', async () => {
		const moments = fc.sample(fc.integer({ min: Date.UTC(2001, 0, 1), max: Date.UTC(2099, 11, 31) }), 40);
		for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
			const script = moments.map(
				(at) =>
					`AT=${Math.floor(at / 1000)}; _af_names; date() { if [ "$1" = +%s ]; then echo $AT; else command date "$@"; fi; }; _af_date`,
			);
			const { out } = await inShell(sh, temporaryDirectory(), script.join('\n'), { TZ: zone });
			const printed = out
				.trim()
				.split('\n')
				.map((line) => JSON.parse(line) as string);
			expect(printed.map((text) => Date.parse(text.replace('.0000000', '')))).toEqual(
				moments.map((at) => Math.floor(at / 1000) * 1000),
			);
			const files = printed.map(
				(text) =>
					`printf '%s' '{"state":"open","openedAt":"${text}"}' >.squad/f; _af_file=.squad/f; _af_read; echo "$_af_opened"`,
			);
			const directory = place();
			const back = await inShell(sh, directory, `_af_names\n${files.join('\n')}`, { TZ: zone });
			expect(back.out.trim().split('\n').map(Number)).toEqual(moments.map((at) => Math.floor(at / 1000)));
		}
	});
});

describe('several loops at once', () => {
	it('lose no update, and nobody sees half a file', { timeout: 60_000 }, async () => {
		const directory = place({});
		const loops = 4;
		const rounds = 8;
		const script = `i=0; while [ $i -lt ${rounds} ]; do agent_floor_rate_limit 2>/dev/null; i=$((i + 1)); done`;
		const running = Promise.all(Array.from({ length: loops }, () => inShell(sh, directory, script)));
		let isDone = false;
		running.finally(() => {
			isDone = true;
		});
		let looks = 0;
		while (!isDone) {
			expect(() => JSON.parse(readFileSync(join(directory, STATE_FILE), 'utf8'))).not.toThrow();
			looks += 1;
			await new Promise((resolve) => setImmediate(resolve));
		}
		for (const { code } of await running) expect(code).toBe(0);
		expect(looks).toBeGreaterThan(0);
		expect(read(directory)).toMatchObject({
			consecutiveFailures: loops * rounds,
			metrics: { totalFallbacks: 1 },
		});
		expect(existsSync(join(directory, `${STATE_FILE}.lock`))).toBe(false);
	});

	it('a lock whose owner is gone is taken over', async () => {
		const directory = place({});
		const lock = join(directory, `${STATE_FILE}.lock`);
		const { out } = await inShell(sh, directory, 'echo $$');
		mkdirSync(lock);
		writeFileSync(join(lock, 'owner'), `${out.trim()} ${hostname()} token\n`);
		await inShell(sh, directory, 'agent_floor_rate_limit');
		expect(read(directory).state).toBe('open');
		expect(existsSync(lock)).toBe(false);
	});

	it('a lock that nobody gave up for ten seconds is taken over; one that lives is waited for', {
		timeout: 60_000,
	}, async () => {
		const directory = place({});
		const lock = join(directory, `${STATE_FILE}.lock`);
		mkdirSync(lock);
		const waiting = inShell(sh, directory, 'agent_floor_rate_limit');
		// Somebody else works under it for a while, and gives it up.
		writeFileSync(join(lock, 'owner'), `${process.pid} ${hostname()} token\n`);
		await waiting;
		expect(read(directory).state).toBe('open');
		expect(existsSync(lock)).toBe(false);
	});

	it('Ctrl-C while waiting for the lock leaves nothing behind', async () => {
		const directory = place({});
		const lock = join(directory, `${STATE_FILE}.lock`);
		mkdirSync(lock);
		writeFileSync(join(lock, 'owner'), `${process.pid} ${hostname()} token\n`);
		// Its own process group, as a terminal makes one.
		const loop = startShell(sh, directory, 'echo waiting; agent_floor_rate_limit; echo done');
		loop.child.stdout.once('data', () => process.kill(-Number(loop.child.pid), 'SIGINT'));
		const { out } = await loop.end;
		expect(out).toBe('waiting\n');
		expect(readFileSync(join(lock, 'owner'), 'utf8')).toContain('token');
		expect(read(directory).state).toBe('closed');
	});
});
