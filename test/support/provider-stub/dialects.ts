/** The three protocols side by side, by what a step needs of them. */
import type { ProtocolId } from '../../../src/shared/failover-settings.ts';
import {
	anthropicAnswer,
	anthropicError,
	anthropicErrorEvent,
	anthropicErrorType,
	anthropicParts,
} from './anthropic-messages.ts';
import { chatAnswer, chatErrorEvent, chatParts, openaiError, openaiErrorType } from './openai-chat.ts';
import { responsesAnswer, responsesFailedEvent, responsesParts } from './openai-responses.ts';
import type { AnswerOptions, ScriptedAnswer, ScriptedError, StreamPart } from './scripted-answer.ts';

export interface Dialect {
	/** Below the base URL. */
	readonly path: string;
	readonly parts: (answer: ScriptedAnswer, options: Partial<AnswerOptions>) => StreamPart[];
	readonly answer: (answer: ScriptedAnswer, options: Partial<AnswerOptions>) => Uint8Array;
	readonly errorType: (status: number) => string;
	readonly error: (error: ScriptedError) => Uint8Array;
	/** `sequence`: number of events before it. */
	readonly errorEvent: (
		error: ScriptedError,
		options: Partial<AnswerOptions> & { readonly sequence?: number },
	) => Uint8Array;
}

export const dialects: Readonly<Record<ProtocolId, Dialect>> = {
	'anthropic-messages': {
		path: '/v1/messages',
		parts: anthropicParts,
		answer: anthropicAnswer,
		errorType: anthropicErrorType,
		error: anthropicError,
		errorEvent: anthropicErrorEvent,
	},
	'openai-chat': {
		path: '/v1/chat/completions',
		parts: chatParts,
		answer: chatAnswer,
		errorType: openaiErrorType,
		error: openaiError,
		errorEvent: chatErrorEvent,
	},
	'openai-responses': {
		path: '/v1/responses',
		parts: responsesParts,
		answer: responsesAnswer,
		errorType: openaiErrorType,
		error: openaiError,
		errorEvent: responsesFailedEvent,
	},
};

/** The protocol of a path ("/v1/messages?beta=true"); `null` for everything that asks no model. */
export function protocolOfPath(url: string): ProtocolId | null {
	const path = url.split('?')[0] ?? '';
	if (path.endsWith(dialects['anthropic-messages'].path)) return 'anthropic-messages';
	if (path.endsWith(dialects['openai-chat'].path)) return 'openai-chat';
	return path.endsWith(dialects['openai-responses'].path) ? 'openai-responses' : null;
}
