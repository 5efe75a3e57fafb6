/** The most important limit in one line, with its countdown: "claude-sonnet-5 limited → gpt-5.4-mini, 7 m 12 s left". */
import { limitedChains, standingOf } from '../../../shared/attention.ts';
import { limitWords } from '../../../shared/model-words.ts';
import type { ModelChainView } from '../../../shared/models-view.ts';
import { count } from '../../store/failover-words.ts';
import { useFloorContext, useLostSince, useModels } from '../../store/floor-context.tsx';
import { briefWords, countdownOf } from '../../store/model-words.ts';
import { Left, useTimed } from '../../widgets/age.tsx';
import { CircuitGlyph } from '../../widgets/circuit-glyph.tsx';
import './limit-line.css';

/** Nothing while every chain is on its preferred model. */
export function LimitLine() {
	const { view, clock } = useFloorContext();
	const models = useModels((whole) => whole);
	const [worst, ...others] = limitedChains(models);
	if (worst === undefined) return null;
	return (
		<button
			type="button"
			className="limit-line"
			title={limitWords(worst, clock.now())}
			data-testid="limit-line"
			onClick={() => view.setState({ dialog: { kind: 'models', chainId: worst.id } })}
		>
			<CircuitGlyph standing={standingOf(worst)} />
			<span>
				{briefWords(worst)}
				<Countdown chain={worst} />
				{others.length > 0 && <span className="soft"> · {count(others.length, 'more model')}</span>}
			</span>
		</button>
	);
}

function Countdown({ chain }: { chain: ModelChainView }) {
	const until = countdownOf(chain);
	const due = useTimed((now) => until === null || until <= now);
	const lost = useLostSince() !== null;
	if (lost) return ', last known';
	if (until === null || due) return null;
	return (
		<>
			, <Left until={until} /> left
		</>
	);
}
