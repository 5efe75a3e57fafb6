/** Window → engine over Electron IPC: one handler per request channel, sender and arguments checked first. */
import { type Answer, type AnswerOptions, answerRequest } from '../../../shared/answer-request.ts';
import { isRequestChannel } from '../../../shared/channel-names.ts';
import { type RequestHandlers, requestChannels } from '../../../shared/channels.ts';
import { type Disposable, DisposableStore } from '../../../shared/disposable.ts';
import { isTrustedSender, type SenderEvent } from './sender.ts';

/** The part of `ipcMain` used here. */
export interface RequestRegistrar {
	handle(channel: string, listener: (event: SenderEvent, input: unknown) => Promise<Answer>): void;
	removeHandler(channel: string): void;
}

export interface RequestTransportOptions extends AnswerOptions {
	readonly isOwnWindow: (webContentsId: number) => boolean;
	/** Told of each request that did not come from a page of ours. */
	readonly onRefused: (channel: string, event: SenderEvent) => void;
}

/** Serves the whole channel map until disposed. No answer ever rejects: errors cross as data, without a stack. */
export function serveRequests(
	registrar: RequestRegistrar,
	handlers: RequestHandlers,
	options: RequestTransportOptions,
): Disposable {
	const served = new DisposableStore();
	for (const channel of Object.keys(requestChannels).filter(isRequestChannel)) {
		registrar.handle(channel, async (event, input) => {
			if (isTrustedSender(event, options.isOwnWindow)) {
				return answerRequest(handlers, channel, input, options);
			}
			options.onRefused(channel, event);
			return refused;
		});
		served.onDispose(() => registrar.removeHandler(channel));
	}
	return served;
}

const refused: Answer = {
	ok: false,
	error: {
		code: 'not-possible',
		message: 'The floor takes requests from its own window only.',
		meaning: 'Nothing was done; the agents go on as before.',
		remedy: 'Use the window of Agent Floor.',
	},
};
