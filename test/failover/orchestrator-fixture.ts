/** An orchestrator on virtual time with the real provider health, and small ways to make turns fail. */
import type { CallOutcome, CallOutcomeKind, CallTicket } from '../../src/main/failover/call.ts';
import type { Failure, HeldDecision, HeldTurn, TurnFacts } from '../../src/main/failover/desk.ts';
import type { FailoverEvent } from '../../src/main/failover/failover-event.ts';
import { Orchestrator } from '../../src/main/failover/orchestrator.ts';
import type { CloudAnswer, OrchestratorParts } from '../../src/main/failover/orchestrator-parts.ts';
import { ProviderHealth } from '../../src/main/failover/provider-health.ts';
import { IncidentBook } from '../../src/main/floor/incidents.ts';
import type { LocalServerView, ModelFit } from '../../src/shared/capability.ts';
import {
	type FailoverSettings,
	failoverSettingsSchema,
	type ProviderSettings,
} from '../../src/shared/failover-settings.ts';

/** Both clocks and all timers. Microtasks run after every timer. */
export class VirtualTime {
	now = 1_000_000;
	#timers: { at: number; work: () => void }[] = [];

	readonly clock = { wall: () => this.now + 1_700_000_000_000, steady: () => this.now };
	readonly schedule = (ms: number, work: () => void): (() => void) => {
		const timer = { at: this.now + Math.max(0, ms), work };
		this.#timers.push(timer);
		return () => {
			this.#timers = this.#timers.filter((one) => one !== timer);
		};
	};

	get timers(): number {
		return this.#timers.length;
	}

	async advance(ms: number): Promise<void> {
		const end = this.now + ms;
		for (;;) {
			const [next] = this.#timers.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
			if (!next) break;
			this.#timers = this.#timers.filter((one) => one !== next);
			this.now = Math.max(this.now, next.at);
			next.work();
			await settled();
		}
		this.now = end;
		await settled();
	}

	/** The machine sleeps: the clocks go on, the timers fire when it is awake again. */
	async sleep(ms: number): Promise<void> {
		this.now += ms;
		await this.advance(0);
	}
}

export async function settled(): Promise<void> {
	for (let round = 0; round < 5; round += 1) await Promise.resolve();
}

export function modelFit(name: string, change: Partial<ModelFit> = {}): ModelFit {
	return {
		id: `ollama/${name}`,
		serverId: 'ollama',
		serverKind: 'ollama',
		model: name,
		name,
		context: { inUse: 65_536, max: 262_144 },
		loaded: true,
		sizeBytes: 19_000_000_000,
		tools: true,
		tags: ['reasoning', 'instruction'],
		fit: 'COMFORTABLE',
		fitReason: 'Fits your GPU: about 19 GB of 24 GB GPU memory.',
		checkedAt: 0,
		...change,
	};
}

export function serverView(id: string, change: Partial<LocalServerView> = {}): LocalServerView {
	return {
		id,
		kind: 'ollama',
		baseUrl: 'http://127.0.0.1:11434',
		state: 'running',
		problem: '',
		version: '0.13.3',
		models: 1,
		checkedAt: 0,
		...change,
	};
}

let serial = 0;

export function turnFacts(change: Partial<TurnFacts> = {}): TurnFacts {
	serial += 1;
	return {
		turnId: `turn-${serial}`,
		sessionKey: 'session-1',
		isAttributed: true,
		subagentId: null,
		agentId: 'agent-1',
		agentName: 'shop',
		workspace: '/shop',
		providerId: 'anthropic',
		protocol: 'anthropic-messages',
		model: 'claude-sonnet-4-5',
		isStream: true,
		offersTools: true,
		estimatedTokens: 20_000,
		maxOutputTokens: 32_000,
		activity: 'planning',
		inputHash: `hash-${serial}`,
		prompt: 'Plan the checkout',
		isAuxiliary: false,
		startedAt: 0,
		...change,
	};
}

