/** Figures by day: bars or a line, with a table of the same figures behind a button. The drawing is loaded on demand. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { ChartData, ChartSeries } from './chart-data.ts';
import './chart.css';

interface ChartProps {
	title: string;
	data: ChartData;
	/** All that there is to say of one day, for whoever points at it. */
	dayWords: (index: number) => string;
	/** The same figures as a table. */
	children: ReactNode;
}

export function Chart({ title, data, dayWords, children }: ChartProps) {
	const [hovered, setHovered] = useState<number | null>(null);
	const place = useChart(data, setHovered);
	const several = data.series.length > 1;
	const words = hovered !== null && hovered < data.days.length ? dayWords(hovered) : '';
	return (
		<figure className="chart" data-testid="chart">
			<figcaption className="chart-caption">
				<strong>{title}</strong>
				{several && (
					<span className="chart-legend">
						{data.series.map(({ label, shape }) => (
							<span key={label} className="chart-key">
								<KeyGlyph shape={shape} />
								{label}
							</span>
						))}
					</span>
				)}
				{/* For the pointer alone: the table says the same. */}
				<span className="chart-hovered" aria-hidden="true">
					{visibleText(words)}
				</span>
			</figcaption>
			<div ref={place} className="chart-place" aria-hidden="true" />
			<details className="chart-table">
				<summary>
					Table<span className="unseen">: {title}</span>
				</summary>
				{children}
			</details>
		</figure>
	);
}

function KeyGlyph({ shape }: { shape: ChartSeries['shape'] }) {
	return (
		<svg className="chart-key-glyph" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
			{shape === 'bars' && <path className="filled" d="M0 0h10v10H0z" />}
			{shape === 'hatched' && <path d="M.5.5h9v9h-9zM.5 5 5 .5M.5 9.5l9-9M5 9.5 9.5 5" />}
			{shape === 'line' && <path d="M0 5h10" />}
		</svg>
	);
}

/** Keeps a drawing of `data` in the place that it returns: true to its width and to the theme. */
function useChart(data: ChartData, onHover: (index: number | null) => void) {
	const place = useRef<HTMLDivElement>(null);
	const theme = useThemeChanges();
	// A new object with the same figures is no new drawing.
	const figures = JSON.stringify([data.days, data.series, data.marks]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above; another theme has other colours
	useEffect(() => {
		const element = place.current;
		if (element === null) return;
		let end = (): void => {};
		let wanted = true;
		void import('./chart-canvas.ts').then(
			({ drawChart }) => {
				if (!wanted) return;
				const drawn = drawChart(element, data, onHover);
				const sizes = new ResizeObserver(() => drawn.resize(element.clientWidth));
				sizes.observe(element);
				end = () => {
					sizes.disconnect();
					drawn.dispose();
				};
			},
			// The table has the figures.
			() => element.replaceChildren('The drawing could not be loaded; the table below has its figures.'),
		);
		return () => {
			wanted = false;
			end();
		};
	}, [figures, theme]);
	return place;
}

/** Counts the changes of the theme, the window's own and the system's. */
function useThemeChanges(): number {
	const [changes, setChanges] = useState(0);
	useEffect(() => {
		const changed = () => setChanges((known) => known + 1);
		const system = window.matchMedia('(prefers-color-scheme: dark)');
		system.addEventListener('change', changed);
		const own = new MutationObserver(changed);
		own.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
		return () => {
			system.removeEventListener('change', changed);
			own.disconnect();
		};
	}, []);
	return changes;
}
