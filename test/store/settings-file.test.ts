import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SettingsFile, type SettingsFileOptions } from '../../src/main/store/settings-file.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { defaultSettings, type Settings } from '../../src/shared/settings.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const fast: SettingsFileOptions = {
	now: () => Date.parse('2026-11-30T10:42:00Z'),
	patienceMs: 120,
	retryMs: 10,
	pollMs: 20,
};
const ASIDE = 'settings.json.corrupt-2026-11-30T10-42-00';

async function open(text?: string, options = fast) {
	const directory = temporaryDirectory();
	const path = join(directory, 'settings.json');
	if (text !== undefined) writeFileSync(path, text);
	return { directory, path, ...(await openIn(directory, options)) };
}

async function openIn(directory: string, options = fast) {
	const file = await SettingsFile.open(directory, options);
	onTestFinished(() => file.dispose());
	const changes: Settings[] = [];
	file.onChange((settings) => changes.push(settings));
	return { file, changes };
}

/** Waits for what a slow machine may take its time to do. */
function eventually(check: () => void): Promise<void> {
	return vi.waitFor(check, { timeout: 10_000, interval: 10 });
}

function read(path: string): unknown {
	return JSON.parse(readFileSync(path, 'utf8'));
}

async function refusal(update: Promise<unknown>): Promise<ChannelError['data']> {
	try {
		await update;
	} catch (error) {
		if (error instanceof ChannelError) return error.data;
		throw error;
	}
	throw new Error('was not refused');
}

describe('opening the settings', () => {
	it('gives the defaults when there is no file, and makes none', async () => {
		const { file, path } = await open();
		expect(file.current).toEqual(defaultSettings);
		expect(file.problems).toEqual([]);
		expect(existsSync(path)).toBe(false);
	});

	it('gives the defaults even when there is no directory, which the first change makes', async () => {
		const directory = join(temporaryDirectory(), 'not', 'yet');
		const { file } = await openIn(directory);
		expect(file.current).toEqual(defaultSettings);
		await file.update({ heartbeatSeconds: 7 });
		expect(read(join(directory, 'settings.json'))).toEqual({ heartbeatSeconds: 7 });
	});

	it('reads what is there, with a BOM too, and keeps what it does not know', async () => {
		const { file } = await open('\uFEFF{"heartbeatSeconds":10,"future":{"a":1},"breaker":{"later":true}}');
		expect(file.current).toMatchObject({ heartbeatSeconds: 10, future: { a: 1 }, breaker: { later: true } });
	});

	it.each([
		['half a file', '{"breaker": {"hardStop": tr', 'line 1'],
		['an empty file', '', 'empty'],
		['no object', '[1, 2]', 'object'],
		['a comma too many', '{\n  "port": 1,\n}', 'line 3, column 1'],
		['NUL bytes after a power cut', '\0\0\0\0', 'line 1'],
	])('sets %s aside, says so and uses the defaults', async (_what, text, where) => {
		const { file, directory } = await open(text);
		expect(readdirSync(directory)).toEqual([ASIDE]);
		expect(readFileSync(join(directory, ASIDE), 'utf8')).toBe(text);
		expect(file.current).toEqual(defaultSettings);
		expect(file.problems).toHaveLength(1);
		expect(file.problems[0]).toContain(join(directory, ASIDE));
		expect(file.problems[0]).toContain(where);
	});

	it('leaves a file with one wrong field as it is, uses the rest and names what is allowed', async () => {
		const text = '{"heartbeatSeconds": 12, "breaker": {"errorStormLimit": -3}}';
		const { file, path } = await open(text);
		expect(file.current).toMatchObject({ heartbeatSeconds: 12, breaker: { errorStormLimit: 5 } });
		expect(file.problems).toEqual([
			'breaker.errorStormLimit is -3; allowed: a whole number from 1 to 1000. The floor uses 5.',
		]);
		expect(readFileSync(path, 'utf8')).toBe(text);
	});

	it('says what is in the way when the file cannot be read, and leaves it there', async () => {
		const { directory } = await open();
		mkdirSync(join(directory, 'settings.json'));
		const { file } = await openIn(directory);
		expect(file.current).toEqual(defaultSettings);
		expect(file.problems[0]).toContain('could not be read');
		expect((await refusal(file.update({ port: 1 }))).code).toBe('refused-file');
		expect(statSync(join(directory, 'settings.json')).isDirectory()).toBe(true);
	});
});

