/** The way to the chains of models, and how many are not on their preferred model. Quiet while none is limited. */
import { limitedChains, standingOf } from '../../../shared/attention.ts';
import { limitWords } from '../../../shared/model-words.ts';
import { useFloorContext, useLostSince, useModels } from '../../store/floor-context.tsx';
import { CircuitGlyph } from '../../widgets/circuit-glyph.tsx';
import './models-badge.css';

export function ModelsBadge() {
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
			// Where there is no room for its words it is in the menu, until there is something to tell.
			className={`button models-badge models-badge-${standing} ${worst ? '' : 'button-bare top-wide'}`}
			title={lost ? `Last known: ${title}` : title}
			data-testid="models-badge"
			data-limited={limited.length}
			onClick={() => view.setState({ dialog: { kind: 'models' } })}
		>
			{worst && <CircuitGlyph standing={standing} />}
			<span>
				Rate limits
				{worst && (
					<>
						{' '}
						<b>{limited.length}</b>
					</>
				)}
			</span>
		</button>
	);
}
