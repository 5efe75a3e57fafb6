/** Every way in which the models of a chain can be limited, with what is right when it happens. */
import { type RetryAfterForm, retryAfterForms } from '../provider-stub/retry-after.ts';
import {
	answer,
	byModel,
	contextOverflow,
	cut,
	errorEnvelope,
	inBandError,
	reset,
	type Step,
	spendLimit,
	status,
} from '../provider-stub/steps.ts';
import { cloudAnswer, thoughtful } from './faults.ts';
import { CLOUD_MODEL } from './world.ts';

/** What stands in for `CLOUD_MODEL`, in this order. */
export const FIRST_FALLBACK = 'cloud-model-small';
export const SECOND_FALLBACK = 'cloud-model-mini';

/**
 * - `answers`: one whole answer of that model, at once; the client sees nothing of a limit.
 * - `restarts`: text had gone out; that model's answer follows in the same stream, behind a line that says so.
 * - `asks-again`: only thinking had gone out; the client is told of the limit, asks again, and is answered by that model.
 * - `passes`: the words that this model got, unchanged; nobody is asked.
 * - `waits`: the floor's own 429, with the time at which the first model is free; the provider is not asked.
 * - `fails-over`: the stand-in's provider was lost; the rest is the business of failover.
 */
export type LimitAction = 'answers' | 'restarts' | 'asks-again' | 'passes' | 'waits' | 'fails-over';

export type LimitGroup =
	| 'preferred model'
	| 'inside a 200'
	| 'further down the chain'
	| 'known before'
	| 'no limit';

export type StepByModel = Readonly<Record<string, Step>>;

export interface Limit {
	readonly group: LimitGroup;
	readonly name: string;
	/** What each model answers; those that are not named answer well. */
	readonly steps: StepByModel;
	/** What each model answered to the turn before, so that it is known now; `null`: there was none. */
	readonly before: StepByModel | null;
	readonly right: LimitAction;
	/** Whose answer or words the client gets; empty: nobody's. */
	readonly by: string;
	/** The models that this turn asks for at the provider, in this order. */
	readonly asked: readonly string[];
	readonly forms: 'both' | 'stream';
	/** The waiting time that the preferred model's answer names. */
	readonly retryAfter: RetryAfterForm | null;
	/** Another model is free after this, s: told in place of the provider's own time. `null`: that passes as it came. */
	readonly freeAfterSeconds: number | null;
}

/** Each model's own limit, so that it can be told whose words came through. */
function limited(model: string, headers: RetryAfterForm['headers'] = { 'retry-after': '7' }): Step {
	return status(429, { message: `${model} is limited.`, headers });
}

const preferred = (step: Step): StepByModel => ({ [CLOUD_MODEL]: step });
const chainOf = (first?: Step, second?: Step): StepByModel => ({
	[CLOUD_MODEL]: limited(CLOUD_MODEL),
	...(first && { [FIRST_FALLBACK]: first }),
	...(second && { [SECOND_FALLBACK]: second }),
});
const usual = { before: null, retryAfter: null, freeAfterSeconds: null, forms: 'both' } as const;
/** A limited stand-in is left alone for this long at first. */
const FIRST_REST_SECONDS = 60;
const toFirst = { right: 'answers', by: FIRST_FALLBACK, asked: [CLOUD_MODEL, FIRST_FALLBACK] } as const;
const wholeChain = [CLOUD_MODEL, FIRST_FALLBACK, SECOND_FALLBACK] as const;
const toSecond = { right: 'answers', by: SECOND_FALLBACK, asked: wholeChain } as const;
const ownWords = { right: 'passes', by: CLOUD_MODEL } as const;

type Row = Omit<Limit, 'group' | keyof typeof usual> & Partial<Limit>;

function group(name: LimitGroup, rows: readonly Row[]): Limit[] {
	return rows.map((row) => ({ ...usual, ...row, group: name }));
}

const preferredModel = group('preferred model', [
	...retryAfterForms.map((form) => ({
		name: `429, Retry-After ${form.name}`,
		steps: preferred(limited(CLOUD_MODEL, form.headers)),
		retryAfter: form,
		...toFirst,
	})),
	{ name: '429, spend limit', steps: preferred(spendLimit()), ...ownWords, asked: [CLOUD_MODEL] },
]);

