/** The switch of a model's circuit, and the place of each model in its chain: shapes beside their words. */
import type { ChainStanding } from '../../shared/attention.ts';
import type { ChainModelView } from '../../shared/models-view.ts';
import './circuit-glyph.css';

/** The lever of the switch: down while the preferred model is used, up while it is not, half-way while it is tested. */
const levers: Record<ChainStanding, string> = {
	preferred: 'M5 7h10',
	testing: 'M5 7l9.5-2.6',
	unaided: 'M5 7l8-5',
	fallback: 'M5 7l8-5',
	held: 'M5 7l8-5M13 .8v3.4',
	exhausted: 'M6.5 3.5l7 7M13.5 3.5l-7 7',
	'spend-limit': 'M6.5 3.5l7 7M13.5 3.5l-7 7',
};

export function CircuitGlyph({ standing }: { standing: ChainStanding }) {
	return (
		<svg
			className={`circuit circuit-${standing}`}
			width="20"
			height="12"
			viewBox="0 0 20 12"
			aria-hidden="true"
		>
			<path d="M0 7h3M17 7h3" />
			<circle cx="4.2" cy="7" r="1.4" />
			<circle cx="15.8" cy="7" r="1.4" />
			<path d={levers[standing]} />
		</svg>
	);
}

/** Filled: in use. Ring: ready. Barred ring: limited. Dash: passed over. */
export function ChainModelGlyph({ state }: { state: ChainModelView['state'] }) {
	return (
		<svg
			className={`chain-glyph chain-glyph-${state}`}
			width="10"
			height="10"
			viewBox="0 0 10 10"
			aria-hidden="true"
		>
			{state === 'in-use' && <circle className="filled" cx="5" cy="5" r="3.5" />}
			{state === 'ready' && <circle cx="5" cy="5" r="3.5" />}
			{state === 'limited' && <path d="M5 1.2a3.8 3.8 0 1 0 .01 0M2.5 5h5" />}
			{state === 'skipped' && <path d="M1.5 5h7" />}
		</svg>
	);
}
