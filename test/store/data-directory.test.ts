import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
	type DirectoryQuestion,
	prepareDataDirectory,
	resolveDataDirectory,
} from '../../src/main/store/data-directory.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const linux: DirectoryQuestion = {
	flag: undefined,
	env: {},
	platform: 'linux',
	homeDirectory: '/home/dev',
	workingDirectory: '/home/dev/app',
};
const mac: DirectoryQuestion = { ...linux, platform: 'darwin', homeDirectory: '/Users/dev' };
const windows: DirectoryQuestion = {
	...linux,
	platform: 'win32',
	homeDirectory: 'C:\\Users\\dev',
	workingDirectory: 'D:\\app',
};

describe('the data directory', () => {
	it.each<[string, DirectoryQuestion, string]>([
		['Linux', linux, '/home/dev/.local/share/agent-floor'],
		['Linux with XDG', { ...linux, env: { XDG_DATA_HOME: '/data' } }, '/data/agent-floor'],
		['a relative XDG', { ...linux, env: { XDG_DATA_HOME: 'data' } }, '/home/dev/.local/share/agent-floor'],
		['an empty XDG', { ...linux, env: { XDG_DATA_HOME: '' } }, '/home/dev/.local/share/agent-floor'],
		['macOS', mac, '/Users/dev/Library/Application Support/agent-floor'],
		[
			'macOS with XDG',
			{ ...mac, env: { XDG_DATA_HOME: '/data' } },
			'/Users/dev/Library/Application Support/agent-floor',
		],
		['Windows', { ...windows, env: { APPDATA: 'C:\\Roaming' } }, 'C:\\Roaming\\agent-floor'],
		['Windows without APPDATA', windows, 'C:\\Users\\dev\\AppData\\Roaming\\agent-floor'],
		['the variable', { ...linux, env: { AGENT_FLOOR_DATA: '/floor', XDG_DATA_HOME: '/data' } }, '/floor'],
		[
			'the flag before the variable',
			{ ...linux, flag: '/flag', env: { AGENT_FLOOR_DATA: '/floor' } },
			'/flag',
		],
		['a relative flag', { ...linux, flag: './floor' }, '/home/dev/app/floor'],
		['a relative flag on Windows', { ...windows, flag: 'floor' }, 'D:\\app\\floor'],
		['an empty flag', { ...linux, flag: '' }, '/home/dev/.local/share/agent-floor'],
	])('on %s', (_where, question, expected) => {
		expect(resolveDataDirectory(question)).toBe(expected);
	});

	it('is made for its owner only', () => {
		const directory = join(temporaryDirectory(), 'a', 'b');
		prepareDataDirectory(directory);
		expect(statSync(directory).mode & 0o777).toBe(0o700);
	});

	it("keeps its mode when it is there: it may be somebody's shared one", () => {
		const directory = join(temporaryDirectory(), 'shared');
		mkdirSync(directory, { mode: 0o755 });
		prepareDataDirectory(directory);
		expect(statSync(directory).mode & 0o777).toBe(0o755);
	});

	it('is a clear error when it cannot be', () => {
		const file = join(temporaryDirectory(), 'file');
		writeFileSync(file, '');
		for (const directory of [file, join(file, 'inside')]) {
			expect(() => prepareDataDirectory(directory)).toThrow(
				expect.objectContaining({ name: StoreError.name, code: 'not-writable' }),
			);
		}
	});
});
