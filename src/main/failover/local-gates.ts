/**
 * What a local model must have before it gets an agent's turn (seed 003, section 3.2: hard gates). A server that is
 * given more than its context in use cuts the prompt and says nothing, so what is not known is not risked.
 */
import type { LocalServerView, ModelFit } from '../../shared/capability.ts';
import type { LocalServerKind } from '../../shared/failover-settings.ts';
import { compactNumber, exactNumber } from '../../shared/format.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { TurnFacts } from './desk.ts';

/** What of a turn decides which model can take it. */
export type TurnNeeds = Pick<
	TurnFacts,
	'estimatedTokens' | 'maxOutputTokens' | 'offersTools' | 'activity' | 'protocol' | 'workspace'
>;

/** Room that is kept for an answer, tokens. */
export const ANSWER_ROOM = 4096;

/** What an agent's prompt takes before a word of work is done: no agent's turn fits a context below it, tokens. */
const AGENT_CONTEXT = 16_384;

/** The least that a server of this kind gives a model when nobody chose a context (its documentation), tokens. */
const LEAST_CONTEXT: Readonly<Partial<Record<LocalServerKind, number>>> = {
	ollama: 4096,
	lmstudio: 4096,
	llamacpp: 4096,
};

/** By how near a model is to taking the turn: a setting, a start, another try, another model, another machine. */
export const GATES = ['context-setting', 'server', 'failed', 'tools', 'context', 'device'] as const;

export interface GateFailure {
	readonly gate: (typeof GATES)[number];
	/** What is missing, and the setting that cures it; one or two sentences. */
	readonly reason: string;
}

export interface GateOptions {
	readonly servers: readonly LocalServerView[];
	/** Models that failed in this incident, with what happened. */
	readonly failed: ReadonlyMap<string, string>;
}

/** Every hard gate that the model fails for these turns, nearest first, each once; empty: it can take them all. */
export function gateFailures(
	model: ModelFit,
	turns: readonly TurnNeeds[],
	{ servers, failed }: GateOptions,
): GateFailure[] {
	// The turn that needs most says it for all.
	const byNeed = turns.toSorted((left, right) => neededTokens(right) - neededTokens(left));
	const failures = [
		serverGate(model, servers),
		failedGate(model, failed),
		...byNeed.flatMap((turn) => [contextGate(model, turn), toolsGate(model, turn)]),
		deviceGate(model),
	];
	return GATES.flatMap((gate) => failures.find((failure) => failure?.gate === gate) ?? []);
}

/** Some agent's turn may fit it: a model without tools, or with a small context, is none for an agent. */
export function fitsAgents(model: ModelFit): boolean {
	return model.fit !== 'OVER' && model.tools !== false && (surelyInUse(model).tokens ?? 0) >= AGENT_CONTEXT;
}

/**
 * Tokens that the turn takes in a server's context: the prompt and room for an answer. An answer that asks for more than
 * there is is asked for less (`gateway/local-request.ts`).
 */
export function neededTokens(turn: TurnNeeds): number {
	return turn.estimatedTokens + answerRoom(turn);
}

/** The same in words: "24.1k (20k of prompt and 4.1k for the answer)". */
export function needWords(turn: TurnNeeds): string {
	const [need, prompt, room] = [neededTokens(turn), turn.estimatedTokens, answerRoom(turn)].map(
		compactNumber,
	);
	return `${need} (${prompt} of prompt and ${room} for the answer)`;
}

function answerRoom({ maxOutputTokens }: TurnNeeds): number {
	return Math.min(maxOutputTokens ?? ANSWER_ROOM, ANSWER_ROOM);
}