export function outcomeOf(kind: CallOutcomeKind, change: Partial<CallOutcome> = {}): CallOutcome {
	const status = kind === 'ok' ? 200 : kind === 'error' ? 529 : null;
	const code = kind === 'ok' ? '' : kind === 'error' ? 'overloaded_error' : 'ECONNREFUSED';
	return { kind, status, code, latencyMs: kind === 'ok' ? 100 : null, retryAfterMs: null, ...change };
}

export function failureOf(kind: CallOutcomeKind = 'lost', change: Partial<CallOutcome> = {}): Failure {
	const outcome = outcomeOf(kind, change);
	return {
		cause: kind === 'lost' ? 'network-lost' : kind === 'cut' ? 'stream-cut' : 'provider-error',
		outcome,
		detail: `The call failed (${outcome.code}).`,
		cutMidAnswer: kind === 'cut',
	};
}

export interface Fixture {
	readonly time: VirtualTime;
	readonly desk: Orchestrator;
	readonly health: ProviderHealth;
	readonly book: IncidentBook;
	readonly events: FailoverEvent[];
	readonly verdicts: { workspace: string; modelId: string; accepted: boolean; turnId: string }[];
	/** Calls of `probingPaused`. */
	readonly paused: boolean[];
	/** Changed by tests at any time. */
	models: ModelFit[];
	servers: LocalServerView[];
	settings: FailoverSettings;
	providers: ProviderSettings[];
	cloudAnswer: () => Promise<CloudAnswer>;
	changes: number;
	/** A first try at the provider fails: routed, settled, held, and `next` asked. */
	lose(facts?: TurnFacts, failure?: Failure): Waiting;
	/** A turn that its gateway could not get answered. */
	hold(facts: TurnFacts, failure: Failure): Waiting;
	/** A turn of a session is answered by its provider at its first try. */
	answer(facts?: TurnFacts): void;
	/** A call of some session ends so. */
	call(kind: CallOutcomeKind, providerId?: string): void;
}

export function fixture(change: Partial<OrchestratorParts> = {}): Fixture {
	const time = new VirtualTime();
	const { clock, schedule } = time;
	const health = new ProviderHealth({
		providers: () => self.providers,
		clock,
		random: () => 0.5,
		onChange: (providerId) => desk.providerChanged(providerId),
	});
	const book = new IncidentBook(() => {});
	const events: FailoverEvent[] = [];
	const verdicts: Fixture['verdicts'] = [];
	const paused: boolean[] = [];
	const desk: Orchestrator = new Orchestrator({
		clock,
		schedule,
		random: () => 0.5,
		gate: health,
		incidents: book,
		settings: () => self.settings,
		providerName: (id) => (id === 'anthropic' ? 'Anthropic' : 'OpenAI'),
		providerIds: () => self.providers.map(({ id }) => id),
		localModels: () => ({ models: self.models, servers: self.servers }),
		acceptance: () => null,
		recordAcceptance: (workspace, modelId, accepted, turnId) => {
			verdicts.push({ workspace, modelId, accepted, turnId });
		},
		probingPaused: (isPaused) => paused.push(isPaused),
		askCloud: () => self.cloudAnswer(),
		...change,
	});
	const self: Fixture = {
		time,
		desk,
		health,
		book,
		events,
		verdicts,
		paused,
		models: [modelFit('qwen3-coder:30b')],
		servers: [serverView('ollama')],
		settings: failoverSettingsSchema.parse({}),
		providers: ['anthropic', 'openai'].map((id) => ({
			id,
			name: id === 'anthropic' ? 'Anthropic' : 'OpenAI',
			baseUrl: `https://${id}.example`,
			protocols: ['anthropic-messages' as const],
		})),
		cloudAnswer: async () => ({ kind: 'answered', model: 'claude-sonnet-4-5', text: 'The better plan.' }),
		changes: 0,
		lose: (facts = turnFacts(), failure = failureOf()) => {
			const route = desk.route(facts);
			if (route.to === 'local') throw new Error('The session goes on locally.');
			if (route.to === 'provider') desk.settle(route.ticket, failure.outcome);
			return new Waiting(desk, facts, route.to === 'hold' ? route.failure : failure);
		},
		answer: (facts = turnFacts({ sessionKey: 'another' })) => {
			const route = desk.route(facts);
			if (route.to !== 'provider') throw new Error(`It went to ${route.to}.`);
			desk.settle(route.ticket, outcomeOf('ok'));
			desk.ended(facts, { kind: 'answered', harness: 'cloud', at: facts.providerId, model: facts.model });
		},
		hold: (facts, failure) => new Waiting(desk, facts, failure),
		call: (kind, providerId = 'anthropic') => {
			const admission = health.admit(providerId);
			if (admission.ticket) desk.settle(admission.ticket, outcomeOf(kind));
		},
	};
	desk.onEvent((event) => events.push(event));
	desk.onChange(() => {
		self.changes += 1;
	});
	return self;
}

