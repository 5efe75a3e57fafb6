/** The gateway on a real listener, before a stub provider and a stub local server, with a desk and a clock that the test turns. */

import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { HeldDecision, TurnFacts } from '../../src/main/failover/desk.ts';
import { CredentialKeeper } from '../../src/main/gateway/credentials.ts';
import {
	type CountedAnswer,
	type GatewayOptions,
	gatewayTimes,
	type ModelCall,
} from '../../src/main/gateway/options.ts';
import { protocols } from '../../src/main/gateway/protocols/all.ts';
import { gatewayRoutes } from '../../src/main/gateway/routes.ts';
import { type KeptRequest, TurnKeeper } from '../../src/main/gateway/turn-keeper.ts';
import { Upstream } from '../../src/main/gateway/upstream.ts';
import { ModelBreakers } from '../../src/main/models/model-breakers.ts';
import type { ModelFit } from '../../src/shared/capability.ts';
import { type Settings, settingsSchema } from '../../src/shared/settings.ts';
import { type ProviderStub, startProviderStub } from '../support/provider-stub.ts';
import { ScriptedDesk, TurnedClock } from './scripted-desk.ts';

export const TOKEN = 'agent-token-of-the-test';
export const SECRET = 'sk-ant-very-secret';

export interface Reply {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly rawHeaders: readonly string[];
	readonly body: Buffer;
	readonly text: string;
	/** The connection broke before the answer's end. */
	readonly broke: boolean;
}

export interface Call {
	readonly reply: Promise<Reply>;
	/** Head as soon as it is there. */
	readonly head: Promise<IncomingMessage>;
	/** What came so far. */
	text(): string;
	/** Resolves when what came so far holds this. */
	shows(text: string): Promise<void>;
	leave(): void;
}

export class GatewayFixture {
	readonly provider: ProviderStub;
	readonly local: ProviderStub;
	readonly desk = new ScriptedDesk();
	readonly time = new TurnedClock();
	readonly modelCalls: ModelCall[] = [];
	counted: CountedAnswer[] = [];
	onCounted: (answer: CountedAnswer) => void = (answer) => this.counted.push(answer);
	readonly unexpected: unknown[] = [];
	readonly warmed: string[] = [];
	readonly enqueued: { readonly facts: TurnFacts; readonly request: KeptRequest }[] = [];
	readonly turns = new TurnKeeper();
	readonly credentials: CredentialKeeper;
	readonly upstream = new Upstream();
	readonly app: FastifyInstance;
	settings: Settings;
	environment: Record<string, string> = {};
	refusal: string | null = null;
	times = gatewayTimes;
	readonly standingListeners = new Set<() => void>();
	agents = new Map<string, { agentId: string; agentName: string; workspace: string }>();
	warm: (model: ModelFit) => Promise<void> = async (model) => {
		this.warmed.push(model.id);
	};
	enqueue: GatewayOptions['enqueue'] = async (facts, request) => {
		this.enqueued.push({ facts, request });
	};
	readonly models: ModelBreakers;
	port = 0;

	private constructor(provider: ProviderStub, local: ProviderStub) {
		this.provider = provider;
		this.local = local;
		this.credentials = new CredentialKeeper(() => this.time.clock.steady());
		this.settings = settingsSchema.parse({
			providers: [
				{
					id: 'anthropic',
					name: 'Anthropic',
					baseUrl: provider.url,
					protocols: ['anthropic-messages', 'openai-chat', 'openai-responses'],
				},
			],
			localServers: [{ id: 'ollama', kind: 'ollama', baseUrl: local.url }],
		});
		this.models = new ModelBreakers({
			settings: () => this.settings.models,
			now: () => this.time.anchored,
			random: () => 0,
		});
		this.app = Fastify({ forceCloseConnections: true });
	}

