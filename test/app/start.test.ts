import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FloorApp, startFloor } from '../../src/main/floor-app.ts';

let directory: string;
const running: FloorApp[] = [];
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), 'agent-floor-start-'));
});
afterEach(async () => {
	for (const floor of running.splice(0)) await floor.stop();
	await rm(directory, { recursive: true, force: true });
});

async function start(port = 0): Promise<FloorApp> {
	const floor = await startFloor({
		dataDirectory: directory,
		port,
		version: '0.0.0-test',
		windowDirectory: join(directory, 'window'),
		homeDirectory: directory,
	});
	running.push(floor);
	return floor;
}

const titles = (floor: FloorApp): string[] => floor.snapshot().incidents.map(({ title }) => title);

describe('a start', () => {
	it('tells where it is in server.json, readable by its owner alone, and takes that back at the end', async () => {
		const floor = await start();
		const file = join(directory, 'server.json');
		const server = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
		expect(server).toMatchObject({ url: floor.url, pid: process.pid });
		expect(Object.keys(server).sort()).toEqual(['agentToken', 'operatorToken', 'pid', 'port', 'url']);
		if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
		await running.pop()?.stop();
		expect(existsSync(file)).toBe(false);
	});

	it('keeps both tokens over a restart: hooks and open windows hold them', async () => {
		const tokens = (): Record<string, string> =>
			JSON.parse(readFileSync(join(directory, 'server.json'), 'utf8'));
		await start();
		const first = tokens();
		await running.pop()?.stop();
		await start();
		const second = tokens();
		expect(second.agentToken).toBe(first.agentToken);
		expect(second.operatorToken).toBe(first.operatorToken);
		expect(second.operatorToken).not.toBe(second.agentToken);
	});

	it('on a data directory in use leads to the floor that runs there', async () => {
		const floor = await start();
		await expect(start()).rejects.toMatchObject({ code: 'already-running', address: floor.address });
	});

	it('on a taken port names the port and the flag, and leaves the directory free', async () => {
		const other = createServer();
		await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
		const address = other.address();
		const port = typeof address === 'object' && address ? address.port : 0;
		await expect(start(port)).rejects.toMatchObject({
			code: 'port-taken',
			what: expect.stringContaining(String(port)),
			remedy: expect.stringContaining('--port='),
		});
		other.close();
		await start();
	});

	it('sets a damaged database aside and says so', async () => {
		writeFileSync(join(directory, 'floor.db'), 'this is no database, but it was somebody’s data');
		const floor = await start();
		expect(titles(floor)).toContain('The database was damaged and has been set aside');
		const kept = readdirSync(directory).filter((name) => name.startsWith('floor.db.corrupt-'));
		expect(kept).toHaveLength(1);
		expect(readFileSync(join(directory, kept[0] ?? ''), 'utf8')).toContain('somebody’s data');
	});

	it('sets damaged settings aside, runs on the defaults and says so', async () => {
		writeFileSync(join(directory, 'settings.json'), '{"heartbeatSeconds": 12,');
		const floor = await start();
		expect(titles(floor)).toContain('The settings file has a problem');
		expect(floor.snapshot().status.heartbeatSeconds).toBe(30);
		const kept = readdirSync(directory).filter((name) => name.startsWith('settings.json.'));
		expect(kept.map((name) => readFileSync(join(directory, name), 'utf8'))).toContain(
			'{"heartbeatSeconds": 12,',
		);
	});

	it.each([
		['a negative cap', { breaker: { costCapUsd: -1 } }],
		['a limit of zero', { breaker: { repeatedToolLimit: 0 } }],
		['a word for a number', { heartbeatSeconds: 'often' }],
	])('uses everything but %s, leaves the file as it is and says so', async (_name, wrong) => {
		const text = JSON.stringify({ ...wrong, stop: { graceSeconds: 7 } });
		writeFileSync(join(directory, 'settings.json'), text);
		const floor = await start();
		expect(titles(floor)).toContain('The settings file has a problem');
		expect(readFileSync(join(directory, 'settings.json'), 'utf8')).toBe(text);
		expect(await floor.handlers['settings:get'](undefined)).toMatchObject({ stop: { graceSeconds: 7 } });
	});

	it('ends the incident when the settings are mended by hand, without a restart', async () => {
		writeFileSync(join(directory, 'settings.json'), '{"heartbeatSeconds": "often"}');
		const floor = await start();
		writeFileSync(join(directory, 'settings.json'), '{"heartbeatSeconds": 11}');
		await expect.poll(() => floor.snapshot().status.heartbeatSeconds, { timeout: 10_000 }).toBe(11);
		await expect
			.poll(() => floor.snapshot().incidents.find(({ kind }) => kind === 'settings')?.endReason, {
				timeout: 10_000,
			})
			.toBe('the settings file is in order');
	});
});
