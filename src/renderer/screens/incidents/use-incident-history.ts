/** Ended incidents from the store, a page at a time. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { type IncidentHistory, noHistory, withPage } from '../../store/incident-list.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';

/** Incidents of one page. */
const PAGE = 100;

export interface HistoryReading {
	readonly history: IncidentHistory;
	/** At least one page was read. */
	readonly read: boolean;
	readonly pending: boolean;
	readonly error: ChannelErrorData | null;
	readonly readOlder: () => void;
}

/** The first page is read when the list is shown; `connected`: a page that failed without the engine is read again. */
export function useIncidentHistory(connected: boolean): HistoryReading {
	const { transport } = useFloorContext();
	const [history, setHistory] = useState(noHistory);
	const [read, setRead] = useState(false);
	const [pending, setPending] = useState(false);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const asking = useRef(false);
	const readOlder = useCallback(() => {
		if (asking.current) return;
		asking.current = true;
		setPending(true);
		setError(null);
		transport
			.request('incident:history', { before: history.before, limit: PAGE })
			.then(
				(page) => {
					setHistory((known) => withPage(known, page));
					setRead(true);
				},
				(cause: unknown) => setError(channelErrorOf(cause)),
			)
			.finally(() => {
				asking.current = false;
				setPending(false);
			});
	}, [transport, history.before]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: only the first page is read by itself
	useEffect(() => {
		if (connected && !read) readOlder();
	}, [connected]);
	return { history, read, pending, error, readOlder };
}
