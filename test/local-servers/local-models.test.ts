/** The models of this machine, on a clock and a rhythm that the test turns, against real servers. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DeviceMemory } from '../../src/main/local-servers/device-memory.ts';
import {
	BUSY_RHYTHM_MS,
	KEPT_MS,
	LocalModels,
	type LocalModelsOptions,
	QUIET_RHYTHM_MS,
} from '../../src/main/local-servers/local-models.ts';
import { localServerViewSchema, modelFitSchema } from '../../src/shared/capability.ts';
import type { LocalServerSettings } from '../../src/shared/failover-settings.ts';
import { type LocalServerStub, type StubScript, startLocalServerStub } from '../support/local-server-stub.ts';
import { startJsonServer } from './json-server.ts';

const T0 = 1_796_000_000_000;
const GIB = 1024 ** 3;
const device: DeviceMemory = { gpuBytes: 24 * GIB, isUnified: false, systemBytes: 64 * GIB };

const open: { close(): Promise<void> }[] = [];
const watched: LocalModels[] = [];
afterEach(async () => {
	for (const models of watched.splice(0)) models.dispose();
	for (const server of open.splice(0)) await server.close();
});

/** `LocalModels` with everything in the hands of the test. */
class Watched {
	now = T0;
	settings: LocalServerSettings[];
	readonly news: boolean[] = [];
	readonly errors: Error[] = [];
	/** What was planned last: its time and its work. */
	planned: { ms: number; work: () => void } | null = null;
	deviceReads = 0;
	isFailedOver = false;
	readonly models: LocalModels;

	constructor(settings: LocalServerSettings[], options: Partial<LocalModelsOptions> = {}) {
		this.settings = settings;
		this.models = new LocalModels({
			servers: () => this.settings,
			now: () => this.now,
			onChange: (isNews) => this.news.push(isNews),
			onError: (error) => this.errors.push(error),
			isFailedOver: () => this.isFailedOver,
			schedule: (ms, work) => {
				const plan = { ms, work };
				this.planned = plan;
				return () => {
					if (this.planned === plan) this.planned = null;
				};
			},
			random: () => 0.5,
			readDevice: async () => {
				this.deviceReads += 1;
				return device;
			},
			timeLimit: () => AbortSignal.timeout(15_000),
			environment: {},
			...options,
		});
		watched.push(this.models);
	}

	state(): string | undefined {
		return this.models.servers()[0]?.state;
	}
}

async function stub(script: Partial<StubScript> = {}, port = 0): Promise<LocalServerStub> {
	const server = await startLocalServerStub({ models: [{ name: 'coder:30b' }], ...script }, port);
	open.push(server);
	return server;
}

function ollama(baseUrl: string, id = 'ollama'): LocalServerSettings {
	return { id, kind: 'ollama', baseUrl };
}

