/** Any server with the OpenAI list of models: it tells names, and nothing of context, size or state. */
import { z } from 'zod';
import { isSuccess } from './local-http.ts';
import { fieldOf, looseText, readList } from './loose-fields.ts';
import { isChatName } from './model-tags.ts';
import { misread, namedModel, type ServerAddress, type ServerReading } from './reading.ts';

const modelSchema = z.looseObject({ id: z.string().min(1).max(300), type: looseText });

/** `/v1/models`: the ids of what may be a chat model; `null` when it has another shape. */
export function parseModelIds(json: unknown): string[] | null {
	const list = readList(modelSchema, fieldOf(json, 'data'));
	return list?.map((model) => model.id).filter(isChatName) ?? null;
}

export class OpenAiReader {
	readonly #at: ServerAddress;

	constructor(at: ServerAddress) {
		this.#at = at;
	}

	async read(signal: AbortSignal): Promise<ServerReading> {
		const path = '/v1/models';
		const reply = await this.#at.http.ask({ ...this.#at, path, signal });
		const ids = reply.kind === 'json' && isSuccess(reply.status) ? parseModelIds(reply.json) : null;
		if (ids === null) return misread('openai', path, reply);
		return { state: 'running', version: null, problem: '', models: ids.map(namedModel) };
	}
}
