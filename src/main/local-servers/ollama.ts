/** Ollama: `/api/tags`, `/api/ps`, `/api/version`, and `/api/show` once for each model that it has. */
import { z } from 'zod';
import { isSuccess } from './local-http.ts';
import { fieldOf, looseCount, looseObject, looseText, looseTexts, readList } from './loose-fields.ts';
import { isChatName } from './model-tags.ts';
import { type ModelFacts, misread, namedModel, type ServerAddress, type ServerReading } from './reading.ts';

const tagSchema = z.looseObject({
	name: z.string().min(1).max(300),
	digest: looseText,
	size: looseCount,
	remote_host: looseText,
	remote_model: looseText,
});
export type OllamaTag = z.infer<typeof tagSchema>;

const runningSchema = z.looseObject({
	name: z.string().min(1).max(300),
	size: looseCount,
	size_vram: z.int().nonnegative().nullable().catch(null),
	context_length: looseCount,
});
export type OllamaRunning = z.infer<typeof runningSchema>;

const showSchema = z.looseObject({
	capabilities: looseTexts.nullable(),
	model_info: looseObject,
	parameters: z.string().catch(''),
});

/** What `/api/show` tells of a model; it changes only with the model's digest. */
export interface OllamaShow {
	/** `null`: a version that does not tell them. */
	readonly capabilities: readonly string[] | null;
	readonly maxContext: number | null;
	/** `num_ctx` of the model file: the context it gets whenever nobody asks for another one. */
	readonly ownContext: number | null;
	readonly bytesPerToken: number | null;
}

/** `/api/tags`; `null` when it has another shape. A server without models says `null` or an empty list. */
export function parseTags(json: unknown): OllamaTag[] | null {
	const models = fieldOf(json, 'models');
	return models === null ? [] : readList(tagSchema, models);
}

/** `/api/ps`; `null` when it has another shape. */
export function parseRunning(json: unknown): OllamaRunning[] | null {
	const models = fieldOf(json, 'models');
	return models === null ? [] : readList(runningSchema, models);
}

export function parseVersion(json: unknown): string | null {
	return looseText.parse(fieldOf(json, 'version'));
}

/** `/api/show`; `null` when it has another shape. */
export function parseShow(json: unknown): OllamaShow | null {
	const read = showSchema.safeParse({ capabilities: null, ...objectOf(json) });
	if (!read.success || fieldOf(json, 'model_info') === undefined) return null;
	const { capabilities, model_info, parameters } = read.data;
	const architecture = architectureOf(model_info);
	const own = /^\s*num_ctx\s+(\d{1,9})\s*$/m.exec(parameters)?.[1];
	return {
		capabilities: fieldOf(json, 'capabilities') === undefined ? null : capabilities,
		maxContext: looseCount.parse(model_info[`${architecture}.context_length`]),
		ownContext: looseCount.parse(own === undefined ? null : Number(own)),
		bytesPerToken: bytesPerToken(model_info, architecture),
	};
}

function objectOf(json: unknown): Record<string, unknown> {
	return looseObject.parse(json);
}

/** Named by the model; else the first prefix that has a context length. */
function architectureOf(info: Readonly<Record<string, unknown>>): string {
	const named = looseText.parse(info['general.architecture']);
	if (named !== null) return named;
	const field = Object.keys(info).find((key) => key.endsWith('.context_length')) ?? '';
	return field.replace(/\.context_length$/, '');
}

const BYTES_OF_A_VALUE = 2;

/**
 * Keys and values of every layer at 16 bits. Rather too high: layers with a sliding window keep less.
 * `null` when the architecture does not say enough.
 */
function bytesPerToken(info: Readonly<Record<string, unknown>>, architecture: string): number | null {
	const count = (name: string) => looseCount.parse(info[`${architecture}.${name}`]);
	const layers = count('block_count');
	const heads = count('attention.head_count');
	const width = count('embedding_length');
	const headSize = heads === null || width === null ? null : Math.ceil(width / heads);
	const keySize = count('attention.key_length') ?? headSize;
	const valueSize = count('attention.value_length') ?? keySize;
	if (layers === null || keySize === null || valueSize === null) return null;
	const perLayer = z.array(z.int().nonnegative()).safeParse(info[`${architecture}.attention.head_count_kv`]);
	const keyHeads = perLayer.success
		? perLayer.data.reduce((sum, headsOfLayer) => sum + headsOfLayer, 0)
		: layers * (count('attention.head_count_kv') ?? heads ?? 0);
	return keyHeads === 0 ? null : keyHeads * (keySize + valueSize) * BYTES_OF_A_VALUE;
}

