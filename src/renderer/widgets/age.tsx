/** Words that change as time goes by. All of them share one timer; only words that changed are drawn again. */
import { useSyncExternalStore } from 'react';
import { agoWords, spanWords, timeWords } from '../../shared/format.ts';
import { leftWords } from '../store/failover-words.ts';
import { useFloorContext } from '../store/floor-context.tsx';

/** Draws `words(now)` and keeps it true. Keep `words` cheap: it is asked once a second. */
export function useTimed<T extends string | number | boolean | null>(words: (now: number) => T): T {
	const { clock } = useFloorContext();
	const current = () => words(clock.now());
	return useSyncExternalStore(clock.subscribe, current, current);
}

/** "12 s ago"; the exact time on hover. */
export function Ago({ at }: { at: number }) {
	return <Timed at={at} words={(now) => agoWords(at, now)} />;
}

/** "12 s". */
export function Span({ since }: { since: number }) {
	return <Timed at={since} words={(now) => spanWords(now - since)} />;
}

/** A countdown to `until`: "1 m 48 s". */
export function Left({ until }: { until: number }) {
	return <Timed at={until} words={(now) => leftWords(until, now)} />;
}

function Timed({ at, words }: { at: number; words: (now: number) => string }) {
	const { clock } = useFloorContext();
	const shown = useTimed(words);
	return (
		<time className="nowrap" dateTime={new Date(at).toISOString()} title={timeWords(at, clock.now())}>
			{shown}
		</time>
	);
}

/** "14:02:11", with the age on hover. */
export function ClockTime({ at }: { at: number }) {
	const { clock } = useFloorContext();
	const now = clock.now();
	return (
		<time className="nowrap" dateTime={new Date(at).toISOString()} title={agoWords(at, now)}>
			{timeWords(at, now)}
		</time>
	);
}
