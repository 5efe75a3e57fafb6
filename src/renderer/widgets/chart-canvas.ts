/** The drawing of a chart. Loaded when the first chart is shown; everything it draws also stands in a table. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartData, ChartSeries } from './chart-data.ts';

/** Height of the drawing, px. */
const HEIGHT = 136;
/** Room for a day's name on the axis, px. */
const DAY_PX = 56;
/** Room for the figures at the left, px. */
const SCALE_PX = 56;
const FONT = '12px "Inter Variable", system-ui, sans-serif';
/** Distance of hatching lines, px. */
const HATCH_PX = 5;

interface Inks {
	readonly bar: string;
	readonly text: string;
	readonly grid: string;
	readonly ground: string;
}

export interface DrawnChart {
	readonly resize: (width: number) => void;
	readonly dispose: () => void;
}

/** `onHover`: the day under the pointer, `null` when there is none. */
export function drawChart(
	place: HTMLElement,
	data: ChartData,
	onHover: (index: number | null) => void,
): DrawnChart {
	const inks = inksAt(place);
	const last = data.days.length - 1;
	const chart = new uPlot(
		{
			width: Math.max(1, place.clientWidth),
			height: HEIGHT,
			// The newest day's name needs room at the right.
			padding: [10, 18, 0, 0],
			legend: { show: false },
			cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
			scales: {
				x: { time: false, range: () => [-0.6, last + 0.6] },
				// Zero is always the ground line; nothing at all still has a scale.
				y: { range: (_chart, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
			},
			axes: [
				{
					stroke: inks.text,
					font: FONT,
					size: 24,
					gap: 6,
					grid: { show: false },
					ticks: { show: false },
					splits: (chart) => daySplits(data.days.length, chart.width - SCALE_PX),
					values: (_chart, splits) => splits.map((index) => data.days[index] ?? ''),
				},
				{
					stroke: inks.text,
					font: FONT,
					size: SCALE_PX,
					gap: 8,
					space: 36,
					grid: { stroke: inks.grid, width: 1 },
					ticks: { show: false },
					values: (_chart, splits) => splits.map((value) => data.scaleWords(value)),
				},
			],
			series: [{}, ...data.series.map((series) => seriesOptions(series, inks))],
			hooks: {
				draw: [(chart) => drawMarks(chart, data, inks)],
				setCursor: [({ cursor }) => onHover(cursor.idx ?? null)],
			},
		},
		[data.days.map((_day, index) => index), ...data.series.map(({ values }) => [...values])],
		place,
	);
	return {
		resize: (width) => chart.setSize({ width: Math.max(1, width), height: HEIGHT }),
		dispose: () => chart.destroy(),
	};
}

function seriesOptions({ label, shape }: ChartSeries, inks: Inks): uPlot.Series {
	if (shape === 'line') {
		const points = { show: true, size: 6, fill: inks.bar, stroke: inks.bar };
		return { label, stroke: inks.bar, width: 1.5, points, spanGaps: false };
	}
	const paths = uPlot.paths.bars?.({ size: [0.62, 44] });
	return {
		label,
		width: shape === 'hatched' ? 1 : 0,
		stroke: inks.bar,
		fill: shape === 'hatched' ? () => hatching(inks) : inks.bar,
		points: { show: false },
		...(paths === undefined ? {} : { paths }),
	};
}

/** Told apart from a filled bar by its drawing, not by a colour. */
function hatching({ bar, ground }: Inks): CanvasPattern | string {
	const size = Math.round(HATCH_PX * window.devicePixelRatio);
	const tile = document.createElement('canvas');
	tile.width = size;
	tile.height = size;
	const context = tile.getContext('2d');
	if (context === null) return ground;
	context.fillStyle = ground;
	context.fillRect(0, 0, size, size);
	context.strokeStyle = bar;
	context.lineWidth = window.devicePixelRatio;
	context.beginPath();
	for (const shift of [-size, 0, size]) {
		context.moveTo(shift, size);
		context.lineTo(shift + size, 0);
	}
	context.stroke();
	return context.createPattern(tile, 'repeat') ?? ground;
}

/** What must be said of a day beside its bar: "?" where it is not known, "≥" where it is at least that much. */
function drawMarks(chart: uPlot, { marks, series }: ChartData, inks: Inks): void {
	const { ctx } = chart;
	ctx.save();
	ctx.font = FONT.replace('12px', `${12 * window.devicePixelRatio}px`);
	ctx.fillStyle = inks.text;
	ctx.textAlign = 'center';
	ctx.textBaseline = 'bottom';
	marks?.forEach((mark, index) => {
		if (mark === '') return;
		const value = series[0]?.values[index] ?? 0;
		const x = chart.valToPos(index, 'x', true);
		ctx.fillText(mark, x, chart.valToPos(value, 'y', true) - 2 * window.devicePixelRatio);
	});
	ctx.restore();
}

/** Days that are named on the axis: the newest always, and as many as there is room for. */
function daySplits(days: number, width: number): number[] {
	const step = Math.max(1, Math.ceil((days * DAY_PX) / Math.max(DAY_PX, width)));
	return Array.from({ length: days }, (_, index) => index).filter((index) => (days - 1 - index) % step === 0);
}

/** Tokens as the browser resolves them here and now: canvas knows no custom properties. */
function inksAt(place: HTMLElement): Inks {
	const probe = document.createElement('span');
	place.append(probe);
	const colour = (token: string): string => {
		probe.style.color = `var(${token})`;
		return getComputedStyle(probe).color;
	};
	const inks = {
		bar: colour('--ink-soft'),
		text: colour('--ink-faint'),
		grid: colour('--line'),
		ground: colour('--ground'),
	};
	probe.remove();
	return inks;
}