describe('changing settings', () => {
	it('writes what was asked and nothing more', async () => {
		const { file, path, changes } = await open('{"future": 1, "breaker": {"repeatedToolLimit": 4}}');
		const settings = await file.update({ breaker: { hardStop: true } });
		expect(settings.breaker).toMatchObject({ hardStop: true, repeatedToolLimit: 4, errorStormLimit: 5 });
		expect(file.current).toBe(settings);
		expect(changes).toEqual([settings]);
		expect(read(path)).toEqual({ future: 1, breaker: { repeatedToolLimit: 4, hardStop: true } });
	});

	it('removes a cap with null', async () => {
		const { file, path } = await open('{"breaker": {"costCapUsd": 5, "agentTokenCaps": {"app": 10}}}');
		await file.update({ breaker: { costCapUsd: null, agentTokenCaps: { app: null } } });
		expect(file.current.breaker).toMatchObject({ costCapUsd: null, agentTokenCaps: {} });
		expect(read(path)).toEqual({ breaker: { agentTokenCaps: {} } });
	});

	it('refuses what is not allowed, names it, and changes nothing', async () => {
		const text = '{"heartbeatSeconds": 12}';
		const { file, path, changes } = await open(text);
		const { code, message, meaning, remedy } = await refusal(
			file.update({ heartbeatSeconds: 20, breaker: { errorStormLimit: 0 } }),
		);
		expect(code).toBe('invalid-argument');
		expect(message).toContain('breaker.errorStormLimit cannot be 0; allowed: a whole number from 1 to 1000');
		expect(meaning).not.toBe('');
		expect(remedy).not.toBe('');
		expect(file.current.heartbeatSeconds).toBe(12);
		expect(changes).toEqual([]);
		expect(readFileSync(path, 'utf8')).toBe(text);
	});

	it('takes along what was changed by hand just before', async () => {
		const { file, path } = await open('{"port": 1}', { ...fast, pollMs: 1_000_000 });
		writeFileSync(path, '{"port": 2, "heartbeatSeconds": 3}');
		await file.update({ breaker: { enabled: false } });
		expect(read(path)).toEqual({ port: 2, heartbeatSeconds: 3, breaker: { enabled: false } });
	});

	it('does all of many changes at once', async () => {
		const { file, path } = await open();
		const caps = Array.from({ length: 20 }, (_, index) => [`agent-${index}`, index + 1] as const);
		await Promise.all(caps.map(([id, cap]) => file.update({ breaker: { agentTokenCaps: { [id]: cap } } })));
		expect(read(path)).toEqual({ breaker: { agentTokenCaps: Object.fromEntries(caps) } });
	});

	it('leaves no temporary file, keeps a mode, and makes new files for the owner only', async () => {
		const { file, path, directory } = await open();
		await file.update({ port: 1 });
		expect(statSync(path).mode & 0o777).toBe(0o600);
		chmodSync(path, 0o640);
		await file.update({ port: 2 });
		expect(statSync(path).mode & 0o777).toBe(0o640);
		expect(readdirSync(directory)).toEqual(['settings.json']);
	});

	it('writes through a link, as kept by people with dotfiles', async () => {
		const { directory } = await open();
		const target = join(directory, 'dotfiles.json');
		writeFileSync(target, '{"port": 5}');
		symlinkSync(target, join(directory, 'settings.json'));
		const { file } = await openIn(directory);
		await file.update({ heartbeatSeconds: 9 });
		expect(lstatSync(join(directory, 'settings.json')).isSymbolicLink()).toBe(true);
		expect(read(target)).toEqual({ port: 5, heartbeatSeconds: 9 });
	});
});

