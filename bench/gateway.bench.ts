/**
 * What the gateway costs, beside a direct call in the same run, interleaved. The provider and the program that calls
 * run in processes of their own; this one holds nothing but the gateway, so its CPU and memory are the gateway's.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify from 'fastify';
import type { FailoverDesk } from '../src/main/failover/desk.ts';
import { CredentialKeeper } from '../src/main/gateway/credentials.ts';
import { protocols } from '../src/main/gateway/protocols/all.ts';
import { gatewayRoutes } from '../src/main/gateway/routes.ts';
import { TurnKeeper } from '../src/main/gateway/turn-keeper.ts';
import { Upstream } from '../src/main/gateway/upstream.ts';
import { ModelBreakers } from '../src/main/models/model-breakers.ts';
import { settingsSchema } from '../src/shared/settings.ts';
import type { BenchRow } from './run.ts';
import type { LoadOrder, LoadReport } from './support/gateway-load.ts';
import { quantileOf } from './support/times.ts';

export const title =
	'The gateway beside a direct call: target +0.7 ms (p50) and +4 ms (p99) to first content, +1 ms a chunk (p99), 5 000 requests/s, 0.2 ms CPU';

const TOKEN = 'bench';
const support = join(import.meta.dirname, 'support');

export async function run(): Promise<BenchRow[]> {
	const provider = start('gateway-provider.ts');
	const load = start('gateway-load.ts');
	const [port] = (await once(provider, 'message')) as [number];
	const direct = { port, prefix: '' };
	const gateway = await startGateway(`http://127.0.0.1:${port}`);
	const through = { port: gateway.port, prefix: `/gateway/${TOKEN}` };
	try {
		const first = await order(load, { kind: 'first-content', targets: [direct, through], times: 3_000 });
		const chunks = await order(load, {
			kind: 'chunks',
			targets: [direct, through],
			streams: 8,
			seconds: 4,
			rounds: 3,
		});
		// Code that has just been started is compiled while it runs: that is no cost of a request.
		await order(load, { kind: 'requests', targets: [through], connections: 32, seconds: 6, rounds: 1 });
		const cpuBefore = process.cpuUsage();
		const requests = await order(load, {
			kind: 'requests',
			targets: [direct, through],
			connections: 32,
			seconds: 3,
			rounds: 2,
		});
		const cpu = process.cpuUsage(cpuBefore);
		const memory = await measureMemory(load, through);
		const [ofDirect = 0, ofGateway = 0] = requests.rates;
		const cpuMs = (cpu.user + cpu.system) / 1_000 / (requests.counts[1] ?? 1);
		return [
			row('time to first content p50, ms', first, 0.5, '≤ 0.7'),
			row('time to first content p99, ms', first, 0.99, '≤ 4'),
			row('delay of a chunk p50, 8 × 200/s, ms', chunks, 0.5, ''),
			row('delay of a chunk p99, 8 × 200/s, ms', chunks, 0.99, '≤ 1'),
			{
				measure: 'requests/s at 32 connections',
				direct: round(ofDirect),
				gateway: round(ofGateway),
				added: '',
				target: '≥ 5000',
			},
			{
				measure: 'CPU of the gateway a request, ms',
				direct: '',
				gateway: round(cpuMs),
				added: '',
				target: '≤ 0.2',
			},
			{
				measure: 'heap after 1 000 turns, MB',
				direct: '',
				gateway: round(memory.early),
				added: '',
				target: '',
			},
			{
				measure: 'heap after 10 000 more, MB',
				direct: '',
				gateway: round(memory.late),
				added: round(memory.late - memory.early),
				target: 'flat',
			},
		];
	} finally {
		provider.kill();
		load.kill();
		await gateway.close();
	}
}

function start(file: string): ChildProcess {
	return fork(join(support, file), { execArgv: ['--no-warnings'] });
}

async function order(load: ChildProcess, what: LoadOrder): Promise<LoadReport> {
	load.send(what);
	const [report] = (await once(load, 'message')) as [LoadReport];
	return report;
}

async function measureMemory(
	load: ChildProcess,
	target: LoadOrder['targets'][number],
): Promise<{ readonly early: number; readonly late: number }> {
	await order(load, { kind: 'first-content', targets: [target], times: 1_000 });
	const early = heap();
	await order(load, { kind: 'first-content', targets: [target], times: 10_000 });
	return { early, late: heap() };
}

function heap(): number {
	globalThis.gc?.();
	return process.memoryUsage().heapUsed / 1_048_576;
}

/** The whole of it but the orchestrator: its desk lets every turn pass. */
async function startGateway(baseUrl: string): Promise<{ port: number; close: () => Promise<void> }> {
	const app = Fastify({ bodyLimit: Number.MAX_SAFE_INTEGER, forceCloseConnections: true });
	const upstream = new Upstream();
	const steady = (): number => performance.now();
	let port = 0;
	const settings = settingsSchema.parse({
		providers: [{ id: 'anthropic', baseUrl, protocols: ['anthropic-messages'] }],
	});
	let turn = 0;
	const held = {
		next: () => Promise.reject(new Error('a turn was held')),
		localFailed: () => {},
		release: () => {},
	};
	const desk: FailoverDesk = {
		route: () => ({
			to: 'provider',
			ticket: { providerId: 'anthropic', era: 1, isTrial: false, serial: turn },
		}),
		settle: () => {},
		hold: () => held,
		ended: () => {},
		answeredLocally: () => {},
	};
	await app.register((routes) =>
		gatewayRoutes(routes, {
			agentToken: TOKEN,
			ownPort: () => port,
			settings: () => settings,
			protocols,
			desk,
			models: new ModelBreakers({ settings: () => settings.models, now: Date.now, random: Math.random }),
			floor: { find: () => null, refusal: () => null, modelCall: () => {} },
			clock: { wall: Date.now, steady },
			schedule: (ms, work) => {
				const timer = setTimeout(work, ms);
				return () => clearTimeout(timer);
			},
			upstream,
			credentials: new CredentialKeeper(steady),
			turns: new TurnKeeper(),
			warm: async () => {},
			enqueue: async () => {},
			newTurnId: () => {
				turn += 1;
				return String(turn);
			},
			environment: () => undefined,
			onUnexpected: (where, error) => console.error(where, error),
		}),
	);
	await app.listen({ host: '127.0.0.1', port: 0 });
	port = (app.server.address() as AddressInfo).port;
	return {
		port,
		close: async () => {
			await upstream.close();
			await app.close();
		},
	};
}

function row(measure: string, { samples }: LoadReport, quantile: number, target: string): BenchRow {
	const [direct = Number.NaN, gateway = Number.NaN] = samples.map((sorted) => quantileOf(sorted, quantile));
	return { measure, direct: round(direct), gateway: round(gateway), added: round(gateway - direct), target };
}

function round(value: number): number {
	return value >= 100 ? Math.round(value) : Math.round(value * 1_000) / 1_000;
}
