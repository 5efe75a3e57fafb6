/** The front door `POST /v1/responses`. */
import type { Protocol } from '../../protocol.ts';
import { GatedRelay } from '../../relay/gated-relay.ts';
import { readErrorBody } from '../error-body.ts';
import { errorBody, errorStatus } from '../openai-errors.ts';
import { retryHeaders } from '../retry-headers.ts';
import { labelAnswer, readAnswer } from './answer.ts';
import { failedEvent } from './errors.ts';
import { forLocal } from './for-local.ts';
import { readRequest } from './request.ts';
import { ResponsesStream } from './stream.ts';

export const openaiResponses: Protocol = {
	id: 'openai-responses',
	readRequest,
	forLocal,
	errorStatus,
	errorBody,
	errorHeaders: retryHeaders,
	errorEvent: failedEvent,
	ping: Buffer.from(': waiting\n\n'),
	createRelay: (options) => new GatedRelay(new ResponsesStream(options)),
	readAnswer,
	labelAnswer,
	readError: readErrorBody,
};
