/** What the window is told of failover, for tests and pictures: plain builders, changed where the case needs it. */
import type { LocalServerView, ModelFit, ProviderView } from '../../src/shared/capability.ts';
import {
	type Candidate,
	type Comparison,
	type ConsentView,
	emptyFailoverView,
	type FailoverPopup,
	type FailoverView,
	type HeldTurnView,
	type ImproveOffer,
	type LocalRouteView,
	type OutboxEntryView,
} from '../../src/shared/failover-view.ts';

/** Builders whose times lie around `now`, ms. */
export function failoverViews(now: number) {
	const failover = (change: Partial<FailoverView> = {}): FailoverView => ({
		...emptyFailoverView,
		...change,
	});

	const provider = (id: string, change: Partial<ProviderView> = {}): ProviderView => ({
		id,
		name: id === 'anthropic' ? 'Anthropic' : id,
		remote: 'reachable',
		breaker: 'closed',
		reason: '',
		lastSuccessAt: now - 4000,
		lastFailureAt: null,
		nextTrialAt: null,
		calls: 18,
		errors: 0,
		rateLimited: 0,
		p95LatencyMs: 1840,
		retryAfterUntil: null,
		...change,
	});

	const localServer = (id: string, change: Partial<LocalServerView> = {}): LocalServerView => ({
		id,
		kind: 'ollama',
		baseUrl: 'http://127.0.0.1:11434',
		state: 'running',
		problem: '',
		version: '0.12.3',
		models: 2,
		checkedAt: now - 20_000,
		...change,
	});

	const model = (name: string, change: Partial<ModelFit> = {}): ModelFit => ({
		id: `ollama/${name}`,
		serverId: 'ollama',
		serverKind: 'ollama',
		model: name,
		name,
		context: { inUse: 65_536, max: 262_144 },
		loaded: true,
		sizeBytes: 18_556_700_000,
		tools: true,
		tags: ['instruction'],
		fit: 'COMFORTABLE',
		fitReason: 'Needs 21.4 GB of 24 GB of GPU memory.',
		checkedAt: now - 20_000,
		...change,
	});

	const candidate = (name: string, change: Partial<Candidate> = {}): Candidate => ({
		modelId: `ollama/${name}`,
		serverId: 'ollama',
		model: name,
		score: 0.91,
		parts: [
			{ part: 'context', score: 1, why: 'holds this conversation: 41k of 65k tokens' },
			{ part: 'device', score: 1, why: 'fits your GPU' },
			{ part: 'task', score: 0.8, why: 'handles planning tasks' },
			{ part: 'history', score: 0.75, why: '9 of 12 turns kept in this workspace' },
		],
		cold: false,
		excluded: null,
		...change,
	});

	const excluded = (name: string, why: string): Candidate =>
		candidate(name, { score: 0, parts: [], excluded: why });

	const heldTurn = (turnId: string, change: Partial<HeldTurnView> = {}): HeldTurnView => ({
		turnId,
		agentId: 'shop',
		agentName: 'shop',
		model: 'claude-sonnet-4-5',
		activity: 'planning',
		estimatedTokens: 41_200,
		heldSince: now - 12_000,
		heldUntil: now + 108_000,
		state: 'asking',
		cutMidAnswer: false,
		...change,
	});

	const popup = (id: string, change: Partial<FailoverPopup> = {}): FailoverPopup => ({
		id,
		incidentId: `incident-${id}`,
		providerId: 'anthropic',
		providerName: 'Anthropic',
		cause: 'network-lost',
		sentence: "Network lost: Anthropic can't be reached.",
		detail: 'The connection was refused (ECONNREFUSED).',
		openedAt: now - 12_000,
		updatedAt: now - 2000,
		turns: [heldTurn(`${id}-turn`)],
		candidates: [candidate('qwen3-coder:30b')],
		excluded: [],
		recommendation:
			'Continue locally with qwen3-coder:30b: fits your GPU, handles planning tasks. Your conversation carries over.',
		refusal: '',
		waiting: false,
		...change,
	});

	const consent = (id: string, change: Partial<ConsentView> = {}): ConsentView => ({
		id,
		agentId: 'shop',
		agentName: 'shop',
		tool: 'Bash',
		target: 'git push --force origin main',
		directory: '/home/ada/code/shop',
		why: 'It overwrites history on a remote, which cannot be undone from here',
		askedAt: now - 6000,
		expiresAt: now + 24_000,
		...change,
	});

	const route = (change: Partial<LocalRouteView> = {}): LocalRouteView => ({
		sessionKey: 'session-shop',
		agentId: 'shop',
		agentName: 'shop',
		providerId: 'anthropic',
		modelId: 'ollama/qwen3-coder:30b',
		since: now - 240_000,
		turns: 3,
		...change,
	});

	const offer = (id: string, change: Partial<ImproveOffer> = {}): ImproveOffer => ({
		id,
		agentId: 'shop',
		agentName: 'shop',
		providerId: 'anthropic',
		providerName: 'Anthropic',
		cloudModel: 'claude-sonnet-4-5',
		localModel: 'qwen3-coder:30b',
		prompt: 'Plan the move of the basket to the new checkout',
		answeredAt: now - 180_000,
		state: 'offered',
		problem: '',
		...change,
	});

	const comparison = (change: Partial<Comparison> = {}): Comparison => ({
		offer: offer('o', { state: 'ready' }),
		local: { model: 'qwen3-coder:30b', text: 'Three steps: …', at: now - 180_000 },
		cloud: { model: 'claude-sonnet-4-5', text: 'Four steps: …', at: now - 5000 },
		...change,
	});

	const outboxEntry = (idempotencyKey: string, change: Partial<OutboxEntryView> = {}): OutboxEntryView => ({
		idempotencyKey,
		createdAt: now - 300_000,
		kind: 'cloud_turn',
		state: 'pending',
		title: 'shop: Plan the move of the basket',
		detail: 'Anthropic cannot be reached',
		attempts: 2,
		hasAnswer: false,
		nextAttemptAt: now + 22_000,
		progress: null,
		...change,
	});

	return {
		failover,
		provider,
		localServer,
		model,
		candidate,
		excluded,
		heldTurn,
		popup,
		consent,
		route,
		offer,
		comparison,
		outboxEntry,
	};
}
