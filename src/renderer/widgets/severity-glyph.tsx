/** How much an incident asks for: a shape beside its words. */
import type { Incident } from '../../shared/snapshot.ts';
import './severity-glyph.css';

/** A filled square for urgent, a triangle for attention, a ring for information. */
export function SeverityGlyph({ severity }: { severity: Incident['severity'] }) {
	return (
		<svg
			className={`severity severity-${severity}`}
			width="12"
			height="12"
			viewBox="0 0 12 12"
			aria-hidden="true"
		>
			{severity === 'urgent' && <path d="M1 1h10v10H1z" />}
			{severity === 'attention' && <path d="M6 .5 11.8 11H.2z" />}
			{severity === 'info' && <circle cx="6" cy="6" r="4.5" className="outline" />}
		</svg>
	);
}
