/** One question to the engine at a time: which is under way, and why the last one failed. */
import { useState } from 'react';
import type { ChannelErrorData, RequestChannel, RequestInput, RequestOutput } from '../../shared/channels.ts';
import { channelErrorOf } from '../transport/transport-errors.ts';
import { useFloorContext } from './floor-context.tsx';

export interface Asking {
	/** The name given to the question under way; `null` when none is. */
	readonly pending: string | null;
	readonly error: ChannelErrorData | null;
	readonly forget: () => void;
	/** `null`: it failed (then `error` says why) or another question is still under way. Never rejects. */
	readonly ask: <C extends RequestChannel>(
		name: string,
		channel: C,
		input: RequestInput<C>,
	) => Promise<RequestOutput<C> | null>;
}

export function useRequest(): Asking {
	const { transport } = useFloorContext();
	const [pending, setPending] = useState<string | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	return {
		pending,
		error,
		forget: () => setError(null),
		ask: async (name, channel, input) => {
			if (pending !== null) return null;
			setPending(name);
			setError(null);
			try {
				return await transport.request(channel, input);
			} catch (cause) {
				setError(channelErrorOf(cause));
				return null;
			} finally {
				setPending(null);
			}
		},
	};
}