describe('what is known', () => {
	it('is unknown before the first look, and asks nothing by being asked', async () => {
		const server = await stub();
		const { models } = new Watched([ollama(server.url)]);
		expect(models.models()).toEqual([]);
		expect(models.servers()).toEqual([
			{
				id: 'ollama',
				kind: 'ollama',
				baseUrl: server.url,
				state: 'unknown',
				problem: '',
				version: null,
				models: 0,
				checkedAt: null,
			},
		]);
		expect(server.requests).toEqual([]);
	});

	it('after a look: models with context, tags and fit, in the words of the contract', async () => {
		const server = await stub({
			models: [
				{ name: 'qwen3-coder:30b', contextInUse: 65_536, sizeBytes: 19e9, vramBytes: 19e9 },
				{ name: 'big:120b', loaded: false, sizeBytes: 200e9 },
			],
		});
		const watch = new Watched([ollama(server.url)]);
		await watch.models.refresh();
		await vi.waitFor(() => expect(watch.models.models()[1]?.fit).toBe('OVER'));
		const fits = watch.models.models();
		for (const fit of fits) expect(() => modelFitSchema.parse(fit)).not.toThrow();
		for (const view of watch.models.servers()) expect(() => localServerViewSchema.parse(view)).not.toThrow();
		expect(fits[0]).toEqual({
			id: 'ollama/qwen3-coder:30b',
			serverId: 'ollama',
			serverKind: 'ollama',
			model: 'qwen3-coder:30b',
			name: 'qwen3-coder:30b',
			context: { inUse: 65_536, max: 262_144 },
			loaded: true,
			sizeBytes: 19e9,
			tools: true,
			tags: ['instruction'],
			fit: 'COMFORTABLE',
			fitReason: 'Fits your GPU: loaded, all 18 GB of it in GPU memory.',
			checkedAt: T0,
		});
		expect(watch.models.servers()).toMatchObject([
			{ state: 'running', version: '0.14.2', models: 2, checkedAt: T0 },
		]);
		expect(watch.models.baseUrlOf('ollama')).toBe(server.url);
		expect(watch.models.baseUrlOf('other')).toBeNull();
	});

	it('one bad server does not spoil another', async () => {
		const good = await stub();
		const html = await startJsonServer({ '/api/tags': { body: '<html>' } });
		open.push(html);
		const hanging = await stub();
		const time = new AbortController();
		// The time of the first server is over when it has been asked; the others have all that they need.
		const limits = [time.signal];
		hanging.handle('/api/tags', () => time.abort());
		const watch = new Watched(
			[ollama(hanging.url, 'hanging'), ollama(html.url, 'html'), ollama(good.url, 'good')],
			{ timeLimit: () => limits.shift() ?? AbortSignal.timeout(15_000) },
		);
		await watch.models.refresh();
		expect(watch.models.servers().map((server) => server.state)).toEqual([
			'unreadable',
			'unreadable',
			'running',
		]);
		expect(watch.models.models().map((model) => model.id)).toEqual(['good/coder:30b']);
		expect(watch.errors).toEqual([]);
	});

	it('a changed address is another server; a removed one is gone at once; the first of an id counts', async () => {
		const first = await stub();
		const second = await stub({ models: [{ name: 'other' }] });
		const watch = new Watched([ollama(first.url)]);
		await watch.models.refresh();
		expect(watch.models.models()).toHaveLength(1);
		watch.settings = [ollama(second.url), ollama(first.url)];
		expect(watch.state()).toBe('unknown');
		expect(watch.models.models()).toEqual([]);
		await watch.models.refresh();
		expect(watch.models.models().map((model) => model.model)).toEqual(['other']);
		expect(watch.models.servers()).toHaveLength(1);
		watch.settings = [];
		expect(watch.models.servers()).toEqual([]);
		expect(watch.models.models()).toEqual([]);
	});

	it('a server that the settings bring during a look is looked at as well', async () => {
		const first = await stub();
		const second = await stub({ models: [{ name: 'other' }] });
		const watch = new Watched([ollama(first.url, 'first')]);
		first.handle('/api/tags', (_request, response) => {
			watch.settings = [ollama(second.url, 'second')];
			response.end('{"models":[]}');
		});
		await watch.models.refresh();
		expect(watch.models.models().map((model) => model.id)).toEqual(['second/other']);
	});

	it('sends the token of the settings, and never shows it', async () => {
		const server = await stub();
		const settings = { ...ollama(server.url), credentialEnv: 'LOCAL_KEY' };
		const watch = new Watched([settings], { environment: { LOCAL_KEY: 'secret' } });
		await watch.models.refresh();
		expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
		expect(watch.models.targetOf('ollama')).toEqual({ baseUrl: server.url, token: 'secret' });
		expect(JSON.stringify([watch.models.models(), watch.models.servers()])).not.toContain('secret');
	});
});

describe('a server that goes', () => {
	it('is absent at once; its models stay for a moment with their age, not as loaded, then they go', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		await watch.models.refresh();
		await server.close();
		watch.now += 5_000;
		await watch.models.refresh();
		expect(watch.models.servers()).toMatchObject([
			{ state: 'absent', models: 0, version: null, checkedAt: T0 + 5_000 },
		]);
		expect(watch.models.models()).toMatchObject([{ model: 'coder:30b', loaded: null, checkedAt: T0 }]);
		watch.now = T0 + KEPT_MS + 1;
		expect(watch.models.models()).toEqual([]);
	});

	it('is back with the next look', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		await watch.models.refresh();
		await server.close();
		await watch.models.refresh();
		await stub({}, server.port);
		watch.now += 1;
		await watch.models.refresh();
		expect(watch.state()).toBe('running');
		expect(watch.models.models()).toMatchObject([{ loaded: true, checkedAt: T0 + 1 }]);
	});
});

