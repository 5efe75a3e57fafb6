/** The local answer and the cloud's, side by side. Both stay what they are. */
import { type ReactNode, useEffect, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { Comparison, ImproveOffer } from '../../../shared/failover-view.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { useRequest } from '../../store/use-request.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Ago } from '../../widgets/age.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { ModelTag } from '../../widgets/model-tag.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';
import { costsWords } from './improve-offers.tsx';
import './compare-dialog.css';

const ANSWER_LIMIT = 200_000;

export function CompareDialog({ offerId }: { offerId: string }) {
	const { transport, view } = useFloorContext();
	const offer = useFailover(({ offers }) => offers.find(({ id }) => id === offerId) ?? null);
	const [comparison, setComparison] = useState<Comparison | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const state = offer?.state;
	// biome-ignore lint/correctness/useExhaustiveDependencies: another state means that there is more to read
	useEffect(() => {
		let wanted = true;
		transport.request('improve:read', { offerId }).then(
			(read) => {
				if (!wanted) return;
				setComparison(read);
				setError(null);
			},
			(cause: unknown) => wanted && setError(channelErrorOf(cause)),
		);
		return () => {
			wanted = false;
		};
	}, [transport, offerId, state]);
	const close = () => view.setState({ dialog: null });
	const shown = offer ?? comparison?.offer ?? null;
	return (
		<DialogFrame
			shape="wide"
			testId="compare-dialog"
			title="Two answers to one turn"
			description="Nothing is replaced: the agent goes on from the local answer whatever you do here."
			onClose={close}
		>
			<div className="dialog-body">
				{shown && (
					<p className="compare-prompt">
						<Untrusted text={shown.prompt} limit={400} />
					</p>
				)}
				{error && <Failure error={error} />}
				{comparison && shown && <Comparing comparison={comparison} offer={shown} onDismissed={close} />}
				{comparison === null && error === null && <p className="soft">Reading…</p>}
			</div>
		</DialogFrame>
	);
}

interface ComparingProps {
	comparison: Comparison;
	/** As it is now; the comparison may have been read before. */
	offer: ImproveOffer;
	onDismissed: () => void;
}

/** The inside of the dialog. */
export function Comparing({ comparison: { local, cloud }, offer, onDismissed }: ComparingProps) {
	const asking = useRequest();
	const dismiss = async () => {
		if ((await asking.ask('dismiss', 'improve:dismiss', { offerId: offer.id })) !== null) onDismissed();
	};
	return (
		<>
			<div className="compare">
				<Answer harness="local" model={local.model} at={local.at} text={local.text} />
				{cloud ? (
					<Answer harness="cloud" model={cloud.model} at={cloud.at} text={cloud.text} />
				) : (
					<AnswerFrame harness="cloud" model={offer.cloudModel}>
						<Missing offer={offer} />
						{(offer.state === 'offered' || offer.state === 'failed') && <p className="quiet">{costsWords}</p>}
						{(offer.state === 'offered' || offer.state === 'failed') && (
							<button
								type="button"
								className="button button-main"
								aria-busy={asking.pending === 'ask'}
								onClick={() => void asking.ask('ask', 'improve:ask', { offerId: offer.id })}
							>
								{offer.state === 'failed' ? 'Ask again' : 'Ask'}
							</button>
						)}
					</AnswerFrame>
				)}
			</div>
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
			<div className="dialog-foot">
				<button
					type="button"
					className="button button-large"
					aria-busy={asking.pending === 'dismiss'}
					onClick={() => void dismiss()}
				>
					Dismiss
				</button>
			</div>
		</>
	);
}

/** Why there is no answer of the cloud yet. */
function Missing({ offer: { state, problem } }: { offer: ImproveOffer }) {
	const words = {
		offered: 'It was not asked.',
		waiting: 'It waits in the outbox until there is a way to ask.',
		asking: 'It is being asked…',
		ready: 'Its answer is being read…',
		failed: 'It gave no answer.',
	}[state];
	return (
		<p className="compare-missing" role="status">
			{words} <Untrusted text={problem} limit={400} />
		</p>
	);
}

interface AnswerFrameProps {
	harness: 'local' | 'cloud';
	model: string;
	at?: number;
	children: ReactNode;
}

function AnswerFrame({ harness, model, at, children }: AnswerFrameProps) {
	return (
		<section className="answer" data-testid={`answer-${harness}`}>
			<h3>
				<ModelTag harness={harness} model={model} />
				{at !== undefined && (
					<span className="quiet">
						<Ago at={at} />
					</span>
				)}
			</h3>
			{children}
		</section>
	);
}

function Answer({ text, ...frame }: Omit<AnswerFrameProps, 'children'> & { text: string }) {
	return (
		<AnswerFrame {...frame}>
			{/* A scrolling region must be reachable by keyboard. */}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
			<section className="answer-text" aria-label={`The ${frame.harness} answer`} tabIndex={0}>
				<UntrustedBlock text={text} limit={ANSWER_LIMIT} />
			</section>
		</AnswerFrame>
	);
}
