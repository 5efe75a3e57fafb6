/** Was a limit met right? The client's answer, what the provider was asked, and what is known of the chain now. */
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import type { RecordedRequest } from '../provider-stub.ts';
import type { AnswerRead } from '../strict-client/answer-read.ts';
import { readStrictly } from '../strict-client.ts';
import { cloudAnswer } from './faults.ts';
import { isError, isEventStream, type Judgement, short } from './judge.ts';
import type { Limit } from './limits.ts';
import type { Observation } from './observe.ts';
import { CLOUD_MODEL, LOCAL_TEXT, type World } from './world.ts';

export interface LimitCase {
	readonly limit: Limit;
	readonly protocol: ProtocolId;
	readonly stream: boolean;
}

/** What a limited answer says of itself, in every protocol. */
const LIMIT_WORDS = /rate_limit|is limited\./;

/** `calls`: those of this turn. `switched`: the operator switched when asked; else nobody answered. */
export function judgeLimit(
	the: LimitCase,
	seen: Observation,
	calls: readonly RecordedRequest[],
	{ world, switched }: { readonly world: World; readonly switched: boolean },
): Judgement {
	const { limit, protocol, stream } = the;
	const read = readStrictly(protocol, stream && isEventStream(seen), seen.bytes);
	const wrong: string[] = [];
	const mustBe = (what: string, holds: boolean): void => {
		if (!holds) wrong.push(what);
	};
	mustBe('no hang', seen.ended === 'well');
	mustBe('no fault of the floor’s own', world.unexpected.length === 0);
	for (const breach of read.breaches) wrong.push(`protocol: ${breach}`);
	const asked = calls.map(({ json }) => String(json.model));
	mustBe(`${limit.asked.join(', ') || 'nothing'} asked, not ${asked.join(', ')}`, isSame(asked, limit.asked));
	mustBe(
		'the same request but for the model',
		calls.every((call) => isSameRequest(call, calls)),
	);
	const isLost = limit.right === 'fails-over';
	mustBe(isLost ? 'one popup' : 'no popup', world.popupCount === (isLost ? 1 : 0));
	mustBe(
		isLost && switched ? 'one local call' : 'nothing local asked',
		world.local.calls.length === (isLost && switched ? 1 : 0),
	);
	if (limit.right === 'passes') {
		mustBe(
			'its own words, unchanged',
			isPassed(
				seen,
				calls.find(({ json }) => json.model === limit.by),
				limit,
			),
		);
		return { got: `${seen.status}: ${short(read.error)}`, wrong };
	}
	if (limit.right === 'waits') {
		mustBe('a 429', seen.status === 429);
		mustBe('an error of the protocol', read.end === 'error' && read.error !== '');
		mustBe('the time at which a model is free', isFreeTime(seen, limit));
		return { got: `429 of the floor: ${short(read.error)}`, wrong };
	}
	if (limit.right === 'fails-over') {
		if (!switched) {
			// The stand-in's words, or those of the 429 before it where it had none.
			mustBe('an error, never a clean end', isError(seen, read));
			return { got: `${seen.status}: ${short(read.error)}`, wrong };
		}
		mustBe('the local answer', read.end === 'clean' && read.texts.join('').endsWith(LOCAL_TEXT));
	}
	if (limit.right === 'asks-again') {
		mustBe('an error, never a clean end', read.end === 'error');
		return { got: `${seen.status}, error event: ${short(read.error)}`, wrong };
	}
	mustBe('no sign of a limit', seen.status !== 429 && !LIMIT_WORDS.test(seen.bytes.toString('utf8')));
	if (limit.right === 'fails-over') return { got: 'the local answer, labelled', wrong };
	mustBe('a clean end', read.end === 'clean');
	mustBe('served by the cloud', seen.headers['x-agent-floor-served-by'] === 'cloud');
	return limit.right === 'answers' ? answers(limit, seen, read, wrong) : restarts(limit, read, wrong);
}

function answers({ by, steps }: Limit, seen: Observation, read: AnswerRead, wrong: string[]): Judgement {
	if (steps[by] === undefined && !isWhole(read, read.texts.join(''))) wrong.push('the whole answer');
	if (read.models.join() !== by) wrong.push(`the answer of ${by}`);
	if (seen.headers['x-agent-floor-model'] !== by) wrong.push('the answering model named');
	if (seen.headers['retry-after'] !== undefined) wrong.push('no waiting time');
	return { got: by === CLOUD_MODEL ? 'its answer' : `the answer of ${by}`, wrong };
}

function restarts({ by }: Limit, read: AnswerRead, wrong: string[]): Judgement {
	const text = read.texts.join('');
	const label = new RegExp(`\\[[^\\]]*answer restarted on ${by}\\]\\s*`).exec(text);
	if (label === null) wrong.push(`a line that names ${by}`);
	const beginning = text.slice(0, label?.index ?? 0).trimEnd();
	if (beginning === '' || !(cloudAnswer.text ?? '').startsWith(beginning)) wrong.push('the beginning kept');
	if (!isWhole(read, text.slice((label?.index ?? 0) + (label?.[0].length ?? 0))))
		wrong.push('one whole answer after it');
	return { got: `its beginning, the label, the answer of ${by}`, wrong };
}

/** `text`: the part that must be the answer's. Tool calls: each once. */
function isWhole(read: AnswerRead, text: string): boolean {
	const calls = (cloudAnswer.toolCalls ?? []).map(({ name, input }) => ({ name, input }));
	return text === cloudAnswer.text && JSON.stringify(read.toolCalls) === JSON.stringify(calls);
}

/** Status, headers and body, byte for byte; but for the waiting time, where the floor knows a better one. */
function isPassed(seen: Observation, call: RecordedRequest | undefined, limit: Limit): boolean {
	const sent = call?.replied;
	if (!sent) return false;
	const hasBetter = limit.freeAfterSeconds !== null;
	const hasHeaders = Object.entries(sent.headers).every(
		([name, value]) => seen.headers[name] === value || (hasBetter && name === 'retry-after'),
	);
	const isTimeRight = !hasBetter || isFreeTime(seen, limit);
	return seen.status === sent.status && seen.bytes.equals(sent.body) && hasHeaders && isTimeRight;
}

/** Whole seconds; some may have passed meanwhile. */
function isFreeTime({ headers }: Observation, { freeAfterSeconds }: Limit): boolean {
	const seconds = Number(headers['retry-after']);
	const most = freeAfterSeconds ?? 0;
	return Number.isInteger(seconds) && seconds > most / 2 && seconds <= most;
}

/** Every byte and every header of the turn's first request, with another model's name. */
function isSameRequest(call: RecordedRequest, [first]: readonly RecordedRequest[]): boolean {
	if (!first) return false;
	const renamed = first.body
		.toString('utf8')
		.replace(JSON.stringify(first.json.model), JSON.stringify(call.json.model));
	const headersOf = ({ headers: { 'content-length': _length, ...headers } }: RecordedRequest): string =>
		JSON.stringify(headers);
	return (
		call.body.toString('utf8') === renamed && call.path === first.path && headersOf(call) === headersOf(first)
	);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
	return one.join() === other.join();
}
