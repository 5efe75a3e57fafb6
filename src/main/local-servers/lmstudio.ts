/** LM Studio: `/api/v1/models` (0.4), `/api/v0/models` before it, and `/v1/models` when neither is there. */
import { z } from 'zod';
import { isSuccess } from './local-http.ts';
import { anything, fieldOf, looseBoolean, looseCount, looseText, readList } from './loose-fields.ts';
import { isChatName } from './model-tags.ts';
import { parseModelIds } from './openai.ts';
import { type ModelFacts, misread, namedModel, type ServerAddress, type ServerReading } from './reading.ts';

const id = z.string().min(1).max(300);

const modelSchema = z.looseObject({
	type: looseText,
	key: id,
	display_name: looseText,
	size_bytes: looseCount,
	max_context_length: looseCount,
	loaded_instances: anything,
	capabilities: anything,
});
const instanceSchema = z.looseObject({ id: looseText, config: anything });

/** `/api/v1/models`; `null` when it has another shape. */
export function parseLmStudioModels(json: unknown): ModelFacts[] | null {
	const list = readList(modelSchema, fieldOf(json, 'models'));
	return list?.filter(({ type, key }) => isChatType(type, key)).map(modelOf) ?? null;
}

function modelOf(entry: z.infer<typeof modelSchema>): ModelFacts {
	const instances = readList(instanceSchema, entry.loaded_instances);
	const contexts = instances?.map(({ config }) => looseCount.parse(fieldOf(config, 'context_length'))) ?? [];
	return {
		...namedModel(entry.key),
		name: entry.display_name ?? entry.key,
		context: { inUse: smallest(contexts), max: entry.max_context_length },
		loaded: instances === null ? null : instances.length > 0,
		sizeBytes: entry.size_bytes,
		tools: looseBoolean.parse(fieldOf(entry.capabilities, 'trained_for_tool_use')),
		thinking: thinkingOf(entry.capabilities),
	};
}

/** Which instance will answer is not known: the smallest context holds for all. One that does not tell spoils it. */
function smallest(contexts: readonly (number | null)[]): number | null {
	const told = contexts.filter((context) => context !== null);
	return told.length === 0 || told.length < contexts.length ? null : Math.min(...told);
}

function thinkingOf(capabilities: unknown): boolean | null {
	const reasoning = fieldOf(capabilities, 'reasoning');
	if (typeof reasoning === 'object' && reasoning !== null) return true;
	return looseBoolean.parse(reasoning ?? fieldOf(capabilities, 'thinking'));
}

const olderSchema = z.looseObject({
	id,
	type: looseText,
	state: looseText,
	max_context_length: looseCount,
	loaded_context_length: looseCount,
	capabilities: anything,
});

/** `/api/v0/models`; `null` when it has another shape (`/v1/models` has no `state`). */
export function parseOlderModels(json: unknown): ModelFacts[] | null {
	const list = readList(olderSchema, fieldOf(json, 'data'));
	if (list === null) return null;
	return list
		.filter((entry) => isChatType(entry.type, entry.id))
		.map((entry) => ({
			...namedModel(entry.id),
			context: { inUse: entry.loaded_context_length, max: entry.max_context_length },
			loaded: entry.state === null ? null : entry.state === 'loaded',
			tools: Array.isArray(entry.capabilities) ? entry.capabilities.includes('tool_use') : null,
		}));
}

function isChatType(type: string | null, name: string): boolean {
	return type === null ? isChatName(name) : type === 'llm' || type === 'vlm';
}

/** In the order in which they are asked: the first that is understood counts. */
const lists: readonly { path: string; parse: (json: unknown) => ModelFacts[] | null }[] = [
	{ path: '/api/v1/models', parse: parseLmStudioModels },
	{ path: '/api/v0/models', parse: parseOlderModels },
	{ path: '/v1/models', parse: (json) => parseModelIds(json)?.map(namedModel) ?? null },
];

export class LmStudioReader {
	readonly #at: ServerAddress;

	constructor(at: ServerAddress) {
		this.#at = at;
	}

	async read(signal: AbortSignal): Promise<ServerReading> {
		let first: ServerReading | null = null;
		for (const { path, parse } of lists) {
			const reply = await this.#at.http.ask({ ...this.#at, path, signal });
			// A path that it does not know is answered with status 200 and an error, so the shape decides.
			const models = reply.kind === 'json' && isSuccess(reply.status) ? parse(reply.json) : null;
			if (models) return { state: 'running', version: null, problem: '', models };
			first ??= misread('lmstudio', path, reply);
			if (reply.kind === 'refused' || reply.kind === 'failed') break;
		}
		return first ?? { state: 'absent' };
	}
}
