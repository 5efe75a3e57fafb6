/** The front door `POST /v1/messages`. */
import type { Protocol } from '../../protocol.ts';
import { GatedRelay } from '../../relay/gated-relay.ts';
import { readErrorBody } from '../error-body.ts';
import { retryHeaders } from '../retry-headers.ts';
import { labelAnswer, readAnswer } from './answer.ts';
import { errorBody, errorEvent, errorStatus } from './errors.ts';
import { forLocal } from './for-local.ts';
import { readRequest } from './request.ts';
import { AnthropicStream } from './stream.ts';

export const anthropicMessages: Protocol = {
	id: 'anthropic-messages',
	readRequest,
	forLocal,
	errorStatus,
	errorBody,
	errorHeaders: retryHeaders,
	errorEvent,
	ping: Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'),
	createRelay: (options) => new GatedRelay(new AnthropicStream(options)),
	readAnswer,
	labelAnswer,
	readError: readErrorBody,
};
