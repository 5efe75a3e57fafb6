/** Every fault of the matrix, with what is right when it happens. */
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import { type RetryAfterForm, retryAfterForms } from '../provider-stub/retry-after.ts';
import type { ScriptedAnswer } from '../provider-stub/scripted-answer.ts';
import {
	answer,
	compressed,
	contextOverflow,
	cut,
	emptyAnswer,
	errorEnvelope,
	htmlError,
	inBandError,
	keepAliveReset,
	reset,
	type Step,
	spendLimit,
	stall,
	status,
} from '../provider-stub/steps.ts';

/**
 * - `answers`: the provider's answer, whole: it was no fault of the answer.
 * - `passes`: the provider's own words, unchanged, at once; nobody is asked.
 * - `fails-over`: the client has nothing of the answer yet, so it gets the local one as if it were the first.
 * - `restarts`: text had gone out; the local answer follows in the same stream, behind a line that says so.
 * - `asks-again`: only thinking had gone out; the client is told to ask again and is answered locally then.
 */
export type RightAction = 'answers' | 'passes' | 'fails-over' | 'restarts' | 'asks-again';

export type FaultGroup =
	| 'nothing answers'
	| 'status'
	| 'rate limit'
	| 'inside a 200'
	| 'cut'
	| 'silence'
	| 'form';

export interface Fault {
	readonly group: FaultGroup;
	readonly name: string;
	/** Where the provider is; `here` answers by `step`. */
	readonly provider: 'here' | 'dark' | 'unresolvable' | 'no-tls';
	readonly step: Step;
	readonly streamed: RightAction | Readonly<Record<ProtocolId, RightAction>> | null;
	/** `null`: it cannot happen to an answer that is not streamed. */
	readonly whole: RightAction | null;
	readonly retryAfter: RetryAfterForm | null;
}

/** What the provider would have said. More than one byte a character, thinking, and two tool calls. */
export const cloudAnswer: ScriptedAnswer = {
	text: 'Grüße aus der Wolke ☁: I look at both files and then I change the one that fails.',
	toolCalls: [
		{ name: 'Read', input: { file_path: '/w/app/a.ts' } },
		{ name: 'Read', input: { file_path: '/w/app/ünïcode.ts' } },
	],
};
/** The same with thinking before it. */
export const thoughtful: ScriptedAnswer = {
	...cloudAnswer,
	thinking: 'Which of the two files fails, and why? Let me see.',
};

const none = { provider: 'here', retryAfter: null } as const;
const both = (right: RightAction) => ({ streamed: right, whole: right });
const unreachable = answer(cloudAnswer);

const nothingAnswers: Fault[] = [
	{ name: 'connection refused', provider: 'dark', step: unreachable },
	{ name: 'name does not resolve', provider: 'unresolvable', step: unreachable },
	{ name: 'TLS handshake fails', provider: 'no-tls', step: unreachable },
	{ name: 'reset before the head', provider: 'here', step: reset() },
].map((fault) => ({ ...none, ...both('fails-over'), ...fault, group: 'nothing answers' }) as Fault);

const statuses: Fault[] = [400, 401, 402, 403, 404, 408, 413, 422, 500, 502, 503, 504, 529].map((code) => ({
	...none,
	...both(code >= 500 || code === 408 ? 'fails-over' : 'passes'),
	group: 'status',
	name: String(code),
	step: status(code),
}));

const otherStatuses: Fault[] = [
	{ name: '502 of a proxy, HTML', step: htmlError(502), ...both('fails-over') },
	{ name: '400, context overflow', step: contextOverflow(), ...both('passes') },
	{
		name: '529 with Retry-After: 3',
		step: status(529, { headers: { 'retry-after': '3' } }),
		...both('fails-over'),
		retryAfter: { name: 'seconds', headers: { 'retry-after': '3' }, meansMs: 3_000 },
	},
].map((fault) => ({ ...none, ...fault, group: 'status' }) as Fault);

const rateLimits: Fault[] = [
	...retryAfterForms.map(
		(form): Fault => ({
			...none,
			...both('passes'),
			group: 'rate limit',
			name: `429, Retry-After ${form.name}`,
			step: status(429, { headers: form.headers }),
			retryAfter: form,
		}),
	),
	{ ...none, ...both('passes'), group: 'rate limit', name: '429, spend limit', step: spendLimit() },
];

