/** What a model response costs, from the price table of `@pydantic/genai-prices` (bundled: no network). */
import {
	calcPrice,
	findProvider,
	type ModelPrice,
	type PriceCalculationResult,
	type Provider,
	type Usage,
} from '@pydantic/genai-prices';
import { isNothing, NO_TOKENS, type TokenUsage } from './token-usage.ts';

/** Prices one response: US dollars, or `null` when its price is not known. `at`: ms since the epoch. */
export type PriceFunction = (model: string, usage: TokenUsage, at: number) => number | null;

/** Whose price list a client's models are on, where the model's own name leaves a doubt. */
const providerOfClient: Readonly<Record<string, string>> = {
	'claude-code': 'anthropic',
	codex: 'openai',
	'gemini-cli': 'google',
};

/** Bedrock's names carry the region and the vendor before the model: `us.anthropic.claude-…-v1:0`. */
const bedrockName = /^(?:[a-z-]+\.)?(?:anthropic|amazon|meta|mistral|cohere)\./;

/**
 * US dollars for one response of `model`, `null` when the table does not know the model or lacks a rate for what was
 * used: unknown is never 0. Price one response at a time: some models cost more above a context size, which a sum
 * over many responses would cross by mistake.
 */
export function priceUsd(
	model: string,
	usage: TokenUsage,
	at: number,
	client = 'claude-code',
): number | null {
	if (isNothing(usage)) return 0;
	const listed = listedFor(model, client);
	if (!listed) return null;
	const { rates } = listed;
	if (rates !== null && usage.input + usage.cacheRead + usage.cacheCreation < rates.below) {
		const usd = linear(usage, rates);
		return usd === 0 && !rates.isFree ? null : usd;
	}
	const price = calculated(baseName(model), usage, at, listed.provider);
	if (!price || !Number.isFinite(price.total_price)) return null;
	if (price.total_price === 0 && !isFree(price.model_price)) return null;
	return price.total_price;
}

function calculated(
	name: string,
	usage: TokenUsage,
	at: number,
	provider: Provider,
): PriceCalculationResult | null {
	try {
		return calcPrice(tableUsage(usage), name, { provider, timestamp: new Date(at) });
	} catch {
		// The table throws at what it has no rule for: then the price is not known, which the view says.
		return null;
	}
}

interface Listed {
	/** Cut down to the one model: looking it up in the whole table is slow. */
	readonly provider: Provider;
	readonly rates: Rates | null;
}

/** Each name keeps what the table says of it. */
const known = new Map<string, Listed | null>();
/** Names come out of files: a bound, in case one of them makes names up. */
const KNOWN_MODELS = 500;

function listedFor(model: string, client: string): Listed | null {
	const key = `${client} ${model}`;
	const cached = known.get(key);
	if (cached !== undefined) return cached;
	const name = baseName(model);
	const hint = bedrockName.test(name) ? 'aws' : providerOfClient[client];
	const provider = lookUp(name, hint) ?? lookUp(name, undefined);
	if (known.size >= KNOWN_MODELS) known.clear();
	const listed = provider && { provider, rates: ratesOf(name, provider) };
	known.set(key, listed);
	return listed;
}

function lookUp(name: string, providerId: string | undefined): Provider | null {
	if (name === '' || name.length > 200) return null;
	const provider = findProvider(providerId === undefined ? { modelId: name } : { providerId });
	if (!provider) return null;
	const match = calcPrice({ input_tokens: 1 }, name, { provider });
	return match ? { ...match.provider, models: [match.model] } : null;
}

/** US dollars for one of each, of a model whose price depends on nothing but these counts. */
interface Rates {
	readonly each: TokenUsage;
	/** Of a context of fewer input tokens than this, cached ones included. */
	readonly below: number;
	readonly isFree: boolean;
}

/** Small enough for the lowest step of every price. */
const PROBE = 1_000;

/**
 * Asked of the table itself, a count at a time: its own calculation takes longer than reading the response. `null` where
 * the price depends on the date or the time of day too.
 */
function ratesOf(name: string, provider: Provider): Rates | null {
	const prices = provider.models[0]?.prices;
	if (prices === undefined || Array.isArray(prices)) return null;
	const steps = Object.values(prices).flatMap((price) =>
		typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
	);
	const below = Math.min(Number.POSITIVE_INFINITY, ...steps);
	if (below <= PROBE) return null;
	const each = { ...NO_TOKENS };
	for (const count of Object.keys(each) as (keyof TokenUsage)[]) {
		const usage = { ...NO_TOKENS, [count]: PROBE };
		// What is kept for an hour is a part of what was written.
		if (count === 'cacheCreation1h') usage.cacheCreation = PROBE;
		const price = calculated(name, usage, 0, provider);
		if (price === null || !Number.isFinite(price.total_price)) return null;
		each[count] = price.total_price / PROBE;
	}
	return { each, below, isFree: isFree(prices) };
}

function linear(usage: TokenUsage, { each }: Rates): number {
	const forAnHour = Math.min(usage.cacheCreation1h, usage.cacheCreation);
	return (
		usage.input * each.input +
		usage.output * each.output +
		usage.cacheRead * each.cacheRead +
		(usage.cacheCreation - forAnHour) * each.cacheCreation +
		forAnHour * each.cacheCreation1h +
		usage.webSearches * each.webSearches
	);
}

/** Without the client's own suffixes, such as `[1m]` for the long context, and in the table's lower case. */
function baseName(model: string): string {
	return model
		.trim()
		.replace(/\[[^\]]*\]$/, '')
		.toLowerCase();
}

/** The table counts cached tokens as part of the input, and the hour's cache as part of what was written. */
function tableUsage(usage: TokenUsage): Usage {
	return {
		input_tokens: usage.input + usage.cacheRead + usage.cacheCreation,
		cache_read_tokens: usage.cacheRead,
		cache_write_tokens: usage.cacheCreation,
		cache_write_1h_tokens: Math.min(usage.cacheCreation1h, usage.cacheCreation),
		output_tokens: usage.output,
		web_searches: usage.webSearches,
	};
}

/** A model that is really free has no rate above 0; any other price of 0 only says that a rate is missing. */
function isFree(rates: ModelPrice): boolean {
	return Object.values(rates).every((rate) => rate === undefined || rate === 0);
}
