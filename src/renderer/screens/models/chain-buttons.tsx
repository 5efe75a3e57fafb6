/** What the operator can do to a chain, with what it does. The two buttons keep their places: what cannot be is barred. */
import { useId } from 'react';
import { modelName } from '../../../shared/model-words.ts';
import type { ModelChainView } from '../../../shared/models-view.ts';
import { useLostSince } from '../../store/floor-context.tsx';
import { deedsOf, holdMeaning } from '../../store/model-words.ts';
import { useRequest } from '../../store/use-request.ts';
import { useTimed } from '../../widgets/age.tsx';
import { Failure } from '../../widgets/failure.tsx';

export function ChainButtons({ chain, labelledBy }: { chain: ModelChainView; labelledBy: string }) {
	const { id: chainId, preferredModel, held } = chain;
	const asking = useRequest();
	const lost = useLostSince() !== null;
	const { probeBarred, holdBarred } = deedsOf(chain, lost);
	const name = modelName(preferredModel);
	const holding = useTimed((now) => holdMeaning(chain, now));
	return (
		<>
			<div className="chain-deeds">
				<Deed
					words="Probe now"
					pending={asking.pending === 'probe'}
					barred={probeBarred}
					meaning={`Ends the cooldown: the next caller’s call tests ${name}.`}
					labelledBy={labelledBy}
					onPress={() => void asking.ask('probe', 'model:probe', { chainId })}
				/>
				<Deed
					words={held ? 'Let it recover' : 'Hold on fallback'}
					pending={asking.pending === 'hold'}
					barred={holdBarred}
					meaning={held ? `Ends your hold: ${name} is tested as soon as its cooldown is over.` : holding}
					labelledBy={labelledBy}
					onPress={() => void asking.ask('hold', 'model:hold', { chainId, held: !held })}
				/>
			</div>
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
		</>
	);
}

interface DeedProps {
	words: string;
	/** Why it cannot be pressed; empty: it can. */
	barred: string;
	meaning: string;
	pending: boolean;
	/** Ids of the chain's name and provider, so that many "Probe now" can be told apart by ear. */
	labelledBy: string;
	onPress: () => void;
}

function Deed({ words, barred, meaning, pending, labelledBy, onPress }: DeedProps) {
	const meaningId = useId();
	const isBarred = barred !== '';
	return (
		<div className="chain-deed">
			<button
				type="button"
				className="button"
				aria-describedby={`${labelledBy} ${meaningId}`}
				aria-disabled={isBarred || pending}
				aria-busy={pending}
				onClick={() => !isBarred && !pending && onPress()}
			>
				{words}
			</button>
			<span id={meaningId} className={isBarred ? 'quiet' : 'soft'}>
				{isBarred ? barred : meaning}
			</span>
		</div>
	);
}