const insideA200: Fault[] = [
	{ name: 'empty', step: emptyAnswer(), ...both('fails-over') },
	{ name: 'error body, overloaded', step: errorEnvelope(529), ...both('fails-over') },
	{
		name: 'error event before content, overloaded',
		step: inBandError('before-content', cloudAnswer, 529),
		streamed: 'fails-over',
		whole: null,
	},
	{
		name: 'error event before content, rate limit',
		step: inBandError('before-content', cloudAnswer, 429),
		streamed: 'passes',
		whole: null,
	},
	{
		name: 'error event in the text, overloaded',
		step: inBandError('mid-text', cloudAnswer, 529),
		streamed: 'restarts',
		whole: null,
	},
	{
		name: 'error event in tool arguments',
		step: inBandError('mid-tool-arguments', cloudAnswer, 500),
		streamed: 'restarts',
		whole: null,
	},
].map((fault) => ({ ...none, ...fault, group: 'inside a 200' }) as Fault);

const cuts: Fault[] = [
	{ name: 'after the head', step: cut('before-any', cloudAnswer), ...both('fails-over') },
	{
		name: 'before content',
		step: cut('before-content', cloudAnswer),
		streamed: 'fails-over',
		whole: null,
	},
	{ name: 'in an empty block', step: cut('after-open', cloudAnswer), streamed: 'fails-over', whole: null },
	{ name: 'in thinking', step: cut('mid-thinking', thoughtful), streamed: 'asks-again', whole: null },
	{ name: 'in the text', step: cut('mid-text', cloudAnswer), streamed: 'restarts', whole: 'fails-over' },
	{ name: 'in an event', step: cut('mid-event', cloudAnswer), streamed: 'restarts', whole: null },
	{ name: 'in a character', step: cut('mid-utf8', cloudAnswer), streamed: 'fails-over', whole: 'fails-over' },
	{
		name: 'in tool arguments',
		step: cut('mid-tool-arguments', cloudAnswer),
		streamed: 'restarts',
		whole: null,
	},
	{
		name: 'after all content',
		step: cut('before-finish', cloudAnswer),
		streamed: 'restarts',
		whole: 'fails-over',
	},
	{
		name: 'in the text, HTTP ends well',
		step: cut('mid-text', cloudAnswer, 'end'),
		streamed: 'restarts',
		whole: 'fails-over',
	},
	{
		name: 'after all content, HTTP ends well',
		step: cut('before-finish', cloudAnswer, 'end'),
		streamed: 'restarts',
		whole: 'fails-over',
	},
	{
		name: 'before the last event',
		step: cut('before-end', cloudAnswer),
		// Chat says with its finish reason that nothing is missing; its last event says nothing more.
		streamed: {
			'anthropic-messages': 'restarts',
			'openai-chat': 'answers',
			'openai-responses': 'restarts',
		},
		whole: null,
	},
	{
		name: 'in tool arguments, nothing before them',
		step: cut('mid-tool-arguments', { toolCalls: cloudAnswer.toolCalls ?? [] }),
		streamed: 'fails-over',
		whole: null,
	},
].map((fault) => ({ ...none, ...fault, group: 'cut' }) as Fault);

const silences: Fault[] = [
	{ name: 'before the head', step: stall('before-head', cloudAnswer), ...both('fails-over') },
	{ name: 'after the head', step: stall('before-any', cloudAnswer), ...both('fails-over') },
	{ name: 'in the text', step: stall('mid-text', cloudAnswer), streamed: 'restarts', whole: 'fails-over' },
	{
		name: 'in tool arguments',
		step: stall('mid-tool-arguments', cloudAnswer),
		streamed: 'restarts',
		whole: null,
	},
].map((fault) => ({ ...none, ...fault, group: 'silence' }) as Fault);

const forms: Fault[] = [
	{ name: 'as usual', step: answer(cloudAnswer), ...both('answers') },
	{ name: 'CRLF framing', step: answer(cloudAnswer, { framing: 'crlf' }), streamed: 'answers', whole: null },
	{ name: 'CR framing', step: answer(cloudAnswer, { framing: 'cr' }), streamed: 'answers', whole: null },
	{ name: 'one byte a write', step: answer(cloudAnswer, { chunkBytes: 1 }), ...both('answers') },
	{ name: 'slow drip', step: answer(cloudAnswer, { chunkBytes: 97, everyMs: 2 }), ...both('answers') },
	{ name: 'compressed where allowed', step: compressed(cloudAnswer), ...both('answers') },
	{ name: 'output limit reached', step: answer({ text: 'Half of', stop: 'length' }), ...both('answers') },
	{
		name: 'kept connection reset at its second request',
		step: keepAliveReset(answer(cloudAnswer)),
		...both('answers'),
	},
].map((fault) => ({ ...none, ...fault, group: 'form' }) as Fault);

export const faults: readonly Fault[] = [
	...nothingAnswers,
	...statuses,
	...otherStatuses,
	...rateLimits,
	...insideA200,
	...cuts,
	...silences,
	...forms,
];
