/** A model of the stub, in the words of Ollama's routes. */

export interface StubModel {
	readonly name: string;
	/** Tokens that `/api/ps` tells once it is loaded; `null`: not told. Default 65 536. */
	readonly contextInUse?: number | null;
	/** Tokens that `/api/show` tells. Default 262 144. */
	readonly maxContext?: number;
	/** Default 19 GB. */
	readonly sizeBytes?: number;
	/** Of the size, when it is loaded; default all of it. */
	readonly vramBytes?: number;
	/** Default true. */
	readonly loaded?: boolean;
	/** Default true. */
	readonly tools?: boolean;
	readonly thinking?: boolean;
	/** An embedding model: it has no `completion`. */
	readonly embedding?: boolean;
	/** Set: a cloud model that the server only passes on. */
	readonly remoteHost?: string;
	/** How long loading takes, ms; a request for a cold model waits so long. Default 0. */
	readonly loadMs?: number;
}

const GB = 1e9;

export function tagOf(model: StubModel) {
	return {
		name: model.name,
		model: model.name,
		modified_at: '2026-10-02T13:10:00Z',
		size: model.sizeBytes ?? 19 * GB,
		digest: 'sha256:8a1b',
		details: { format: 'gguf', family: 'stub', families: ['stub'], quantization_level: 'Q4_K_M' },
		...(model.remoteHost === undefined ? {} : { remote_host: model.remoteHost, remote_model: model.name }),
	};
}

export function runningOf(model: StubModel) {
	const size = model.sizeBytes ?? 19 * GB;
	const context = model.contextInUse === undefined ? 65_536 : model.contextInUse;
	return {
		name: model.name,
		model: model.name,
		size,
		size_vram: model.vramBytes ?? size,
		digest: 'sha256:8a1b',
		expires_at: '2026-10-02T13:10:00Z',
		...(context === null ? {} : { context_length: context }),
	};
}

export function showOf(model: StubModel) {
	const capabilities = model.embedding
		? ['embedding']
		: ['completion', ...((model.tools ?? true) ? ['tools'] : []), ...(model.thinking ? ['thinking'] : [])];
	return {
		details: { family: 'stub', parameter_size: '30B' },
		template: '',
		capabilities,
		model_info: { 'general.architecture': 'stub', 'stub.context_length': model.maxContext ?? 262_144 },
	};
}
