/** The way to the chains of models, and how many are not on their preferred model. Quiet while none is limited. */
import { type ChainStanding, limitedChains, standingOf } from '../../../shared/attention.ts';
import { limitWords } from '../../../shared/model-words.ts';
import { useFloorContext, useLostSince, useModels } from '../../store/floor-context.tsx';
import { NavWords } from '../shell/nav-words.tsx';

export function ModelsEntry() {
	const { view, clock } = useFloorContext();
	const models = useModels((whole) => whole);
	const lost = useLostSince() !== null;
	const limited = limitedChains(models);
	const worst = limited[0];
	const standing = worst ? standingOf(worst) : 'preferred';
	const now = clock.now();
	const title = limited.map((chain) => limitWords(chain, now)).join('. ') || 'No model is limited';
	return (
		<button
			type="button"
			className={`nav-item ${tones[standing]}`}
			title={lost ? `Last known: ${title}` : title}
			data-testid="models-badge"
			data-limited={limited.length}
			onClick={() => view.setState({ dialog: { kind: 'models' } })}
		>
			<NavWords icon="limits" count={worst && <LimitedCount count={limited.length} />}>
				Rate limits
			</NavWords>
		</button>
	);
}

function LimitedCount({ count }: { count: number }) {
	return (
		<span className="nav-count">
			{count}
			<span className="unseen"> limited</span>
		</span>
	);
}

/** Who can help: red is money, yellow heals by itself, blue is the operator's own hold. */
const tones: Record<ChainStanding, string> = {
	'spend-limit': 'nav-grave',
	exhausted: 'nav-aware',
	unaided: 'nav-aware',
	fallback: 'nav-aware',
	testing: 'nav-aware',
	held: 'nav-yours',
	preferred: '',
};
