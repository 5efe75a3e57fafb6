import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	readServerFile,
	removeServerFile,
	type ServerFile,
	writeServerFile,
} from '../../src/main/store/server-file.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { loadToken, newToken } from '../../src/main/store/tokens.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const server: ServerFile = {
	url: 'http://127.0.0.1:47100',
	port: 47_100,
	pid: process.pid,
	operatorToken: newToken(),
	agentToken: newToken(),
};

describe('server.json', () => {
	it('is for its owner only, whatever was there before', () => {
		const directory = temporaryDirectory();
		writeFileSync(join(directory, 'server.json'), '{}', { mode: 0o644 });
		writeServerFile(directory, server);
		expect(statSync(join(directory, 'server.json')).mode & 0o777).toBe(0o600);
		expect(readServerFile(directory)).toEqual(server);
		expect(readdirSync(directory)).toEqual(['server.json']);
	});

	it('is taken away by its floor and by no other', () => {
		const directory = temporaryDirectory();
		writeServerFile(directory, server);
		removeServerFile(directory, { ...server, operatorToken: newToken() });
		expect(readServerFile(directory)).toEqual(server);
		removeServerFile(directory, server);
		expect(existsSync(join(directory, 'server.json'))).toBe(false);
		removeServerFile(directory, server);
	});

	it('leads to no floor when it is missing, half written, or says nothing of use', () => {
		const directory = temporaryDirectory();
		expect(readServerFile(directory)).toBeNull();
		const file = join(directory, 'server.json');
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string(),
					fc.json(),
					fc.nat(150).map((at) => JSON.stringify(server).slice(0, at)),
				),
				(text) => {
					writeFileSync(file, text);
					expect(readServerFile(directory)).toBeNull();
				},
			),
		);
		for (const wrong of [{ pid: -1 }, { port: 0 }, { url: 'file:///etc/passwd' }, { operatorToken: '' }]) {
			writeFileSync(file, JSON.stringify({ ...server, ...wrong }));
			expect(readServerFile(directory)).toBeNull();
		}
	});

	it('may hold more than this floor knows', () => {
		const directory = temporaryDirectory();
		writeFileSync(join(directory, 'server.json'), JSON.stringify({ ...server, version: '9' }));
		expect(readServerFile(directory)).toEqual(server);
	});
});

describe("the agents' token", () => {
	it('is kept over restarts, for its owner only', () => {
		const directory = temporaryDirectory();
		const token = loadToken(directory, 'agent-token');
		expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
		const file = join(directory, 'agent-token');
		chmodSync(file, 0o644);
		expect(loadToken(directory, 'agent-token')).toBe(token);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	});

	it('is made anew when the file holds none', () => {
		const directory = temporaryDirectory();
		writeFileSync(join(directory, 'agent-token'), 'short');
		const token = loadToken(directory, 'agent-token');
		expect(readFileSync(join(directory, 'agent-token'), 'utf8').trim()).toBe(token);
		expect(loadToken(temporaryDirectory(), 'agent-token')).not.toBe(token);
	});

	it('is a clear error when it cannot be kept', () => {
		const directory = temporaryDirectory();
		mkdirSync(join(directory, 'agent-token'));
		expect(() => loadToken(directory, 'agent-token')).toThrow(StoreError);
	});
});
