/** The figures of a period: read when they are shown, and again when more was counted. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { SloDay } from '../../../shared/failover-view.ts';
import type { Insights } from '../../../shared/insights-view.ts';
import type { FloorTransport } from '../../../shared/transport.ts';
import { useFloor, useFloorContext } from '../../store/floor-context.tsx';
import { type LastReading, readDelay } from '../../store/insights-reading.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';

export interface Reading<T> {
	/** Of the period asked for; `null`: not read yet. */
	readonly value: T | null;
	/** Why it could not be read the last time. */
	readonly error: ChannelErrorData | null;
	/** Reads now: something was changed from here. */
	readonly readAgain: () => void;
}

/** `ask`: always the same function. `days`: 1 is today. */
export function useDaysReading<T>(
	ask: (transport: FloorTransport, days: number) => Promise<T>,
	days: number,
): Reading<T> {
	const { transport, floor } = useFloorContext();
	const asOf = useFloor(({ picture }) => picture.usage.value?.asOf ?? 0);
	const connected = useFloor(({ connection }) => connection.state === 'connected');
	const [read, setRead] = useState<{ readonly days: number; readonly value: T } | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const [shown, setShown] = useState(0);
	const last = useRef<LastReading | null>(null);
	/** The newest question; the answer to an older one is not taken. */
	const newest = useRef(0);
	const readNow = useCallback(() => {
		last.current = { at: Date.now(), asOf: floor.getState().picture.usage.value?.asOf ?? 0 };
		newest.current += 1;
		const mine = newest.current;
		ask(transport, days).then(
			(value) => {
				if (mine !== newest.current) return;
				setRead({ days, value });
				setError(null);
			},
			(cause: unknown) => mine === newest.current && setError(channelErrorOf(cause)),
		);
	}, [transport, floor, ask, days]);
	// Another period, another connection, or shown again after it was out of sight.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above
	useEffect(() => {
		if (connected) readNow();
		return () => {
			// Whatever is still under way is of the past.
			newest.current += 1;
		};
	}, [readNow, connected, shown]);
	useEffect(() => {
		if (!connected || document.visibilityState === 'hidden') return;
		const delay = readDelay(last.current, asOf, Date.now());
		if (delay === null) return;
		const timer = setTimeout(readNow, delay);
		return () => clearTimeout(timer);
	}, [asOf, connected, readNow]);
	useEffect(() => {
		const onShown = () => document.visibilityState === 'visible' && setShown((times) => times + 1);
		document.addEventListener('visibilitychange', onShown);
		return () => document.removeEventListener('visibilitychange', onShown);
	}, []);
	return { value: read?.days === days ? read.value : null, error, readAgain: readNow };
}

export function askInsights(transport: FloorTransport, days: number): Promise<Insights> {
	return transport.request('insights:read', { days });
}

export function askServiceLevels(transport: FloorTransport, days: number): Promise<SloDay[]> {
	return transport.request('slo:read', { days });
}
