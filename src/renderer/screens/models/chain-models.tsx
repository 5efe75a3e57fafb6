/** The models of a chain in the order in which they are taken: which is used, which is limited, which is passed over. */
import { sentenceWords } from '../../../shared/format.ts';
import type { ChainModelView, ModelChainView } from '../../../shared/models-view.ts';
import { categoryWords, chainStateWords, dueWords } from '../../store/model-words.ts';
import { useTimed } from '../../widgets/age.tsx';
import { ChainModelGlyph } from '../../widgets/circuit-glyph.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

export function ChainModels({ chain: { models } }: { chain: ModelChainView }) {
	return (
		<ol className="chain-models">
			{models.map((model, at) => (
				<ChainModel key={model.model} model={model} place={at} />
			))}
		</ol>
	);
}

function ChainModel({
	model: { model, category, state, until, why },
	place,
}: {
	model: ChainModelView;
	place: number;
}) {
	const due = useTimed((now) => (until === null ? '' : ` until ${dueWords(until, now)}`));
	// Why the preferred model is limited is what the card begins with.
	const isToldAbove = place === 0 && state === 'limited';
	return (
		<li data-testid="chain-model" data-model-state={state}>
			<span className="chain-place quiet">{place === 0 ? 'preferred' : `fallback ${place}`}</span>
			<span className="chain-model-name">
				<Untrusted text={model} limit={80} />
			</span>
			<span className="chain-category quiet" title={categoryWords[category]}>
				{category === 'unknown' ? 'cost not known' : category}
			</span>
			<span className={`chain-model-state chain-model-${state}`}>
				<ChainModelGlyph state={state} />
				<span>
					{chainStateWords[state]}
					{due}
					{why !== '' && !isToldAbove && (
						<span className="soft">
							. <Untrusted text={sentenceWords(why)} limit={200} />
						</span>
					)}
				</span>
			</span>
		</li>
	);
}
