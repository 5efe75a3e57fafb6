/** Replay: a mark that moves through the timeline, and what was known of the agent at that moment. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { timeWords } from '../../../shared/format.ts';
import type { TimelineEntry } from '../../../shared/timeline.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { levelBands, skipQuiet, standingAt } from '../../store/timeline-standing.ts';
import { Icon } from '../../widgets/icon.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { Segments } from '../../widgets/segments.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

const speeds = [
	{ value: '1', words: '1×' },
	{ value: '10', words: '10×' },
	{ value: '60', words: '60×' },
	{ value: '600', words: '600×' },
] as const;
type Speed = (typeof speeds)[number]['value'];

/** Which way an arrow key moves the mark, by a hundredth of the whole. */
const arrows: Partial<Record<string, 1 | -1>> = {
	ArrowRight: 1,
	ArrowUp: 1,
	ArrowLeft: -1,
	ArrowDown: -1,
};

/** With reduced motion the mark moves in steps, ms. */
const STEP_MS = 500;

interface TimelinePlayerProps {
	/** Oldest first; at least one. */
	entries: readonly TimelineEntry[];
	/** Ms; `null`: at the end. */
	at: number | null;
	onAt: (at: number | null) => void;
}

export function TimelinePlayer({ entries, at, onAt }: TimelinePlayerProps) {
	const { clock } = useFloorContext();
	const [playing, setPlaying] = useState(false);
	const [speed, setSpeed] = useState<Speed>('60');
	const times = useMemo(() => timesOf(entries), [entries]);
	const from = times[0] ?? 0;
	const to = Math.max(from + 1, times.at(-1) ?? from);
	const now = at ?? to;
	const latest = useRef(now);
	latest.current = now;
	useEffect(() => {
		if (!playing) return;
		let before = performance.now();
		const move = () => {
			const passed = performance.now() - before;
			before += passed;
			const next = skipQuiet(times, latest.current + passed * Number(speed));
			if (next >= to) {
				setPlaying(false);
				onAt(null);
			} else onAt(next);
		};
		const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
		if (calm) {
			const timer = setInterval(move, STEP_MS);
			return () => clearInterval(timer);
		}
		let frame = requestAnimationFrame(function again() {
			move();
			frame = requestAnimationFrame(again);
		});
		return () => cancelAnimationFrame(frame);
	}, [playing, speed, times, to, onAt]);
	const standing = useMemo(() => standingAt(entries, now), [entries, now]);
	const bands = useMemo(() => levelBands(entries, from, to), [entries, from, to]);
	const words = timeWords(now, clock.now());
	return (
		<section className="player" aria-label="Replay" data-testid="player">
			<div className="player-controls">
				<button
					type="button"
					className="button"
					onClick={() => {
						// From the end it begins anew.
						if (!playing && at === null) onAt(from);
						setPlaying(!playing);
					}}
				>
					<Icon name={playing ? 'pause' : 'play'} /> {playing ? 'Pause' : 'Replay'}
				</button>
				<Segments label="Speed" value={speed} options={speeds} onChange={setSpeed} />
				<output className="player-time">{at === null ? `now, ${words}` : words}</output>
				{at !== null && (
					<button
						type="button"
						className="button button-bare"
						onClick={() => {
							setPlaying(false);
							onAt(null);
						}}
					>
						To the end
					</button>
				)}
			</div>
			<div className="player-track">
				<svg className="player-bands" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
					{bands.map((band) => (
						<rect
							key={band.from}
							className={`band band-${band.level}`}
							x={((band.from - from) / (to - from)) * 100}
							y="0"
							width={((band.to - band.from) / (to - from)) * 100}
							height="4"
						/>
					))}
				</svg>
				<input
					type="range"
					className="player-slider"
					aria-label="Moment of the replay"
					aria-valuetext={words}
					min={from}
					max={to}
					step={1}
					// By itself an arrow key would move a millisecond.
					onKeyDown={(event) => {
						const way = arrows[event.key];
						if (way === undefined) return;
						event.preventDefault();
						const next = Math.max(from, now + (way * (to - from)) / 100);
						onAt(next >= to ? null : next);
					}}
					value={now}
					onChange={({ target }) => onAt(Number(target.value) >= to ? null : Number(target.value))}
				/>
			</div>
			<dl className="player-standing" data-testid="standing">
				<dt>Level</dt>
				<dd>
					{standing.level === null ? 'not known' : <LevelMark level={standing.level} />}
					{standing.order !== null && <span className="soft"> your order: {standing.order.action}</span>}
				</dd>
				<dt>Turn</dt>
				<dd>
					{standing.turn === null ? (
						'none'
					) : standing.turn.prompt === '' ? (
						'its prompt was not told'
					) : (
						<Untrusted text={standing.turn.prompt} limit={160} line />
					)}
				</dd>
				<dt>{standing.waiting === null ? 'Doing' : 'Waits for you'}</dt>
				<dd>
					{standing.waiting !== null ? (
						<Untrusted text={standing.waiting.reason} limit={200} line />
					) : standing.running.length > 0 ? (
						standing.running.slice(-3).map((tool) => (
							<p key={tool.id}>
								<Untrusted text={`${tool.tool} ${tool.target}`} limit={200} mono line />
							</p>
						))
					) : (
						'no call in flight'
					)}
				</dd>
				<dt>So far</dt>
				<dd>
					{standing.notes === 1 ? '1 note' : `${standing.notes} notes`},{' '}
					{standing.refused === 1 ? '1 call refused' : `${standing.refused} calls refused`}
					{standing.lastMark !== null && (
						<>
							{'; last: '}
							<Untrusted text={standing.lastMark.text} limit={160} />
						</>
					)}
				</dd>
			</dl>
		</section>
	);
}

/** All moments at which something began or ended, ascending. */
function timesOf(entries: readonly TimelineEntry[]): number[] {
	const times = entries.flatMap(({ at, endedAt }) => (endedAt === null ? [at] : [at, endedAt]));
	return [...new Set(times)].sort((a, b) => a - b);
}