	static async start(): Promise<GatewayFixture> {
		const fixture = new GatewayFixture(await startProviderStub(), await startProviderStub());
		let turn = 0;
		await fixture.app.register((routes) =>
			gatewayRoutes(routes, {
				agentToken: TOKEN,
				ownPort: () => fixture.port,
				settings: () => fixture.settings,
				protocols,
				desk: fixture.desk,
				models: fixture.models,
				floor: {
					find: (client, sessionKey) => fixture.agents.get(`${client} ${sessionKey}`) ?? null,
					refusal: () => fixture.refusal,
					onStanding: (listener) => {
						fixture.standingListeners.add(listener);
						return () => fixture.standingListeners.delete(listener);
					},
					modelCall: (call) => fixture.modelCalls.push(call),
					counted: (answer) => fixture.onCounted(answer),
				},
				clock: fixture.time.clock,
				schedule: fixture.time.schedule,
				upstream: fixture.upstream,
				credentials: fixture.credentials,
				turns: fixture.turns,
				warm: (model) => fixture.warm(model),
				enqueue: (facts, request) => fixture.enqueue(facts, request),
				newTurnId: () => {
					turn += 1;
					return `turn-${turn}`;
				},
				environment: (name) => fixture.environment[name],
				onUnexpected: (where, error) => fixture.unexpected.push({ where, error }),
				get times() {
					return fixture.times;
				},
			}),
		);
		await fixture.app.listen({ host: '127.0.0.1', port: 0 });
		fixture.port = (fixture.app.server.address() as AddressInfo).port;
		return fixture;
	}

	async dispose(): Promise<void> {
		await this.upstream.close();
		await this.app.close();
		await this.provider.close();
		await this.local.close();
	}

	/** The operator stops the agent of session s1. */
	stop(reason = 'The operator stopped this agent.'): void {
		this.agents.set('claude-code s1', { agentId: 'a1', agentName: 'App', workspace: '/w' });
		this.refusal = reason;
		for (const listener of [...this.standingListeners]) listener();
	}

	/** A model of the local server. */
	model(fields: Partial<ModelFit> = {}): ModelFit {
		return {
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
			fitReason: 'fits',
			checkedAt: 0,
			...fields,
		};
	}

	local30b(isFirst = true, abandon?: AbortSignal): HeldDecision {
		return { kind: 'local', model: this.model(), isFirst, ...(abandon && { abandon }) };
	}

	again(abandon?: AbortSignal): HeldDecision {
		return { kind: 'provider', ticket: this.desk.ticket(), ...(abandon && { abandon }) };
	}

	/** A turn as Claude Code asks for it. */
	ask(options: Partial<AskOptions> = {}): Call {
		const body = {
			model: 'claude-sonnet-4-5',
			max_tokens: 8_000,
			stream: options.stream ?? true,
			messages: [{ role: 'user', content: 'Write the parser.' }],
			tools: [{ name: 'Bash', description: 'runs', input_schema: { type: 'object' } }],
			...options.fields,
		};
		return this.send({
			path: `/gateway/${TOKEN}${options.under ?? ''}${options.path ?? '/v1/messages?beta=true'}`,
			body: JSON.stringify(body),
			...(options.headers && { headers: options.headers }),
		});
	}

	send({ method = 'POST', path, headers = {}, body = '' }: SendOptions): Call {
		const chunks: Buffer[] = [];
		const wakes = new Set<() => void>();
		const text = (): string => Buffer.concat(chunks).toString('utf8');
		const outgoing = httpRequest({
			host: '127.0.0.1',
			port: this.port,
			method,
			path,
			agent: false,
			headers: {
				'user-agent': 'claude-cli/2.1.197 (external, cli)',
				'x-api-key': SECRET,
				'anthropic-version': '2023-06-01',
				'x-claude-code-session-id': 's1',
				...(method === 'POST' && { 'content-type': 'application/json' }),
				...headers,
			},
		});
		const head = new Promise<IncomingMessage>((resolve, reject) => {
			outgoing.once('response', resolve);
			outgoing.once('error', reject);
		});
		const reply = head.then(async (response): Promise<Reply> => {
			response.on('data', (chunk: Buffer) => {
				chunks.push(chunk);
				for (const wake of wakes) wake();
				wakes.clear();
			});
			let broke = false;
			response.on('error', () => {
				broke = true;
			});
			await once(response, 'close');
			for (const wake of wakes) wake();
			const whole = Buffer.concat(chunks);
			const { statusCode: status = 0, headers: got, rawHeaders } = response;
			return { status, headers: got, rawHeaders, body: whole, text: text(), broke };
		});
		// A call that is left on purpose is asked for nothing any more.
		head.catch(() => {});
		reply.catch(() => {});
		outgoing.end(body);
		return {
			reply,
			head,
			text,
			shows: async (wanted) => {
				while (!text().includes(wanted)) await new Promise<void>((resolve) => wakes.add(resolve));
			},
			leave: () => outgoing.destroy(),
		};
	}
}

export interface AskOptions {
	readonly stream: boolean;
	/** Between token and path: "/as/reviewer". */
	readonly under: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly fields: Readonly<Record<string, unknown>>;
}

export interface SendOptions {
	readonly method?: string;
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Buffer;
}

/** Waits until it is so; the test's own time limit is the only one. */
export async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
