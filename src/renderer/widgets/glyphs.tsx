/** Small shapes that stand beside their words, so that nothing is told by colour alone. */
import './glyphs.css';

export type Presence = 'yes' | 'no' | 'barred' | 'off' | 'unknown';

/** Dot: there. Cross: not there. Barred dot: there, and it lets nobody in. Ring: not running. Broken ring: not known. */
export function PresenceGlyph({ presence }: { presence: Presence }) {
	return (
		<svg
			className={`presence presence-${presence}`}
			width="10"
			height="10"
			viewBox="0 0 10 10"
			aria-hidden="true"
		>
			{presence === 'yes' && <circle cx="5" cy="5" r="3.5" />}
			{presence === 'no' && <path className="outline" d="M1.5 1.5l7 7M8.5 1.5l-7 7" />}
			{presence === 'barred' && <path className="outline" d="M5 1.2a3.8 3.8 0 1 0 .01 0M2.5 5h5" />}
			{presence === 'off' && <circle className="outline" cx="5" cy="5" r="3.5" />}
			{presence === 'unknown' && (
				<circle className="outline" cx="5" cy="5" r="3.8" strokeDasharray="3.2 2.77" />
			)}
		</svg>
	);
}

/** The diamond of "for you"; hollow while nothing is asked. */
export function QuestionGlyph({ open }: { open: boolean }) {
	return (
		<svg className="question" width="12" height="12" viewBox="0 0 10 10" aria-hidden="true">
			{open ? <path d="M5 0 10 5 5 10 0 5z" /> : <path className="outline" d="M5 1.2 8.8 5 5 8.8 1.2 5z" />}
		</svg>
	);
}
