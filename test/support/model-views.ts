/** What the window is told of model chains, for tests and pictures: plain builders, changed where the case needs it. */
import {
	type ChainModelView,
	emptyModelsView,
	type ModelCategory,
	type ModelChainView,
	type ModelsView,
} from '../../src/shared/models-view.ts';

const MINUTE = 60_000;
/** Seed 000, "Problem". */
const categories: Readonly<Record<string, ModelCategory>> = {
	'claude-sonnet-5': 'versatile',
	'claude-opus-4.8': 'powerful',
	'gpt-5.4': 'powerful',
	'gpt-5.4-mini': 'lightweight',
	'gpt-5-mini': 'lightweight',
};

/** Builders whose times lie around `now`, ms. */
export function modelViews(now: number) {
	const models = (chains: readonly ModelChainView[] = [], change: Partial<ModelsView> = {}): ModelsView => ({
		...emptyModelsView,
		chains: [...chains],
		...change,
	});

	const chainModel = (model: string, change: Partial<ChainModelView> = {}): ChainModelView => ({
		model,
		category: categories[model] ?? 'unknown',
		state: 'ready',
		until: null,
		why: '',
		...change,
	});

	/** The seed's chain on its preferred model. */
	const chain = (change: Partial<ModelChainView> = {}): ModelChainView => ({
		id: 'claude-sonnet-5',
		provider: null,
		preferredModel: 'claude-sonnet-5',
		fallbackChain: ['gpt-5.4-mini', 'gpt-5-mini'],
		cooldownMinutes: 10,
		state: 'closed',
		currentFallbackIndex: 0,
		openedAt: null,
		halfOpenSuccesses: 0,
		consecutiveFailures: 0,
		metrics: { totalFallbacks: 0, totalRecoveries: 0, lastFallbackAt: null, lastRecoveryAt: null },
		modelInUse: 'claude-sonnet-5',
		why: '',
		resumeAt: null,
		waitUntil: null,
		probe: null,
		held: false,
		spendLimit: null,
		models: [
			chainModel('claude-sonnet-5', { state: 'in-use' }),
			chainModel('gpt-5.4-mini'),
			chainModel('gpt-5-mini'),
		],
		source: 'settings',
		repositories: [],
		...change,
	});

	/** Limited four minutes ago; the first fallback stands in. */
	const open = (change: Partial<ModelChainView> = {}): ModelChainView =>
		chain({
			state: 'open',
			openedAt: now - 4 * MINUTE,
			consecutiveFailures: 1,
			metrics: {
				totalFallbacks: 3,
				totalRecoveries: 2,
				lastFallbackAt: now - 4 * MINUTE,
				lastRecoveryAt: now - 65 * MINUTE,
			},
			modelInUse: 'gpt-5.4-mini',
			why: 'claude-sonnet-5 is rate-limited by anthropic (“This request would exceed your rate limit of 50 requests a minute”): gpt-5.4-mini stands in.',
			resumeAt: now + 432_000,
			models: [
				chainModel('claude-sonnet-5', { state: 'limited', until: now + 432_000 }),
				chainModel('gpt-5.4-mini', { state: 'in-use' }),
				chainModel('gpt-5-mini'),
			],
			...change,
		});

	/** The cooldown is over; one caller makes the test call. */
	const halfOpen = (change: Partial<ModelChainView> = {}): ModelChainView =>
		open({
			state: 'half-open',
			halfOpenSuccesses: 1,
			resumeAt: null,
			why: 'claude-sonnet-5 was limited and is being tested (1 of 2 successes): meanwhile gpt-5.4-mini stands in.',
			probe: {
				holder: 'the loop in /home/ada/code/shop',
				since: now - 3000,
				until: now + 10 * MINUTE - 3000,
			},
			models: [
				chainModel('claude-sonnet-5'),
				chainModel('gpt-5.4-mini', { state: 'in-use' }),
				chainModel('gpt-5-mini'),
			],
			...change,
		});

	/** Every model of the chain is limited. */
	const exhausted = (change: Partial<ModelChainView> = {}): ModelChainView =>
		open({
			currentFallbackIndex: 1,
			consecutiveFailures: 3,
			modelInUse: null,
			why: 'claude-sonnet-5 is rate-limited by anthropic (“This request would exceed your rate limit of 50 requests a minute”): no fallback can be asked now.',
			waitUntil: now + 102_000,
			models: [
				chainModel('claude-sonnet-5', { state: 'limited', until: now + 432_000 }),
				chainModel('gpt-5.4-mini', { state: 'limited', until: now + 204_000, why: '429' }),
				chainModel('gpt-5-mini', { state: 'limited', until: now + 102_000, why: '429' }),
			],
			...change,
		});

	/** The operator keeps it on the fallback. */
	const held = (change: Partial<ModelChainView> = {}): ModelChainView =>
		open({
			held: true,
			resumeAt: null,
			why: 'You hold claude-sonnet-5 back: gpt-5.4-mini stands in.',
			models: [
				chainModel('claude-sonnet-5', { state: 'skipped', why: 'You hold it back.' }),
				chainModel('gpt-5.4-mini', { state: 'in-use' }),
				chainModel('gpt-5-mini'),
			],
			...change,
		});

	/** Seen limited; no chain names it. */
	const unaided = (change: Partial<ModelChainView> = {}): ModelChainView =>
		open({
			fallbackChain: [],
			modelInUse: null,
			waitUntil: now + 432_000,
			why: 'claude-sonnet-5 is rate-limited by anthropic: it has no fallback, its calls still go through.',
			models: [chainModel('claude-sonnet-5', { state: 'limited', until: now + 432_000 })],
			source: 'seen',
			...change,
		});

	/** No credit. */
	const spent = (change: Partial<ModelChainView> = {}): ModelChainView =>
		chain({
			spendLimit: {
				model: 'claude-sonnet-5',
				said: 'Your credit balance is too low to access the API',
				at: now - 2 * MINUTE,
			},
			...change,
		});

	return { models, chainModel, chain, open, halfOpen, exhausted, held, unaided, spent };
}
