/** The real gateway, breaker and orchestrator on a real listener; only clocks of silence and hold are short. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { Clock, Schedule } from '../../../src/main/failover/call.ts';
import { Orchestrator } from '../../../src/main/failover/orchestrator.ts';
import { ProviderHealth } from '../../../src/main/failover/provider-health.ts';
import { CredentialKeeper } from '../../../src/main/gateway/credentials.ts';
import { gatewayTimes } from '../../../src/main/gateway/options.ts';
import { protocols } from '../../../src/main/gateway/protocols/all.ts';
import { gatewayRoutes } from '../../../src/main/gateway/routes.ts';
import { TurnKeeper } from '../../../src/main/gateway/turn-keeper.ts';
import { Upstream } from '../../../src/main/gateway/upstream.ts';
import { ModelBreakers } from '../../../src/main/models/model-breakers.ts';
import type { ModelFit, ProviderView } from '../../../src/shared/capability.ts';
import { protocolSchema } from '../../../src/shared/failover-settings.ts';
import type { FailoverPopup } from '../../../src/shared/failover-view.ts';
import { settingsSchema } from '../../../src/shared/settings.ts';
import { answer } from '../provider-stub/steps.ts';
import { type ProviderStub, startProviderStub, UNRESOLVABLE_URL } from '../provider-stub.ts';
import type { Fault } from './faults.ts';
import { LOCAL_MODEL, LOCAL_TEXT, type World, type WorldOptions } from './world.ts';

const TOKEN = 'agent-token-of-the-matrix';

const clock: Clock = { wall: Date.now, steady: () => performance.now() };
const schedule: Schedule = (ms, work) => {
	const timer = setTimeout(work, ms);
	return () => clearTimeout(timer);
};

export async function startGatewayWorld({ provider: where, ...times }: WorldOptions): Promise<World> {
	const provider = await startProviderStub();
	const local = await startProviderStub();
	local.respond(answer({ text: LOCAL_TEXT }));
	const settings = settingsSchema.parse({
		providers: [
			{ id: 'cloud', name: 'Cloud', baseUrl: addressOf(provider, where), protocols: protocolSchema.options },
		],
		localServers: [{ id: 'ollama', kind: 'ollama', baseUrl: local.url }],
		failover: { holdSeconds: times.holdSeconds },
		models: { chains: times.chain ? [times.chain] : [] },
	});
	let modelsNow = Date.now();
	const models = new ModelBreakers({
		settings: () => settings.models,
		now: () => modelsNow,
		// No jitter: what a chain waits for is exact.
		random: () => 0,
	});
	if (where === 'dark') await provider.goDark();
	const unexpected: unknown[] = [];
	const health: ProviderHealth = new ProviderHealth({
		providers: () => settings.providers,
		clock,
		onChange: (providerId) => desk.providerChanged(providerId),
	});
	const desk = new Orchestrator({
		clock,
		schedule,
		random: Math.random,
		gate: health,
		incidents: { report: () => ({ id: 'incident' }), recover: () => undefined, decideAbout: () => undefined },
		settings: () => settings.failover,
		providerName: () => 'Cloud',
		providerIds: () => ['cloud'],
		localModels: () => ({ models: [model], servers: [] }),
		acceptance: () => null,
		recordAcceptance: () => undefined,
		probingPaused: () => undefined,
		askCloud: async () => ({ kind: 'failed', problem: 'not here' }),
	});
	let popupCount = 0;
	desk.onEvent((event) => {
		if (event.kind === 'popup-opened') popupCount += 1;
	});
	const app = Fastify({ forceCloseConnections: true });
	const upstream = new Upstream();
	let port = 0;
	await app.register((routes) =>
		gatewayRoutes(routes, {
			agentToken: TOKEN,
			ownPort: () => port,
			settings: () => settings,
			protocols,
			desk,
			models,
			floor: { find: () => null, refusal: () => null, modelCall: () => undefined },
			clock,
			schedule,
			upstream,
			credentials: new CredentialKeeper(clock.steady),
			turns: new TurnKeeper(),
			warm: async () => undefined,
			enqueue: async () => undefined,
			newTurnId: () => crypto.randomUUID(),
			environment: () => undefined,
			onUnexpected: (_where, error) => unexpected.push(error),
			times: {
				...gatewayTimes,
				headersTimeoutMs: times.silenceMs,
				idleTimeoutMs: times.silenceMs,
				streamSilenceMs: times.silenceMs,
			},
		}),
	);
	app.server.listen(0, '127.0.0.1');
	await app.ready();
	if (!app.server.listening) await once(app.server, 'listening');
	port = (app.server.address() as AddressInfo).port;
	return {
		baseUrl: `http://127.0.0.1:${port}/gateway/${TOKEN}`,
		provider,
		local,
		unexpected,
		get popupCount() {
			return popupCount;
		},
		popups: () => desk.popups(),
		popup: () => nextPopup(desk),
		switchTo: (popup) => {
			desk.switchTo(popup.id, model.id);
		},
		providerView: () => viewOf(health),
		chainView: () => models.view().chains[0] ?? null,
		get modelsNow() {
			return modelsNow;
		},
		later: (ms) => {
			modelsNow += ms;
		},
		close: async () => {
			desk.stop();
			await upstream.close();
			await app.close();
			await Promise.all([provider.close(), local.close()]);
		},
	};
}

const model: ModelFit = {
	id: `ollama/${LOCAL_MODEL}`,
	serverId: 'ollama',
	serverKind: 'ollama',
	model: LOCAL_MODEL,
	name: LOCAL_MODEL,
	context: { inUse: 65_536, max: 262_144 },
	loaded: true,
	sizeBytes: 19e9,
	tools: true,
	tags: ['instruction', 'reasoning'],
	fit: 'COMFORTABLE',
	fitReason: '19 GB of 48 GB',
	checkedAt: 0,
};

function addressOf(provider: ProviderStub, where: Fault['provider']): string {
	if (where === 'unresolvable') return UNRESOLVABLE_URL;
	return where === 'no-tls' ? provider.tlsUrl : provider.url;
}

function nextPopup(desk: Orchestrator): Promise<FailoverPopup> {
	return new Promise((resolve) => {
		const look = (): void => {
			const [open] = desk.popups();
			if (!open) return;
			stop();
			resolve(open);
		};
		const stop = desk.onChange(look);
		look();
	});
}

function viewOf(health: ProviderHealth): ProviderView {
	const [view] = health.views();
	if (!view) throw new Error('the matrix has a provider');
	return view;
}