const insideA200 = group('inside a 200', [
	{ name: 'error body', steps: preferred(errorEnvelope(429)), ...toFirst },
	{
		name: 'error event before content',
		steps: preferred(inBandError('before-content', cloudAnswer, 429)),
		forms: 'stream',
		...toFirst,
	},
	{
		name: 'error event in an empty block',
		steps: preferred(inBandError('after-open', cloudAnswer, 429)),
		forms: 'stream',
		...toFirst,
	},
	{
		name: 'error event in thinking',
		steps: preferred(inBandError('mid-thinking', thoughtful, 429)),
		forms: 'stream',
		right: 'asks-again',
		by: FIRST_FALLBACK,
		asked: [CLOUD_MODEL],
	},
	{
		name: 'error event in the text',
		steps: preferred(inBandError('mid-text', cloudAnswer, 429)),
		forms: 'stream',
		...toFirst,
		right: 'restarts',
	},
	{
		name: 'error event in tool arguments',
		steps: preferred(inBandError('mid-tool-arguments', cloudAnswer, 429)),
		forms: 'stream',
		...toFirst,
		right: 'restarts',
	},
	{
		name: 'error event in the text of the fallback',
		steps: chainOf(inBandError('mid-text', cloudAnswer, 429)),
		forms: 'stream',
		...toSecond,
		right: 'restarts',
	},
]);

const furtherDown = group('further down the chain', [
	{ name: 'fallback 429, the next answers', steps: chainOf(limited(FIRST_FALLBACK)), ...toSecond },
	{ name: 'fallback error body, the next answers', steps: chainOf(errorEnvelope(429)), ...toSecond },
	{
		name: 'every model 429',
		steps: chainOf(limited(FIRST_FALLBACK), limited(SECOND_FALLBACK)),
		...ownWords,
		asked: wholeChain,
		freeAfterSeconds: FIRST_REST_SECONDS,
	},
	...[400, 403, 404, 422].map((code) => ({
		name: `fallback ${code}, the next answers`,
		steps: chainOf(status(code)),
		...toSecond,
	})),
	{ name: 'fallback too small for it, the next answers', steps: chainOf(contextOverflow()), ...toSecond },
	{
		name: 'fallback 404, the next 429',
		steps: chainOf(status(404), limited(SECOND_FALLBACK)),
		...ownWords,
		asked: wholeChain,
		freeAfterSeconds: FIRST_REST_SECONDS,
	},
	...[
		{ name: 'fallback 500', step: status(500) },
		{ name: 'fallback 529', step: status(529) },
		{ name: 'fallback cut before content', step: cut('before-content', cloudAnswer) },
		// It goes out on the connection of the 429; a kept one that is reset is tried once more on a new one.
		{ name: 'fallback reset before the head', step: reset(), again: [FIRST_FALLBACK] },
	].map(({ name, step, again = [] }) => ({
		name,
		steps: chainOf(step),
		right: 'fails-over' as const,
		by: '',
		asked: [CLOUD_MODEL, FIRST_FALLBACK, ...again],
	})),
]);

const knownBefore = group('known before', [
	{
		name: 'preferred model limited',
		before: chainOf(),
		steps: {},
		right: 'answers',
		by: FIRST_FALLBACK,
		asked: [FIRST_FALLBACK],
	},
	{
		name: 'preferred model limited, now the fallback 429',
		before: chainOf(),
		steps: chainOf(limited(FIRST_FALLBACK)),
		right: 'answers',
		by: SECOND_FALLBACK,
		asked: [FIRST_FALLBACK, SECOND_FALLBACK],
	},
	{
		name: 'two limited',
		before: chainOf(limited(FIRST_FALLBACK)),
		steps: {},
		right: 'answers',
		by: SECOND_FALLBACK,
		asked: [SECOND_FALLBACK],
	},
	{
		name: 'every model limited',
		before: chainOf(limited(FIRST_FALLBACK), limited(SECOND_FALLBACK)),
		steps: {},
		right: 'waits',
		by: '',
		asked: [],
		freeAfterSeconds: FIRST_REST_SECONDS,
	},
	{
		name: 'preferred model limited, nothing else is served',
		before: chainOf(status(404), status(403)),
		steps: {},
		right: 'answers',
		by: CLOUD_MODEL,
		asked: [CLOUD_MODEL],
	},
]);

const noLimit = group('no limit', [
	{ name: 'preferred model answers', steps: {}, right: 'answers', by: CLOUD_MODEL, asked: [CLOUD_MODEL] },
	{ name: 'preferred model 400', steps: preferred(status(400)), ...ownWords, asked: [CLOUD_MODEL] },
	{
		name: 'preferred model 529',
		steps: preferred(status(529)),
		right: 'fails-over',
		by: '',
		asked: [CLOUD_MODEL],
	},
	{
		name: 'an answer that speaks of 429 and rate limits',
		steps: preferred(
			answer({ text: 'Error 429: too many requests, rate limit exceeded; try again in 4 hours.' }),
		),
		right: 'answers',
		by: CLOUD_MODEL,
		asked: [CLOUD_MODEL],
	},
]);

export const limits: readonly Limit[] = [
	...preferredModel,
	...insideA200,
	...furtherDown,
	...knownBefore,
	...noLimit,
];

/** One step for the whole provider. */
export function stepOf(steps: StepByModel): Step {
	return byModel(steps, answer(cloudAnswer));
}
