/** A client of each protocol that notices everything: whole content, the right end, no breach of the protocol. */
import type { ProtocolId } from '../../src/shared/failover-settings.ts';
import type { AnswerRead } from './strict-client/answer-read.ts';
import { readAnthropicAnswer, readAnthropicStream } from './strict-client/anthropic-messages.ts';
import { readChatAnswer, readChatStream } from './strict-client/openai-chat.ts';
import { readResponsesAnswer, readResponsesStream } from './strict-client/openai-responses.ts';

const streams: Readonly<Record<ProtocolId, (bytes: Uint8Array) => AnswerRead>> = {
	'anthropic-messages': readAnthropicStream,
	'openai-chat': readChatStream,
	'openai-responses': readResponsesStream,
};
const answers: Readonly<Record<ProtocolId, (bytes: Uint8Array) => AnswerRead>> = {
	'anthropic-messages': readAnthropicAnswer,
	'openai-chat': readChatAnswer,
	'openai-responses': readResponsesAnswer,
};

/** Reads the bytes of a 200 answer as the protocol's own client would, strictly. */
export function readStrictly(protocol: ProtocolId, isStream: boolean, bytes: Uint8Array): AnswerRead {
	return (isStream ? streams : answers)[protocol](bytes);
}
