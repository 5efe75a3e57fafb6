/** The front door `POST /v1/chat/completions`. */
import type { Protocol, ProtocolError } from '../../protocol.ts';
import { GatedRelay } from '../../relay/gated-relay.ts';
import { encodeFrame } from '../../sse/frame.ts';
import { readErrorBody } from '../error-body.ts';
import { errorBody, errorStatus } from '../openai-errors.ts';
import { retryHeaders } from '../retry-headers.ts';
import { labelAnswer, readAnswer } from './answer.ts';
import { forLocal } from './for-local.ts';
import { readRequest } from './request.ts';
import { ChatStream } from './stream.ts';

export const openaiChat: Protocol = {
	id: 'openai-chat',
	readRequest,
	forLocal,
	errorStatus,
	errorBody,
	errorHeaders: retryHeaders,
	/** No `[DONE]` behind it: the answer did not end. */
	errorEvent: (error: ProtocolError) => encodeFrame('', errorBody(error)),
	ping: Buffer.from(': waiting\n\n'),
	createRelay: (options) => new GatedRelay(new ChatStream(options)),
	readAnswer,
	labelAnswer,
	readError: readErrorBody,
};
