/** Which programs are on this machine and how they are connected: read when shown, and again after every change. */
import { useCallback, useEffect, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { Connections } from '../../../shared/connection-view.ts';
import { useFloor, useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';

export interface ReadConnections {
	/** The last that was read; `null` before. */
	readonly connections: Connections | null;
	/** Why the last reading failed; `null` when it did not. */
	readonly error: ChannelErrorData | null;
	readonly reading: boolean;
	readonly read: () => void;
}

export function useConnections(): ReadConnections {
	const { transport } = useFloorContext();
	// The engine tells of every change of a program's hooks; the rest is read with it.
	const hooks = useFloor(({ picture }) => JSON.stringify(picture.status.value?.hooks ?? null));
	const connected = useFloor(({ connection }) => connection.state === 'connected');
	const [connections, setConnections] = useState<Connections | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const [asked, setAsked] = useState(0);
	const [reading, setReading] = useState(true);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `hooks` and `asked` are reasons to read again
	useEffect(() => {
		if (!connected) return;
		let wanted = true;
		setReading(true);
		transport
			.request('connections:read', {})
			.then(
				(read) => {
					if (!wanted) return;
					setConnections(read);
					setError(null);
				},
				(cause: unknown) => wanted && setError(channelErrorOf(cause)),
			)
			.finally(() => wanted && setReading(false));
		return () => {
			wanted = false;
		};
	}, [transport, connected, hooks, asked]);
	const read = useCallback(() => setAsked((times) => times + 1), []);
	return { connections, error, reading, read };
}