/** A turn as its gateway holds it: the last decision, and how to go on. */
export class Waiting {
	readonly facts: TurnFacts;
	readonly held: HeldTurn;
	/** `null`: still waits. */
	decision: HeldDecision | null = null;
	/** All decisions so far. */
	readonly decisions: HeldDecision[] = [];
	readonly #desk: Orchestrator;
	/** The failure that it was held for. */
	readonly failure: Failure;

	constructor(desk: Orchestrator, facts: TurnFacts, failure: Failure) {
		this.#desk = desk;
		this.facts = facts;
		this.failure = failure;
		this.held = desk.hold(facts);
		this.next(failure);
	}

	next(failure: Failure): void {
		this.decision = null;
		this.held.next(failure).then((decision) => {
			this.decision = decision;
			this.decisions.push(decision);
		});
	}

	/** The ticket of the retry that it was sent on. */
	get ticket(): CallTicket {
		if (this.decision?.kind !== 'provider') throw new Error(`It was not sent to the provider: ${this.kind}.`);
		return this.decision.ticket;
	}

	get kind(): HeldDecision['kind'] | 'waits' {
		return this.decision?.kind ?? 'waits';
	}

	/** The retry failed as well. */
	failAgain(failure = failureOf()): void {
		this.#desk.settle(this.ticket, failure.outcome);
		this.next(failure);
	}

	/** The try under way is not wanted any more. */
	get isCalledOff(): boolean {
		const { decision } = this;
		if (decision?.kind !== 'provider' && decision?.kind !== 'local') throw new Error('No try is under way.');
		return decision.abandon?.aborted ?? false;
	}

	/** What a gateway does with a try that was called off. */
	breakOff(): void {
		if (this.decision?.kind === 'provider') this.#desk.settle(this.ticket, outcomeOf('neutral'));
		this.next(this.failure);
	}

	/** The retry was answered. */
	succeed(): void {
		this.#desk.settle(this.ticket, outcomeOf('ok'));
		this.held.answering?.();
		this.held.release({
			kind: 'answered',
			harness: 'cloud',
			at: this.facts.providerId,
			model: this.facts.model,
		});
	}

	/** The local model answered. */
	answerLocally(text = 'A plan.'): void {
		if (this.decision?.kind !== 'local') throw new Error(`It was not sent to a local model: ${this.kind}.`);
		const { model } = this.decision;
		this.held.answering?.();
		this.#desk.answeredLocally(this.facts, model, text);
		this.held.release({ kind: 'answered', harness: 'local', at: model.serverId, model: model.model });
	}

	leave(): void {
		this.held.release({ kind: 'client-left' });
	}
}

/** The one popup that is open. */
export function onlyPopup({ desk }: Pick<Fixture, 'desk'>) {
	const [popup, ...others] = desk.popups();
	if (!popup || others.length > 0) throw new Error(`${desk.popups().length} popups are open.`);
	return popup;
}
