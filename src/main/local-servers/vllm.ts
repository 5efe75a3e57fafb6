/** vLLM: `/v1/models` with `max_model_len`, `/health`, `/version`. What it lists is always loaded. */
import { z } from 'zod';
import { isSuccess, type Reply } from './local-http.ts';
import { fieldOf, looseCount, looseText, readList } from './loose-fields.ts';
import { isChatName } from './model-tags.ts';
import { type ModelFacts, misread, namedModel, type ServerAddress, type ServerReading } from './reading.ts';

const modelSchema = z.looseObject({ id: z.string().min(1).max(300), max_model_len: looseCount });

/** `/v1/models`; `null` when it has another shape. */
export function parseVllmModels(json: unknown): ModelFacts[] | null {
	const list = readList(modelSchema, fieldOf(json, 'data'));
	return (
		list
			?.filter(({ id }) => isChatName(id))
			.map(({ id, max_model_len }) => ({
				...namedModel(id),
				context: { inUse: max_model_len, max: max_model_len },
				loaded: true,
			})) ?? null
	);
}

export class VllmReader {
	readonly #at: ServerAddress;

	constructor(at: ServerAddress) {
		this.#at = at;
	}

	async read(signal: AbortSignal): Promise<ServerReading> {
		const ask = (path: string) => this.#at.http.ask({ ...this.#at, path, signal });
		const [list, health, version] = await Promise.all([ask('/v1/models'), ask('/health'), ask('/version')]);
		const models = list.kind === 'json' && isSuccess(list.status) ? parseVllmModels(list.json) : null;
		if (models === null) return misread('vllm', '/v1/models', list);
		if (!isHealthy(health)) return misread('vllm', '/health', health);
		return {
			state: 'running',
			version: version.kind === 'json' ? looseText.parse(fieldOf(version.json, 'version')) : null,
			problem: '',
			models,
		};
	}
}

/** 200 with an empty body; 503 when its engine has died. */
function isHealthy(reply: Reply): boolean {
	return (reply.kind === 'json' || reply.kind === 'other') && isSuccess(reply.status);
}