/** Tokens that a prompt surely gets; `null` when nothing is known. `isLeast`: it may get more. */
export function surelyInUse({ context, serverKind }: ModelFit): {
	readonly tokens: number | null;
	readonly isLeast: boolean;
} {
	if (context.inUse !== null) return { tokens: context.inUse, isLeast: false };
	// vLLM loads every model with all of its context, or with what its `--max-model-len` says, and tells that as max.
	if (serverKind === 'vllm') return { tokens: context.max, isLeast: false };
	const least = LEAST_CONTEXT[serverKind];
	return least === undefined
		? { tokens: null, isLeast: false }
		: { tokens: Math.min(least, context.max ?? least), isLeast: true };
}

function contextGate(model: ModelFit, turn: TurnNeeds): GateFailure | null {
	const need = neededTokens(turn);
	const { tokens, isLeast } = surelyInUse(model);
	if (tokens !== null && need <= tokens) return null;
	const { max } = model.context;
	const wants = `this turn needs about ${needWords(turn)}`;
	if (max !== null && need > max) {
		return {
			gate: 'context',
			reason: `It can hold ${exactNumber(max)} tokens at most and ${wants}. Choose a model with a longer context, or compact the conversation.`,
		};
	}
	const gate = 'context-setting';
	const cure = contextCure(model.serverKind, cureTokens(need, max));
	if (tokens === null) {
		return { gate, reason: `How many tokens it holds is not known, and ${wants}. ${cure}` };
	}
	const has = isLeast
		? `Its server may give it no more than ${exactNumber(tokens)} tokens`
		: `It runs with ${exactNumber(tokens)} tokens of context`;
	return { gate, reason: `${has} and ${wants}: the rest would be cut off silently. ${cure}` };
}

/** The next power of two, as these settings are usually given; never more than the model can hold. */
function cureTokens(need: number, max: number | null): number {
	const round = 2 ** Math.ceil(Math.log2(Math.max(need, ANSWER_ROOM)));
	return max === null ? round : Math.min(round, max);
}

function contextCure(kind: LocalServerKind, tokens: number): string {
	switch (kind) {
		case 'ollama':
			return `Start Ollama with OLLAMA_CONTEXT_LENGTH=${tokens}, or set "PARAMETER num_ctx ${tokens}" in its model file.`;
		case 'lmstudio':
			return `Load it in LM Studio with a context length of ${tokens}.`;
		case 'llamacpp':
			return `Start llama-server with -c ${tokens}.`;
		case 'vllm':
			return `Start vLLM with --max-model-len ${tokens}.`;
		case 'openai':
			return `Give it a context of ${tokens} tokens in its server; if that is Ollama, LM Studio, llama.cpp or vLLM, set its "kind" under "localServers" so that its context can be read.`;
	}
}

function toolsGate(model: ModelFit, turn: TurnNeeds): GateFailure | null {
	if (!turn.offersTools || model.tools !== false) return null;
	const cure =
		model.serverKind === 'llamacpp'
			? 'Start llama-server with --jinja, or choose a model with tools.'
			: 'Choose a model with tools.';
	return { gate: 'tools', reason: `It cannot call tools, and the agent offers some. ${cure}` };
}

function deviceGate(model: ModelFit): GateFailure | null {
	if (model.fit !== 'OVER') return null;
	const reason = model.fitReason === '' ? 'It does not fit this machine.' : model.fitReason;
	return { gate: 'device', reason: `${reason} Choose a smaller model or a smaller quantisation.` };
}

function serverGate(model: ModelFit, servers: readonly LocalServerView[]): GateFailure | null {
	const server = servers.find(({ id }) => id === model.serverId);
	if (server?.state === 'absent') {
		return { gate: 'server', reason: `Its server "${model.serverId}" is not running. Start it.` };
	}
	if (server?.state === 'unreadable') {
		return { gate: 'server', reason: `Its server "${model.serverId}" does not answer as it should.` };
	}
	return null;
}

function failedGate(model: ModelFit, failed: ReadonlyMap<string, string>): GateFailure | null {
	const detail = failed.get(model.id);
	if (detail === undefined) return null;
	return { gate: 'failed', reason: `It failed just now: ${visibleText(detail, { limit: 200 })}` };
}
