/**
 * What a model is good for, from what its server says and from its name. What is not known gets no tag: a guess would
 * put a model in front of work that it cannot do.
 */
import type { ModelTag } from '../../shared/capability.ts';

export interface TagFacts {
	readonly name: string;
	/** What the server says; `null` when it does not. */
	readonly thinking: boolean | null;
	readonly tools: boolean | null;
}

/** Trained to reason before they answer, whatever the server's template knows of it. */
const reasoners =
	/(^|[-_.])(r1|qwq|magistral|reasoning|reasoner|thinking|think|gpt-oss|exaone-deep|openthinker\d*|deepscaler|marco-o1|deephermes)([-_.]|$)/;
/** Can do both; their servers say so unless this build had it removed. */
const hybrids =
	/(^|[-_.])(qwen3(\.\d+)?|glm-?[45](\.\d+)?|deepseek-v3\.[12]|minimax-m[12]|seed-oss|smollm3|cogito|granite-?(3\.[23]|[4-9])|nemotron|hunyuan)([-_.]|$)/;
/** Variants of hybrids without reasoning. */
const withoutReasoning = /(^|[-_.])(coder|instruct|it|base|embedding)([-_.]|$)/;

/** Says itself that it was tuned to follow instructions. */
const instructed = /(^|[-_.])(instruct|it|chat|coder|assistant|tools?)([-_.]|$)/;
/** Published for chat under their plain name. */
const instructedFamilies =
	/(^|[-_.])(gpt-oss|codestral|devstral|mistral|mixtral|ministral|gemma[23]?n?|codegemma|llama[234](\.\d)?|codellama|phi-?[34](\.\d)?|qwen-?[23](\.\d)?|command-(r\d*|a)|granite-?[3-9](\.\d)?|glm-?[45](\.\d+)?|kimi-k2|deepseek-v[23](\.\d)?|hermes\d?|zephyr|vicuna|smollm[23]|olmo-?[23]|seed-oss|minimax-m[12])([-_.]|$)/;
/** Weights before any tuning. */
const untuned = /(^|[-_.])(base|text|pretrain(ed)?|pt|foundation)([-_.]|$)/;
/** Reasoning only: they are bad at doing just what is said. */
const onlyReasoning =
	/(^|[-_.])(r1|qwq|magistral|reasoning|reasoner|exaone-deep|openthinker\d*|deepscaler|marco-o1)([-_.]|$)/;

/** Tags in a fixed order; empty when nothing is known. */
export function modelTags({ name, thinking, tools }: TagFacts): ModelTag[] {
	const plain = plainName(name);
	if (untuned.test(plain)) return thinking === true ? ['reasoning'] : [];
	const tags: ModelTag[] = [];
	if (reasons(plain, thinking)) tags.push('reasoning');
	if (instructed.test(plain) || tools === true || followsInstructions(plain)) tags.push('instruction');
	return tags;
}

function reasons(plain: string, thinking: boolean | null): boolean {
	if (thinking === true || reasoners.test(plain)) return true;
	// The server knows this build better than its family's name does.
	return thinking === null && hybrids.test(plain) && !withoutReasoning.test(plain);
}

function followsInstructions(plain: string): boolean {
	return instructedFamilies.test(plain) && !onlyReasoning.test(plain);
}

/** "acme/Qwen3-Coder-30B-A3B:Q4_K_M" is "qwen3-coder-30b-a3b.q4_k_m": no owner or path, one kind of separator for tags. */
function plainName(name: string): string {
	const last = name.toLowerCase().split(/[\\/]/).at(-1) ?? '';
	return last.replaceAll(/[:@ ]/g, '.');
}

const noChat =
	/(^|[-_.])(embed(ding|dings|der)?|bge|e5|gte|minilm|mxbai|rerank(er)?|whisper|tts|clip|siglip|stable-diffusion|sdxl|flux|bark|kokoro|piper|parler|colbert)([-_.\d]|$)|embed-text|text-embedding|arctic-embed/;

/** False for what is by its name no chat model: embeddings, rerankers, speech, pictures. */
export function isChatName(name: string): boolean {
	return !noChat.test(plainName(name));
}