describe('a change by hand', () => {
	it('is picked up', async () => {
		const { file, path, changes } = await open('{"heartbeatSeconds": 12}');
		writeFileSync(path, '{"heartbeatSeconds": 13}');
		await eventually(() => expect(file.current.heartbeatSeconds).toBe(13));
		expect(changes.map((settings) => settings.heartbeatSeconds)).toEqual([13]);
	});

	it('is picked up when the file is new, and when an editor puts another in its place', async () => {
		const { file, path } = await open();
		writeFileSync(path, '{"port": 1000}');
		await eventually(() => expect(file.current.port).toBe(1000));
		writeFileSync(`${path}.swp`, '{"port": 2000}');
		renameSync(`${path}.swp`, path);
		await eventually(() => expect(file.current.port).toBe(2000));
	});

	it('is picked up where the system gives no notice of changes, also when neither time nor size tells', async () => {
		// Nothing can be watched in a directory that is not there: what follows is found by looking.
		const directory = join(temporaryDirectory(), 'later');
		const path = join(directory, 'settings.json');
		const { file } = await openIn(directory);
		const then = new Date(1_700_000_000_000);
		mkdirSync(directory);
		writeFileSync(path, '{"port": 1000}');
		utimesSync(path, then, then);
		await eventually(() => expect(file.current.port).toBe(1000));
		writeFileSync(path, '{"port": 2000}');
		utimesSync(path, then, then);
		await eventually(() => expect(file.current.port).toBe(2000));
	});

	it('does not tell anybody when nothing is different in the end', async () => {
		const { file, path, changes } = await open('{"port": 1000}');
		writeFileSync(path, '{ "port": 1000, "heartbeatSeconds": 30 }');
		await file.update({});
		expect(changes).toEqual([]);
	});

	it('that is half written is waited for', async () => {
		const { file, path, directory, changes } = await open('{"port": 1000}', { ...fast, patienceMs: 5000 });
		writeFileSync(path, '{"port": 20');
		const changed = file.update({ heartbeatSeconds: 9 });
		await new Promise((resolve) => setTimeout(resolve, 50));
		writeFileSync(path, '{"port": 2000}');
		expect(await changed).toMatchObject({ port: 2000, heartbeatSeconds: 9 });
		expect(file.problems).toEqual([]);
		expect(readdirSync(directory)).toEqual(['settings.json']);
		expect(changes.at(-1)).toMatchObject({ port: 2000 });
	});

	it('that stays damaged is set aside; the last good settings stay in force and are written again', async () => {
		const { file, path, directory, changes } = await open('{"port": 1000, "future": 1}');
		const told: (readonly string[])[] = [];
		file.onProblems((problems) => told.push(problems));
		writeFileSync(path, '{"port": }');
		await eventually(() => expect(told).toHaveLength(1));
		await eventually(() => expect(read(path)).toEqual({ port: 1000, future: 1 }));
		expect(file.current.port).toBe(1000);
		expect(changes).toEqual([]);
		expect(readFileSync(join(directory, ASIDE), 'utf8')).toBe('{"port": }');
		expect(told[0]?.[0]).toContain('last good settings');
	});

	it('with a wrong field keeps the last good value, and is well again when it is corrected', async () => {
		const { file, path } = await open('{"breaker": {"errorStormLimit": 3}}');
		const told: (readonly string[])[] = [];
		file.onProblems((problems) => told.push(problems));
		writeFileSync(path, '{"breaker": {"errorStormLimit": "many"}, "port": 1}');
		await eventually(() => expect(file.current.port).toBe(1));
		expect(file.current.breaker.errorStormLimit).toBe(3);
		writeFileSync(path, '{"breaker": {"errorStormLimit": 4}}');
		await eventually(() => expect(file.current.breaker.errorStormLimit).toBe(4));
		expect(told.map((problems) => problems.length)).toEqual([1, 0]);
	});

	it('that removes the file brings the defaults, and says so', async () => {
		const { file, path } = await open('{"breaker": {"costCapUsd": 3}}');
		rmSync(path);
		await eventually(() => expect(file.current.breaker.costCapUsd).toBeNull());
		expect(file.problems[0]).toContain('was removed');
	});

	it('is not followed after disposal', async () => {
		const { file, path, changes } = await open('{"port": 1000}');
		file.dispose();
		writeFileSync(path, '{"port": 2000}');
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(changes).toEqual([]);
		expect(file.current.port).toBe(1000);
	});
});
