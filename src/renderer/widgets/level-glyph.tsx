/** The ladder: four rungs, lit from the bottom. It reads at 12 px and without colour. */
import type { BreakerLevel } from '../../shared/words.ts';
import './level-glyph.css';

const litRungs: Record<BreakerLevel, number> = { healthy: 1, steering: 2, constrained: 3, stopped: 4 };

/** Always beside the level's word, so it is not announced. `size` in CSS px; multiples of 12 stay sharp. */
export function LevelGlyph({ level, size = 12 }: { level: BreakerLevel; size?: number }) {
	return (
		<svg
			className={`level-glyph level-${level}`}
			width={size}
			height={size}
			viewBox="0 0 12 12"
			aria-hidden="true"
		>
			{[9, 6, 3, 0].map((y, rung) =>
				rung < litRungs[level] ? (
					<rect key={y} x="0" y={y} width="12" height="2" />
				) : (
					<path key={y} className="unlit" d={`M0 ${y}h2v2h-2zM10 ${y}h2v2h-2z`} />
				),
			)}
		</svg>
	);
}

/** Glyph and word; `word` where the rung's own would say too much. */
export function LevelMark({ level, size, word }: { level: BreakerLevel; size?: number; word?: string }) {
	return (
		<span className={`level-mark level-${level}`}>
			<LevelGlyph level={level} {...(size === undefined ? {} : { size })} />
			<span className="level-word">{word ?? level}</span>
		</span>
	);
}