/**
 * One model from what the three answers say of it; `null` when it cannot chat here: a cloud model that is only passed
 * on (`remote_host`), or one without completion (embeddings). `running`: `undefined` when `/api/ps` could not be read.
 */
export function ollamaModel(
	tag: OllamaTag,
	running: OllamaRunning | null | undefined,
	show: OllamaShow | null,
): ModelFacts | null {
	const can = show?.capabilities ?? null;
	const chats = can === null || can.length === 0 ? isChatName(tag.name) : can.includes('completion');
	if (isCloud(tag) || !chats) return null;
	const memory =
		running?.size == null || running.size_vram === null
			? null
			: { total: running.size, gpu: Math.min(running.size, running.size_vram) };
	return {
		...namedModel(tag.name),
		context: {
			// Not loaded: what the model file asks for, else nobody knows before it is loaded.
			inUse: running ? running.context_length : (show?.ownContext ?? null),
			max: show?.maxContext ?? null,
		},
		loaded: running === undefined ? null : running !== null,
		sizeBytes: tag.size,
		tools: can === null ? null : can.includes('tools'),
		thinking: can === null ? null : can.includes('thinking'),
		bytesPerToken: show?.bytesPerToken ?? null,
		memory,
	};
}

function isCloud(tag: OllamaTag): boolean {
	return tag.remote_host !== null || tag.remote_model !== null;
}

/** Questions for `/api/show` under way at one time. */
const SHOWS_AT_ONCE = 4;

export class OllamaReader {
	readonly #at: ServerAddress;
	/** By name and digest. */
	#shows = new Map<string, OllamaShow>();

	constructor(at: ServerAddress) {
		this.#at = at;
	}

	async read(signal: AbortSignal): Promise<ServerReading> {
		const ask = (path: string) => this.#at.http.ask({ ...this.#at, path, signal });
		const [tags, running, version] = await Promise.all([
			ask('/api/tags'),
			ask('/api/ps'),
			ask('/api/version'),
		]);
		const read = tags.kind === 'json' && isSuccess(tags.status) ? parseTags(tags.json) : null;
		if (read === null) return misread('ollama', '/api/tags', tags);
		await this.#learn(read, signal);
		const loaded = running.kind === 'json' ? parseRunning(running.json) : null;
		return {
			state: 'running',
			version: version.kind === 'json' ? parseVersion(version.json) : null,
			problem: '',
			models: read.flatMap((tag) => {
				const here = loaded === null ? undefined : (loaded.find((each) => each.name === tag.name) ?? null);
				const model = ollamaModel(tag, here, this.#shows.get(keyOf(tag)) ?? null);
				return model === null ? [] : [model];
			}),
		};
	}

	/** Asks about models that were not seen before; what does not come in time is asked at the next look. */
	async #learn(tags: readonly OllamaTag[], signal: AbortSignal): Promise<void> {
		const known = new Map<string, OllamaShow>();
		const unknown: OllamaTag[] = [];
		for (const tag of tags) {
			const show = this.#shows.get(keyOf(tag));
			if (show) known.set(keyOf(tag), show);
			else if (!isCloud(tag)) unknown.push(tag);
		}
		const work = async () => {
			for (let tag = unknown.shift(); tag && !signal.aborted; tag = unknown.shift()) {
				const reply = await this.#at.http.ask({
					...this.#at,
					path: '/api/show',
					body: { model: tag.name },
					signal,
				});
				const show = reply.kind === 'json' && isSuccess(reply.status) ? parseShow(reply.json) : null;
				if (show) known.set(keyOf(tag), show);
			}
		};
		await Promise.all(Array.from({ length: SHOWS_AT_ONCE }, work));
		this.#shows = known;
	}
}

function keyOf(tag: OllamaTag): string {
	return `${tag.name}\n${tag.digest ?? ''}`;
}
