/** The reader of each kind of local server. */
import type { LocalServerKind } from '../../shared/failover-settings.ts';
import { LlamaCppReader } from './llamacpp.ts';
import { LmStudioReader } from './lmstudio.ts';
import { OllamaReader } from './ollama.ts';
import { OpenAiReader } from './openai.ts';
import type { ServerAddress, ServerReader } from './reading.ts';
import { VllmReader } from './vllm.ts';

export function createReader(kind: LocalServerKind, at: ServerAddress): ServerReader {
	switch (kind) {
		case 'ollama':
			return new OllamaReader(at);
		case 'lmstudio':
			return new LmStudioReader(at);
		case 'llamacpp':
			return new LlamaCppReader(at);
		case 'vllm':
			return new VllmReader(at);
		case 'openai':
			return new OpenAiReader(at);
	}
}
