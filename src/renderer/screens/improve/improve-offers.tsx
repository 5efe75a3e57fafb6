/** "Improve this with <cloud>?" for turns that were answered locally. Nothing is asked, and nothing replaced, by itself. */
import type { ImproveOffer } from '../../../shared/failover-view.ts';
import { modelWords } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { count } from '../../store/failover-words.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { useRequest } from '../../store/use-request.ts';
import { Ago } from '../../widgets/age.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './improve-offers.css';

/** Said before anything is asked. */
export const costsWords =
	'Asking sends the turn to the provider with the agent’s own account: it costs tokens there.';

/** Every offer, also of sessions that are no agent on the floor. */
export function OffersDialog() {
	const { view } = useFloorContext();
	const offers = useFailover((failover) => failover.offers);
	return (
		<DialogFrame
			shape="wide"
			testId="offers-dialog"
			title="Answered locally"
			description={`${costsWords} Both answers are shown side by side; nothing is replaced.`}
			onClose={() => view.setState({ dialog: null })}
		>
			<div className="dialog-body">
				{offers.length === 0 && <p className="soft">No local answer waits to be improved.</p>}
				<OfferList offers={offers} named />
			</div>
		</DialogFrame>
	);
}

/** More of them are folded: the drawer is about the agent. */
const OPEN_AT_MOST = 2;

/** The offers of one agent: a count, and a line for each. Nothing when there is none. */
export function AgentOffers({ agentId }: { agentId: string }) {
	const offers = useFailover((failover) => failover.offers);
	const own = offers.filter((offer) => offer.agentId === agentId);
	if (own.length === 0) return null;
	return (
		<details className="offers" data-testid="agent-offers" open={own.length <= OPEN_AT_MOST}>
			<summary>{count(own.length, 'local answer')} could be compared with the cloud’s</summary>
			<p className="quiet">{costsWords}</p>
			<OfferList offers={own} />
		</details>
	);
}

interface OfferListProps {
	offers: readonly ImproveOffer[];
	/** Whether each line names its agent. */
	named?: boolean;
}

function OfferList({ offers, named = false }: OfferListProps) {
	return (
		<ul className="offer-list">
			{offers.map((offer) => (
				<Offer key={offer.id} offer={offer} named={named} />
			))}
		</ul>
	);
}

function Offer({ offer, named }: { offer: ImproveOffer; named: boolean }) {
	const { view } = useFloorContext();
	const asking = useRequest();
	const { id, agentName, localModel, cloudModel, prompt, answeredAt, state, problem } = offer;
	const about = visibleText(prompt, { limit: 60 });
	const compare = () => view.setState({ dialog: { kind: 'compare', offerId: id } });
	const ask = async () => {
		if ((await asking.ask('ask', 'improve:ask', { offerId: id })) !== null) compare();
	};
	return (
		<li data-testid="offer" data-offer-state={state}>
			<p>
				{named && (
					<strong>
						<Untrusted text={agentName} limit={60} />:{' '}
					</strong>
				)}
				<Untrusted text={prompt} limit={160} />
			</p>
			<p className="soft">
				answered by <Untrusted text={localModel} limit={80} /> <Ago at={answeredAt} />
				{offerStateWords(offer)}
				{problem !== '' && (
					<>
						: <Untrusted text={problem} limit={200} />
					</>
				)}
			</p>
			<div className="offer-buttons">
				{state === 'offered' || state === 'failed' ? (
					<button
						type="button"
						className="button"
						aria-disabled={asking.pending !== null}
						aria-busy={asking.pending === 'ask'}
						aria-description={`${about}. ${costsWords}`}
						title={costsWords}
						onClick={() => void ask()}
					>
						{state === 'failed' ? 'Ask again: ' : ''}Improve this with{' '}
						{visibleText(modelWords(cloudModel), { limit: 60 })}?
					</button>
				) : (
					<button type="button" className="button" aria-description={about} onClick={compare}>
						{state === 'ready' ? 'Compare…' : 'Show…'}
					</button>
				)}
				<button
					type="button"
					className="button button-bare"
					aria-description={about}
					aria-busy={asking.pending === 'dismiss'}
					onClick={() => void asking.ask('dismiss', 'improve:dismiss', { offerId: id })}
				>
					Dismiss
				</button>
			</div>
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
		</li>
	);
}

function offerStateWords({ state, cloudModel }: ImproveOffer): string {
	const cloud = visibleText(modelWords(cloudModel), { limit: 60 });
	switch (state) {
		case 'offered':
			return '';
		case 'waiting':
			return `; ${cloud} is asked as soon as there is a way`;
		case 'asking':
			return `; ${cloud} is being asked`;
		case 'ready':
			return `; ${cloud} has answered`;
		case 'failed':
			return `; ${cloud} gave no answer`;
	}
}
