/** One request answered: arguments checked, the handler called, any failure turned into words. Both transports use it. */
import {
	ChannelError,
	type ChannelErrorData,
	type RequestArguments,
	type RequestChannel,
	type RequestHandlers,
	type RequestOutput,
	requestChannels,
} from './channels.ts';

/** What crosses the wire in answer to a request. */
export type Answer =
	| { readonly ok: true; readonly output: unknown }
	| { readonly ok: false; readonly error: ChannelErrorData };

export interface AnswerOptions {
	/** Told of every failure that is not a `ChannelError`, with its stack, which never crosses the wire. */
	readonly onUnexpected: (channel: RequestChannel, error: unknown) => void;
	/** Parse the handler's output as well: an output the map does not allow becomes an internal error. */
	readonly checkOutput?: boolean;
}

/** Never rejects. `input` is whatever arrived. */
export async function answerRequest(
	handlers: RequestHandlers,
	channel: RequestChannel,
	input: unknown,
	options: AnswerOptions,
): Promise<Answer> {
	const parsed = requestChannels[channel].input.safeParse(input);
	if (!parsed.success) return { ok: false, error: invalidArgument(channel, parsed.error.issues[0]) };
	try {
		// The schema of this channel produced the arguments; the union over all channels is what TypeScript cannot follow.
		const handler = handlers[channel] as Handler<RequestChannel>;
		const output = await handler(parsed.data as RequestArguments<RequestChannel>);
		return { ok: true, output: options.checkOutput ? requestChannels[channel].output.parse(output) : output };
	} catch (error) {
		if (error instanceof ChannelError) return { ok: false, error: error.data };
		options.onUnexpected(channel, error);
		return { ok: false, error: internalError(channel) };
	}
}

type Handler<C extends RequestChannel> = (args: RequestArguments<C>) => Promise<RequestOutput<C>>;

function invalidArgument(
	channel: RequestChannel,
	issue: { path: readonly PropertyKey[]; message: string } | undefined,
): ChannelErrorData {
	const where = issue?.path.length ? ` at ${issue.path.map(String).join('.')}` : '';
	return {
		code: 'invalid-argument',
		message: `${channel} was asked with something it does not take${where}: ${issue?.message ?? 'invalid input'}.`,
		meaning: 'Nothing was done; the agents go on as before.',
		remedy: 'Correct the entry and try again.',
	};
}

function internalError(channel: RequestChannel): ChannelErrorData {
	return {
		code: 'internal',
		message: `The floor failed while answering ${channel}.`,
		meaning: 'It is not known whether this was done; the agents keep their present standing.',
		remedy: 'Look at the agent before trying again; if it fails again, restart the floor.',
	};
}
