/** What one look at a local server gives, and the sentence for a server that is not what it should be. */
import type { LocalServerKind } from '../../shared/failover-settings.ts';
import { errorTextOf, type LocalHttp, type LocalTarget, type Reply } from './local-http.ts';

/** A chat model as its server describes it. `null`: the server does not tell. */
export interface ModelFacts {
	/** The name by which the server is asked for it. */
	readonly model: string;
	readonly name: string;
	/** Tokens. `inUse`: what a prompt really gets. */
	readonly context: { readonly inUse: number | null; readonly max: number | null };
	readonly loaded: boolean | null;
	/** Bytes of its weights. */
	readonly sizeBytes: number | null;
	readonly tools: boolean | null;
	readonly thinking: boolean | null;
	/** Bytes of memory that one token of context takes, from the model's own architecture. */
	readonly bytesPerToken: number | null;
	/** What it really takes while loaded, bytes: in all, and of that in GPU memory. */
	readonly memory: { readonly total: number; readonly gpu: number } | null;
}

export type ServerReading =
	| {
			readonly state: 'running' | 'loading';
			readonly version: string | null;
			readonly models: readonly ModelFacts[];
			/** What is wrong although it runs: "qwen failed to load"; empty otherwise. */
			readonly problem: string;
	  }
	| { readonly state: 'absent' }
	| { readonly state: 'unreadable'; readonly problem: string };

/** How one kind of server is read. May remember what does not change between two looks. */
export interface ServerReader {
	/** Never rejects; ends with the signal. */
	read(signal: AbortSignal): Promise<ServerReading>;
}

/** Where a reader reads. */
export interface ServerAddress extends LocalTarget {
	readonly http: LocalHttp;
}

export const kindNames: Readonly<Record<LocalServerKind, string>> = {
	ollama: 'Ollama',
	lmstudio: 'LM Studio',
	llamacpp: 'a llama.cpp server',
	vllm: 'vLLM',
	openai: 'an OpenAI-compatible server',
};

/** A model of which only its name is known. */
export function namedModel(model: string): ModelFacts {
	return {
		model,
		name: model,
		context: { inUse: null, max: null },
		loaded: null,
		sizeBytes: null,
		tools: null,
		thinking: null,
		bytesPerToken: null,
		memory: null,
	};
}

/** The reading of a reply that is not what this kind of server gives. */
export function misread(kind: LocalServerKind, path: string, reply: Reply): ServerReading {
	if (reply.kind === 'refused') return { state: 'absent' };
	return { state: 'unreadable', problem: `${whatWasWrong(kind, path, reply)} No model of it is offered.` };
}

function whatWasWrong(
	kind: LocalServerKind,
	path: string,
	reply: Exclude<Reply, { kind: 'refused' }>,
): string {
	const name = kindNames[kind];
	if (reply.kind === 'failed') {
		return `Asked for ${path} as ${name}, but ${reply.problem}. Look whether the server hangs, or is another program.`;
	}
	if (reply.status === 401 || reply.status === 403) {
		return `It wants a token that the floor does not have (${path}: status ${reply.status}). Put it into an environment variable of the floor and name that as credentialEnv of this server in the settings.`;
	}
	if (reply.status >= 300 && reply.status < 400) {
		return `It sends ${path} on to another address (status ${reply.status}), which is not followed. Set the final address.`;
	}
	const said = errorTextOf(reply);
	const words = said === '' ? '' : `, "${said}"`;
	const form = reply.kind === 'json' ? 'JSON of another shape' : 'no JSON';
	const answer = reply.status === 200 ? `${form}${words}` : `status ${reply.status}${words}`;
	return `It does not answer like ${name} (${path}: ${answer}): another program has this port, or the kind is wrong.`;
}
