/** Was it right? Every judgement says what the client got in a few words, and what was wrong with it. */
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import { dialects } from '../provider-stub/dialects.ts';
import type { AnswerRead } from '../strict-client/answer-read.ts';
import { readStrictly } from '../strict-client.ts';
import { cloudAnswer, type RightAction } from './faults.ts';
import type { Observation } from './observe.ts';
import { CLOUD_MODEL, LOCAL_MODEL, LOCAL_TEXT, type World } from './world.ts';

export interface Judgement {
	/** What the client got. */
	readonly got: string;
	/** Empty: it was right. */
	readonly wrong: readonly string[];
}

export interface Case {
	readonly protocol: ProtocolId;
	readonly stream: boolean;
	readonly right: RightAction;
	/** The operator switched when asked; else nobody answered. */
	readonly switched: boolean;
}

const RESTART = /\[Connection to .+ lost; answer restarted on coder:30b\]/;
const LOCAL_LABEL = /^\[.+ is lost; answered locally by coder:30b\]\s*/;

export function judge(the: Case, seen: Observation, world: World): Judgement {
	const read = readStrictly(the.protocol, the.stream && isEventStream(seen), seen.bytes);
	const wrong: string[] = [];
	const mustBe = (what: string, holds: boolean): void => {
		if (!holds) wrong.push(what);
	};
	mustBe('no hang', seen.ended !== 'hung');
	mustBe('no fault of the floor’s own', world.unexpected.length === 0);
	for (const breach of read.breaches) wrong.push(`protocol: ${breach}`);
	const asked = the.right !== 'answers' && the.right !== 'passes';
	mustBe(asked ? 'one popup' : 'no popup', world.popupCount === (asked ? 1 : 0));
	if (the.right === 'answers') {
		mustBe('the whole answer', read.end === 'clean' && isWholeCloudAnswer(read));
		return { got: 'the answer', wrong };
	}
	if (the.right === 'passes') {
		mustBe('asked once', world.provider.calls.length === 1);
		mustBe('nothing local asked', world.local.calls.length === 0);
		mustBe('an error', isError(seen, read));
		return { got: `${seen.status}: ${short(read.error)}`, wrong };
	}
	if (!the.switched || the.right === 'asks-again') {
		mustBe('an error, never a clean end', isError(seen, read) && seen.ended === 'well');
		mustBe('no tool call of a broken answer', read.toolCalls.length === 0);
		mustBe('nothing local asked', world.local.calls.length === 0);
		const inStream = isEventStream(seen);
		return {
			got: `${seen.status}${inStream ? ', error event' : ''}: ${short(read.error) || 'its own page'}`,
			wrong,
		};
	}
	const text = read.texts.join('');
	mustBe('a clean end', read.end === 'clean' && seen.ended === 'well');
	mustBe('the local answer', text.endsWith(LOCAL_TEXT));
	mustBe('no tool call of a broken answer', read.toolCalls.length === 0);
	mustBe('one local call', world.local.calls.length === 1);
	mustBe('the same conversation', isSameConversation(world));
	if (the.right === 'fails-over') {
		mustBe('nothing of the broken answer', text.replace(LOCAL_LABEL, '') === LOCAL_TEXT);
		mustBe('a label', LOCAL_LABEL.test(text));
		mustBe('the local model’s name', read.models.join() === LOCAL_MODEL);
		return { got: 'the local answer, labelled', wrong };
	}
	mustBe('a labelled restart', RESTART.test(text));
	mustBe('the beginning kept', isBeginning(text.split(RESTART)[0] ?? ''));
	return { got: 'its beginning, the label, the local answer', wrong };
}

/** By its status, or in the protocol's own form. */
export function isError(seen: Observation, read: AnswerRead): boolean {
	return (seen.status ?? 0) >= 400 || read.end === 'error';
}

export function isEventStream(seen: Observation): boolean {
	return String(seen.headers['content-type'] ?? '').startsWith('text/event-stream');
}

function isWholeCloudAnswer(read: AnswerRead): boolean {
	const calls = (cloudAnswer.toolCalls ?? []).map(({ name, input }) => ({ name, input }));
	const isShort = read.texts.join('') === 'Half of';
	if (read.models.join() !== CLOUD_MODEL) return false;
	return (
		isShort ||
		(read.texts.join('') === cloudAnswer.text && JSON.stringify(read.toolCalls) === JSON.stringify(calls))
	);
}

function isBeginning(text: string): boolean {
	const kept = text.trimEnd();
	return kept !== '' && (cloudAnswer.text ?? '').startsWith(kept);
}

/** Model aside, the local server was asked exactly what the provider was, or would have been, asked. */
function isSameConversation(world: World): boolean {
	const [local] = world.local.calls;
	const cloud = world.provider.calls.at(-1);
	if (!local) return false;
	if (!cloud) return local.path === dialects[local.protocol ?? 'openai-chat'].path;
	const said = ({ json }: typeof local): string => {
		const { system, messages, instructions, input, tools, stream } = json;
		return JSON.stringify({ system, messages, instructions, input, tools, stream });
	};
	return said(local) === said(cloud);
}

export function short(text: string): string {
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
