/** A spark line in words, for whoever does not see it. Pure. */
import type { Spark } from '../../shared/agent-view.ts';
import { compactNumber, minuteWords, spanWords } from '../../shared/format.ts';

/** "12k work tokens in the last 1 h, most at 14:20"; what was not watched is said, never taken for nothing. */
export function sparkWords({ work, stepMs, endsAt }: Spark, now: number, timeZone = ''): string {
	const known = work.filter((tokens) => tokens !== null);
	const whole = spanWords(work.length * stepMs);
	// A line that ended a while ago is of then.
	const when =
		now - endsAt > 2 * stepMs
			? `in the ${whole} to ${minuteWords(endsAt, now, timeZone)}`
			: `in the last ${whole}`;
	if (known.length === 0) return `Work ${when} is not known`;
	const sum = known.reduce((total, tokens) => total + tokens, 0);
	const unwatched = (work.length - known.length) * stepMs;
	const parts = [`${sum === 0 ? 'no' : compactNumber(sum)} work tokens ${when}`];
	if (sum > 0) {
		const most = work.indexOf(Math.max(...known));
		parts.push(`most at ${minuteWords(endsAt - (work.length - most) * stepMs, now, timeZone)}`);
	}
	if (unwatched > 0) parts.push(`${spanWords(unwatched)} of it not watched`);
	const words = parts.join(', ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface SparkShape {
	/** Paths of an SVG, one for each stretch that is known. A stretch of one bucket is a dot. */
	readonly lines: readonly string[];
}

/** The line in a box of `width` by `height`, its strokes `inset` within it. Where nothing is known there is a gap. */
export function sparkShape({ work }: Spark, width: number, height: number, inset = 1): SparkShape {
	const most = Math.max(1, ...work.map((tokens) => tokens ?? 0));
	const stepX = (width - 2 * inset) / Math.max(1, work.length - 1);
	const lines: string[] = [];
	let line = '';
	for (const [at, tokens] of work.entries()) {
		if (tokens === null) {
			if (line !== '') lines.push(line);
			line = '';
			continue;
		}
		const x = rounded(inset + at * stepX);
		const y = rounded(inset + (height - 2 * inset) * (1 - tokens / most));
		// A line of no length is drawn as a dot by its round cap.
		line += line === '' ? `M${x} ${y}h0` : `L${x} ${y}`;
	}
	if (line !== '') lines.push(line);
	return { lines };
}

function rounded(value: number): number {
	return Math.round(value * 10) / 10;
}
