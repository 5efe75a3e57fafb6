/** The work of the last hour as a line without axes: busy, idle, not watched. In words for whoever does not see it. */
import type { Spark } from '../../shared/agent-view.ts';
import { sparkShape, sparkWords } from '../store/spark-words.ts';
import { useTimed } from './age.tsx';
import './spark-line.css';

/** Steps that must be known: fewer are no line, and look like dirt. */
const FEWEST = 4;

interface SparkLineProps {
	spark: Spark;
	/** CSS px. */
	width?: number;
	height?: number;
}

export function SparkLine({ spark, width = 72, height = 16 }: SparkLineProps) {
	const words = useTimed((now) => sparkWords(spark, now));
	if (spark.work.filter((tokens) => tokens !== null).length < FEWEST) return null;
	const { lines } = sparkShape(spark, width, height);
	return (
		<span className="spark-line" role="img" aria-label={words} title={words}>
			<svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
				{lines.map((line) => (
					<path key={line} d={line} />
				))}
			</svg>
		</span>
	);
}
