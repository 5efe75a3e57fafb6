/**
 * llama.cpp's server: `/health` (503 while it loads), `/props` and `/v1/models` with one model; a router of many models
 * is known by the `status` of each entry in `/models`.
 */
import { z } from 'zod';
import { isSuccess, type Reply } from './local-http.ts';
import {
	anything,
	fieldOf,
	looseBoolean,
	looseCount,
	looseText,
	looseTexts,
	readList,
} from './loose-fields.ts';
import { isChatName } from './model-tags.ts';
import { type ModelFacts, misread, namedModel, type ServerAddress, type ServerReading } from './reading.ts';

const statusSchema = z
	.looseObject({
		value: z.string(),
		args: looseTexts,
		failed: looseBoolean,
		exit_code: z.int().nullable().catch(null),
	})
	.nullable()
	.catch(null);
const entrySchema = z.looseObject({
	id: z.string().min(1).max(300),
	meta: anything,
	status: statusSchema,
});
export type LlamaEntry = z.infer<typeof entrySchema>;

/** `/v1/models` and `/models`; `null` when it has another shape. */
export function parseEntries(json: unknown): LlamaEntry[] | null {
	return readList(entrySchema, fieldOf(json, 'data'))?.filter((entry) => isChatName(entry.id)) ?? null;
}

export interface LlamaProps {
	/** Of one slot: what a prompt really gets, tokens. */
	readonly context: number | null;
	/** Unloaded until the next request. */
	readonly isSleeping: boolean | null;
	/** False: it takes the tools of a request and drops them without a word. */
	readonly tools: boolean | null;
	readonly version: string | null;
}

/** `/props`; every field `null` when it has another shape. */
export function parseProps(json: unknown): LlamaProps {
	const caps = fieldOf(json, 'chat_template_caps');
	return {
		context: looseCount.parse(fieldOf(fieldOf(json, 'default_generation_settings'), 'n_ctx')),
		isSleeping: looseBoolean.parse(fieldOf(json, 'is_sleeping')),
		tools: looseBoolean.parse(fieldOf(caps, 'supports_tools') ?? fieldOf(caps, 'supports_tool_calls')),
		version: looseText.parse(fieldOf(json, 'build_info')),
	};
}

/** `/health`: `null` when it is not the health of a llama.cpp server. */
export function parseHealth(status: number, json: unknown): 'ok' | 'loading' | null {
	if (status === 503) {
		const isSaid = fieldOf(json, 'error') !== undefined || fieldOf(json, 'status') !== undefined;
		return isSaid ? 'loading' : null;
	}
	return status === 200 && typeof fieldOf(json, 'status') === 'string' ? 'ok' : null;
}

/** One model from its entry and, when it is loaded, its properties. */
export function llamaModel(entry: LlamaEntry, props: LlamaProps | null): ModelFacts {
	const meta = (name: string) => looseCount.parse(fieldOf(entry.meta, name));
	const isLoaded = entry.status === null ? true : entry.status.value === 'loaded';
	return {
		...namedModel(entry.id),
		name: fileName(entry.id),
		context: {
			inUse: props?.context ?? contextOfArguments(entry.status?.args ?? []),
			max: meta('n_ctx_train'),
		},
		loaded: isLoaded && props?.isSleeping !== true,
		sizeBytes: meta('size'),
		tools: props?.tools ?? null,
	};
}

/** A server without an alias names its model by the path of its file. */
function fileName(path: string): string {
	return path.endsWith('.gguf') ? (path.split(/[\\/]/).at(-1) ?? path) : path;
}

const contextFlags = new Set(['-c', '-ctx', '--ctx-size']);
const slotFlags = new Set(['-np', '--parallel']);

/** The context that a router starts a model with: shared by its slots. `null`: the model's own, or not told. */
export function contextOfArguments(args: readonly string[]): number | null {
	const after = (flags: ReadonlySet<string>) => {
		const at = args.findIndex((argument) => flags.has(argument));
		const value = at < 0 ? undefined : args[at + 1];
		return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null;
	};
	const context = after(contextFlags);
	return context === null || context === 0 ? null : Math.floor(context / Math.max(1, after(slotFlags) ?? 1));
}

/** A model of a router that can answer: it is not still coming over the network and did not fail to load. */
function canAnswer(entry: LlamaEntry): boolean {
	return entry.status?.failed !== true && entry.status?.value !== 'downloading';
}

/** Loaded models of a router that are asked for their properties in one look. */
const PROPS_AT_ONCE = 8;

export class LlamaCppReader {
	readonly #at: ServerAddress;

	constructor(at: ServerAddress) {
		this.#at = at;
	}

	async read(signal: AbortSignal): Promise<ServerReading> {
		const ask = (path: string) => this.#at.http.ask({ ...this.#at, path, signal });
		const [health, list] = await Promise.all([ask('/health'), ask('/v1/models')]);
		const state = isAnswer(health) ? parseHealth(health.status, jsonOf(health)) : null;
		if (state === null) return misread('llamacpp', '/health', health);
		const entries = isAnswer(list) && isSuccess(list.status) ? parseEntries(jsonOf(list)) : null;
		// While it loads it may list nothing; what it lists is not ready to answer.
		if (state === 'loading') return { state: 'loading', version: null, problem: '', models: [] };
		if (entries === null) return misread('llamacpp', '/v1/models', list);
		if (entries.some((entry) => entry.status !== null)) return this.#readRouter(entries, ask);
		const props = propsOf(await ask('/props'));
		return {
			state: 'running',
			version: props?.version ?? null,
			problem: '',
			models: entries.map((entry) => llamaModel(entry, props)),
		};
	}

	async #readRouter(entries: LlamaEntry[], ask: (path: string) => Promise<Reply>): Promise<ServerReading> {
		const loaded = entries.filter((entry) => entry.status?.value === 'loaded').slice(0, PROPS_AT_ONCE);
		const props = new Map<LlamaEntry, LlamaProps | null>();
		await Promise.all(
			loaded.map(async (entry) => {
				// Without `autoload=false` a router loads what it is asked about.
				const path = `/props?model=${encodeURIComponent(entry.id)}&autoload=false`;
				props.set(entry, propsOf(await ask(path)));
			}),
		);
		return {
			state: 'running',
			version: [...props.values()].find((each) => each !== null)?.version ?? null,
			problem: entries.flatMap(failureOf).join(' '),
			models: entries.filter(canAnswer).map((entry) => llamaModel(entry, props.get(entry) ?? null)),
		};
	}
}

function failureOf(entry: LlamaEntry): string[] {
	if (entry.status?.failed !== true) return [];
	const code = entry.status.exit_code === null ? '' : ` (exit code ${entry.status.exit_code})`;
	return [`${entry.id} failed to load${code}; it is not offered.`];
}

function propsOf(reply: Reply): LlamaProps | null {
	return reply.kind === 'json' && isSuccess(reply.status) ? parseProps(reply.json) : null;
}

function isAnswer(reply: Reply): reply is Extract<Reply, { kind: 'json' | 'other' }> {
	return reply.kind === 'json' || reply.kind === 'other';
}

function jsonOf(reply: Reply): unknown {
	return reply.kind === 'json' ? reply.json : null;
}
