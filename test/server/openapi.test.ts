import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { doorOf, readAddress } from '../../src/main/gateway/gateway-path.ts';
import type { GatewayOptions } from '../../src/main/gateway/options.ts';
import { gatewayRoutes } from '../../src/main/gateway/routes.ts';
import type { Listener, ListenerOptions } from '../../src/main/server/listener.ts';
import { describedRoutes } from '../../src/main/server/openapi.ts';
import type { TelemetryRouteOptions } from '../../src/main/server/telemetry-routes.ts';
import { type Capability, capabilitySchema } from '../../src/shared/capability.ts';
import { ChannelError, type RequestHandlers, requestChannels } from '../../src/shared/channels.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import { listenBare, unused } from './bare-listener.ts';

const script = new URL('../../scripts/openapi.mjs', import.meta.url).href;
const { generateOpenapi }: { generateOpenapi: () => Promise<string> } = await import(script);
const committed = new URL('../../docs/openapi.json', import.meta.url);

const full: Capability = {
	local: 'ready',
	localModels: [
		{
			id: 'ollama/coder:30b',
			serverId: 'ollama',
			serverKind: 'ollama',
			model: 'coder:30b',
			name: 'coder:30b',
			context: { inUse: 32_768, max: 262_144 },
			loaded: true,
			sizeBytes: 19_000_000_000,
			tools: true,
			tags: ['instruction'],
			fit: 'TIGHT',
			fitReason: '19 GB of 24 GB',
			checkedAt: 1,
		},
	],
	remote: 'unreachable',
	activeSession: {
		harness: 'local',
		model: 'coder:30b',
		roles: {
			plan: null,
			act: { harness: 'local', at: 'ollama', model: 'coder:30b' },
			utility: null,
			embed: null,
		},
	},
};

let listener: Listener | null = null;
afterEach(async () => {
	await listener?.close();
	listener = null;
});

async function start(
	capability: () => unknown,
	more: Partial<ListenerOptions> = {},
): Promise<{ url: string; problems: unknown[] }> {
	const problems: unknown[] = [];
	const handlers = {
		...Object.fromEntries(Object.keys(requestChannels).map((channel) => [channel, unused])),
		'capability:get': capability,
	} as unknown as RequestHandlers;
	listener = await listenBare({ handlers, ...more }, problems);
	return { url: listener.url, problems };
}

const operator = { headers: { authorization: 'Bearer operator' } };

describe('capability route contract strict; openapi zero-diff', () => {
	it('answers exactly the schema, to the operator alone, by bearer or cookie', async () => {
		const { url } = await start(() => full);
		const response = await fetch(`${url}/capability`, operator);
		expect(response.status).toBe(200);
		expect(response.headers.get('cache-control')).toBe('no-store');
		const body: unknown = await response.json();
		expect(body).toEqual(full);
		expect(() => capabilitySchema.parse(body)).not.toThrow();
		const port = new URL(url).port;
		const cookie = { headers: { cookie: `agent_floor_${port}=operator` } };
		expect((await fetch(`${url}/capability`, cookie)).status).toBe(200);
		for (const authorization of ['', 'Bearer agent', 'Bearer wrong']) {
			const refused = await fetch(`${url}/capability`, { headers: { authorization } });
			expect([refused.status, await refused.text()]).toEqual([401, '']);
		}
		const foreign = { headers: { ...operator.headers, origin: 'https://elsewhere.example' } };
		expect((await fetch(`${url}/capability`, foreign)).status).toBe(403);
	});

	it.each([
		['a field more', { ...full, online: true }],
		['a field less', { local: full.local, localModels: [], remote: full.remote }],
		['a word of its own', { ...full, remote: 'online' }],
		['a field more inside a model', { ...full, localModels: [{ ...full.localModels[0], vram: 1 }] }],
	])('never sends %s', async (_name, wrong) => {
		const { url, problems } = await start(() => wrong);
		const response = await fetch(`${url}/capability`, operator);
		expect(response.status).toBe(500);
		expect(await response.json()).toMatchObject({ code: 'internal' });
		expect(problems).toHaveLength(1);
	});

	it('says why when it cannot be told', async () => {
		const data = { code: 'not-possible', message: 'No.', meaning: 'm', remedy: 'r' } as const;
		const { url } = await start(() => {
			throw new ChannelError(data);
		});
		const response = await fetch(`${url}/capability`, operator);
		expect([response.status, await response.json()]).toEqual([500, data]);
	});

	it('docs/openapi.json is what the schemas say now (after a change: node scripts/openapi.mjs)', async () => {
		expect(await generateOpenapi()).toBe(await readFile(committed, 'utf8'));
	});

	it('a change of a schema is a difference, and the same schemas give the same text', async () => {
		const before = await generateOpenapi();
		expect(await generateOpenapi()).toBe(before);
		const channel = requestChannels['failover:wait'];
		const { input } = channel;
		const changed = channel as { input: z.ZodType };
		try {
			changed.input = z.object({ popupId: z.string(), patience: z.number() });
			expect(await generateOpenapi()).not.toBe(before);
		} finally {
			changed.input = input;
		}
	});
});

describe('every route is described', () => {
	/** HEAD comes by itself with every GET; the gateway's one route takes every method. */
	async function registered(): Promise<Set<string>> {
		const routes = new Set<string>();
		await start(() => emptyFailoverView.capability, {
			// Nothing is asked of it here: only its routes are looked at.
			gateway: (app) => gatewayRoutes(app, { agentToken: 'agent' } as GatewayOptions),
			telemetry: {} as TelemetryRouteOptions,
			onRoute: (method, url) => routes.add(url.startsWith('/gateway') ? url : `${method} ${url}`),
		});
		return new Set(
			[...routes].filter((route) => !routes.has(route.replace(/^HEAD /, 'GET ')) || !/^HEAD /.test(route)),
		);
	}

	it('what the listener registers is described, and what is described is registered', async () => {
		const described = describedRoutes().map(({ method, route, tag }) =>
			tag === 'gateway' ? route : `${method} ${route}`,
		);
		expect(await registered()).toEqual(new Set(described));
	});

	it('a route without description would be seen', async () => {
		const routes: string[] = [];
		await start(() => full, {
			gateway: async (app) => {
				app.get('/undescribed', () => '');
			},
			onRoute: (method, url) => routes.push(`${method} ${url}`),
		});
		expect(routes).toContain('GET /undescribed');
	});

	it('each channel of the map stands there once', () => {
		const shown = describedRoutes()
			.filter(({ route }) => route === '/request/:channel')
			.map(({ shown: path }) => path.replace('/request/', '').replace('::', ':'));
		expect(shown).toEqual(Object.keys(requestChannels));
	});

	it('each door of the gateway is one that the gateway knows', () => {
		const doors = describedRoutes().filter(({ tag }) => tag === 'gateway');
		expect(doors.length).toBeGreaterThan(0);
		for (const { method, shown } of doors) {
			const address = readAddress(shown.replace(':agentToken', 'secret'));
			expect(doorOf(method, address?.path ?? '', {}).kind, shown).not.toBe('unknown');
		}
	});

	it('the running listener loads neither swagger nor the descriptions', async () => {
		for (const file of ['listener.ts', 'capability-route.ts', 'telemetry-routes.ts', 'window-routes.ts']) {
			const text = await readFile(new URL(`../../src/main/server/${file}`, import.meta.url), 'utf8');
			expect(text).not.toMatch(/swagger|type-provider|from '\.\/openapi/);
		}
	});
});
