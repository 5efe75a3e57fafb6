/** How fresh the picture is: the connection to the engine, and the engine's own heartbeat. */
import { beatWords, spanWords } from '../../../shared/format.ts';
import type { ConnectionState } from '../../../shared/transport.ts';
import { useFloor, useStatus } from '../../store/floor-context.tsx';
import { useTimed } from '../../widgets/age.tsx';

export function Connection() {
	const connection = useFloor((state) => state.connection);
	const known = useStatus() !== null;
	const words = useTimed((now) => connectionWords(connection.state, now - connection.since, known));
	const lost = connection.state === 'disconnected' || connection.state === 'refused';
	return (
		<p data-testid="connection-state" data-connection={connection.state} className={lost ? 'fact-lost' : ''}>
			{words}
		</p>
	);
}

/** `age` of the state in ms; `known`: a picture is on screen. */
export function connectionWords(state: ConnectionState, age: number, known: boolean): string {
	switch (state) {
		case 'connected':
			return known ? 'engine connected' : 'engine connected, reading the floor…';
		case 'connecting':
			return age < 5000 ? 'connecting…' : `no answer from the engine for ${spanWords(age)}`;
		case 'refused':
			return known
				? 'the engine does not let this window in: what you see is old'
				: 'the engine does not let this window in';
		case 'disconnected':
			return known
				? `engine lost ${spanWords(age)} ago: what you see is old`
				: `engine lost ${spanWords(age)} ago`;
	}
}

export function Beat() {
	const status = useStatus();
	const connected = useFloor((state) => state.connection.state === 'connected');
	const late = useTimed((now) => status !== null && connected && beatWords(status, now).late);
	const words = useTimed((now) => (status === null ? '' : beatWords(status, now).words));
	// Without a connection the beat is not known to be late; the connection says so already.
	if (status === null || !connected) return null;
	return (
		<p
			className={late ? 'fact-late' : ''}
			title={`One beat every ${status.heartbeatSeconds} s judges every agent`}
		>
			{words}
		</p>
	);
}
