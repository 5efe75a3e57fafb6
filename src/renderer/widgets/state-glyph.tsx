/** The shape of a state: dot, diamond, broken ring, cross. Always beside its words. */
import type { AgentView } from '../../shared/agent-view.ts';
import './state-glyph.css';

export function StateGlyph({ state }: { state: AgentView['state'] }) {
	const forYou = state.needsYou && state.kind !== 'exited';
	return (
		<svg
			className={`state-glyph ${forYou ? 'state-for-you' : `state-${state.kind}`}`}
			width="10"
			height="10"
			viewBox="0 0 10 10"
			aria-hidden="true"
		>
			{shapeOf(state, forYou)}
		</svg>
	);
}

function shapeOf(state: AgentView['state'], forYou: boolean) {
	if (forYou) return <path d="M5 0 10 5 5 10 0 5z" />;
	switch (state.kind) {
		case 'live':
			return <circle cx="5" cy="5" r="3.5" />;
		case 'waiting':
			return <path className="outline" d="M5 1.2 8.8 5 5 8.8 1.2 5z" />;
		case 'unverifiable':
			return <circle className="outline" cx="5" cy="5" r="3.8" strokeDasharray="3.2 2.77" />;
		case 'exited':
			return <path className="outline" d="M2 2l6 6M8 2l-6 6" />;
	}
}
