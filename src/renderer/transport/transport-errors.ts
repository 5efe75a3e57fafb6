/** What a window can say for itself when the engine gives no answer. */
import { ChannelError, type ChannelErrorData, channelErrorSchema } from '../../shared/channels.ts';

/** The request was not sent. */
export const notConnected: ChannelErrorData = {
	code: 'disconnected',
	message: 'The floor is not connected to its engine.',
	meaning: 'Nothing was asked; the agents go on as before.',
	remedy: 'Wait until the top bar says “engine connected”, then try again.',
};

/** The connection went away between question and answer. */
export const lostMeanwhile: ChannelErrorData = {
	code: 'disconnected',
	message: 'The connection was lost before the engine answered.',
	meaning: 'It is not known whether this was done.',
	remedy: 'Look at the agent once the floor is connected again, before trying again.',
};

export function noAnswerWithin(seconds: number): ChannelErrorData {
	return {
		code: 'internal',
		message: `The engine did not answer within ${seconds} s.`,
		meaning: 'It is not known whether this was done.',
		remedy: 'Look at the agent before trying again. If it happens again, restart the floor.',
	};
}

/** Electron's bridge failed: the main process has no handler or is gone. */
export function noEngine(cause: unknown): ChannelErrorData {
	return {
		code: 'internal',
		message: `The engine could not be asked: ${cause instanceof Error ? cause.message : String(cause)}.`,
		meaning: 'It is not known whether this was done.',
		remedy: 'Restart the floor. Agents connected by hooks work on meanwhile.',
	};
}

/** The engine answered something this window does not understand: they are of different versions. */
export const notUnderstood: ChannelErrorData = {
	code: 'internal',
	message: 'The engine answered in a form this window does not know.',
	meaning: 'What you see may be incomplete.',
	remedy: 'Reload the window; after an update, restart the floor.',
};

/** Any rejection as an error a person can act on. */
export function channelErrorOf(error: unknown): ChannelErrorData {
	if (error instanceof ChannelError) return error.data;
	const data = channelErrorSchema.safeParse(error);
	return data.success ? data.data : noEngine(error);
}