describe('looking', () => {
	it('is one look at a time', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		await Promise.all([watch.models.refresh(), watch.models.refresh(), watch.models.refresh()]);
		expect(server.requestsTo('/api/tags')).toHaveLength(1);
	});

	it('says whether anything but the age changed', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		await watch.models.refresh();
		await vi.waitFor(() => expect(watch.news).toHaveLength(2));
		watch.now += 1_000;
		await watch.models.refresh();
		server.set({ models: [{ name: 'coder:30b', loaded: false }] });
		await watch.models.refresh();
		expect(watch.news).toEqual([true, expect.any(Boolean), false, true]);
	});

	it('is often while a server runs or a session is answered locally, seldom otherwise', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		watch.models.start();
		watch.models.start();
		await vi.waitFor(() => expect(watch.planned?.ms).toBe(BUSY_RHYTHM_MS));
		expect(server.requestsTo('/api/tags')).toHaveLength(1);
		await server.close();
		const next = watch.planned;
		next?.work();
		await vi.waitFor(() => expect(watch.planned?.ms).toBe(QUIET_RHYTHM_MS));
		watch.isFailedOver = true;
		watch.planned?.work();
		await vi.waitFor(() => expect(watch.planned?.ms).toBe(BUSY_RHYTHM_MS));
	});

	it.each([
		[0, 0.9],
		[0.999999, 1.1],
	])('is jittered by a tenth (%d)', async (random, factor) => {
		const watch = new Watched([], { random: () => random });
		watch.models.start();
		await vi.waitFor(() => expect(watch.planned?.ms).toBeCloseTo(QUIET_RHYTHM_MS * factor, 0));
	});

	it('ends with dispose, and says nothing of what it cut off', async () => {
		const server = await stub();
		server.fail('/api/tags', 'hang');
		const watch = new Watched([ollama(server.url)]);
		watch.models.start();
		await vi.waitFor(() => expect(server.requestsTo('/api/tags')).toHaveLength(1));
		const look = watch.models.refresh();
		watch.models.dispose();
		watch.models.dispose();
		await look;
		await watch.models.refresh();
		expect(watch.state()).toBe('unknown');
		expect([watch.news, watch.errors, watch.planned]).toEqual([[], [], null]);
		expect(server.requestsTo('/api/tags')).toHaveLength(1);
	});
});

describe('while a popup waits', () => {
	it('neither servers nor the machine are asked; afterwards at once', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		watch.models.pause(true);
		watch.models.start();
		await watch.models.refresh();
		expect(server.requests).toEqual([]);
		expect(watch.deviceReads).toBe(0);
		watch.models.pause(false);
		await vi.waitFor(() => expect(watch.deviceReads).toBe(1));
		expect(watch.state()).toBe('running');
		await vi.waitFor(() => expect(watch.planned).not.toBeNull());
	});

	it('a beat that was planned comes to nothing', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		watch.models.start();
		await vi.waitFor(() => expect(watch.planned).not.toBeNull());
		watch.models.pause(true);
		watch.planned?.work();
		expect(server.requestsTo('/api/tags')).toHaveLength(1);
	});

	it('a look that began before goes on, but the machine is not looked at', async () => {
		const server = await stub();
		const watch = new Watched([ollama(server.url)]);
		server.handle('/api/version', (_request, response) => {
			watch.models.pause(true);
			response.end('{"version":"1"}');
		});
		await watch.models.refresh();
		expect(watch.models.models()).toMatchObject([{ model: 'coder:30b' }]);
		expect(watch.deviceReads).toBe(0);
	});
});

it('the machine is not looked at where there is no model', async () => {
	const server = await stub({ models: [] });
	const watch = new Watched([ollama(server.url)]);
	await watch.models.refresh();
	expect(watch.deviceReads).toBe(0);
});

it('a fault of its own is told, and the next look is made', async () => {
	const server = await stub();
	let isBroken = true;
	const watch = new Watched([ollama(server.url)], {
		readDevice: async () => {
			if (isBroken) throw new Error('scripted');
			return device;
		},
	});
	await watch.models.refresh();
	await vi.waitFor(() => expect(watch.errors.map((error) => error.message)).toEqual(['scripted']));
	isBroken = false;
	await watch.models.refresh();
	await vi.waitFor(() => expect(watch.news).toHaveLength(3));
	expect(watch.state()).toBe('running');
});
