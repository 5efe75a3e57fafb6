/** What a chart shows, apart from how it is drawn. */

export interface ChartSeries {
	readonly label: string;
	/** `hatched`: a part of the bar before it, drawn over it. */
	readonly shape: 'bars' | 'hatched' | 'line';
	/** One for each day; `null`: not known, drawn as a gap. */
	readonly values: readonly (number | null)[];
}

export interface ChartData {
	/** Names of the days on the axis, oldest first. */
	readonly days: readonly string[];
	readonly series: readonly ChartSeries[];
	/** A figure of the scale in words, with its unit. */
	readonly scaleWords: (value: number) => string;
	/** Drawn above the bar of a day; empty: nothing. */
	readonly marks?: readonly string[];
}
