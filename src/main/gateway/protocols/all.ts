/** The front doors by name. */
import type { ProtocolId } from '../../../shared/failover-settings.ts';
import type { Protocol } from '../protocol.ts';
import { anthropicMessages } from './anthropic/anthropic-messages.ts';
import { openaiChat } from './chat/openai-chat.ts';
import { openaiResponses } from './responses/openai-responses.ts';

export const protocols: Readonly<Record<ProtocolId, Protocol>> = {
	'anthropic-messages': anthropicMessages,
	'openai-chat': openaiChat,
	'openai-responses': openaiResponses,
};
