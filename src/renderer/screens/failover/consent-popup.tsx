/** A destructive command that waits for a word of the operator, each time. Closing it answers nothing. */
import type { ConsentView } from '../../../shared/failover-view.ts';
import { sentenceWords } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useFloorContext, useLostSince, useStatus, useView } from '../../store/floor-context.tsx';
import { type Asking, useRequest } from '../../store/use-request.ts';
import { setDecisionSize } from '../../store/view-store.ts';
import { Ago, Left, useTimed } from '../../widgets/age.tsx';
import { QuestionGlyph } from '../../widgets/glyphs.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';
import { DecisionFailure, DecisionFrame, LastKnown } from './decision-frame.tsx';
import './consent-popup.css';

/** The whole command is shown; a longer one is no command. */
const COMMAND_LIMIT = 100_000;

export function ConsentPopup({ consent }: { consent: ConsentView }) {
	const { view } = useFloorContext();
	const { id } = consent;
	const small = useView(({ decisionSizes }) => decisionSizes.get(id) === 'small');
	const answered = useView(({ answeredConsents }) => answeredConsents.has(id));
	const asking = useRequest();
	const answer = async (allow: boolean) => {
		const name = allow ? 'allow' : 'deny';
		if ((await asking.ask(name, 'consent:answer', { consentId: id, allow })) === null) return;
		view.setState(({ answeredConsents }) => ({ answeredConsents: new Set([...answeredConsents, id]) }));
	};
	// Its end is on the way; a second answer would mean nothing.
	if (answered) return null;
	if (small) return <ConsentLine consent={consent} onOpen={() => setDecisionSize(view, id, 'large')} />;
	return <ConsentPlate consent={consent} asking={asking} onAnswer={(allow) => void answer(allow)} />;
}

interface ConsentPlateProps {
	consent: ConsentView;
	asking: Asking;
	onAnswer: (allow: boolean) => void;
}

function ConsentPlate({ consent, asking, onAnswer }: ConsentPlateProps) {
	const { view } = useFloorContext();
	const status = useStatus();
	const { id, agentName, tool, target, directory, why, expiresAt } = consent;
	const expired = useTimed((now) => now >= expiresAt);
	const lost = useLostSince() !== null;
	const barred = lost || asking.pending !== null;
	return (
		<DecisionFrame
			id={id}
			testId="consent-popup"
			title={
				<>
					May <Untrusted text={agentName} limit={60} /> run this?
				</>
			}
			description={
				<>
					<Untrusted text={sentenceWords(why)} limit={400} />{' '}
					{status && `The tier is ${status.tier}, so it needs your word, each time.`}
				</>
			}
			closeWords="Close without an answer"
			onClose={() => setDecisionSize(view, id, 'small')}
		>
			<div className="command">
				<p className="soft">
					<Untrusted text={tool} limit={60} />{' '}
					{directory === '' ? (
						'in a directory that is not known'
					) : (
						<>
							in <Untrusted text={directory} limit={1000} mono />
						</>
					)}
				</p>
				{/* A scrolling region must be reachable by keyboard. */}
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
				<section className="command-text mono" aria-label="The whole command" tabIndex={0}>
					<UntrustedBlock text={target} limit={COMMAND_LIMIT} />
				</section>
			</div>
			<LastKnown meaning="If the engine is down, the client’s own prompt decides." />
			<DecisionFailure asking={asking} />
			{expired && !lost ? (
				<p className="consent-expired" data-testid="consent-expired">
					Expired, nothing was answered.
				</p>
			) : (
				<>
					{!lost && (
						<p className="soft" data-testid="consent-countdown">
							Unanswered, the client’s own prompt decides in{' '}
							<strong className="figures">
								<Left until={expiresAt} />
							</strong>
							; where it has none, the call is denied.
						</p>
					)}
					<div className="decision-buttons">
						<button
							type="button"
							className="button button-large"
							data-testid="consent-allow"
							aria-disabled={barred}
							aria-busy={asking.pending === 'allow'}
							onClick={() => !barred && onAnswer(true)}
						>
							Allow once
						</button>
						<button
							type="button"
							className="button button-large"
							data-testid="consent-deny"
							// The keyboard comes to the answer that can be undone.
							data-decision-stop
							aria-disabled={barred}
							aria-busy={asking.pending === 'deny'}
							onClick={() => !barred && onAnswer(false)}
						>
							Deny
						</button>
					</div>
				</>
			)}
		</DecisionFrame>
	);
}

function ConsentLine({ consent, onOpen }: { consent: ConsentView; onOpen: () => void }) {
	const { id, agentName, tool, target, expiresAt } = consent;
	const lostSince = useLostSince();
	const past = useTimed((now) => now >= expiresAt);
	const expired = past && lostSince === null;
	const asks = !past && lostSince === null;
	return (
		<section
			className="decision-line"
			aria-label={`Consent for ${visibleText(agentName, { limit: 60 })}`}
			data-testid="consent-line"
			data-decision={id}
		>
			<QuestionGlyph open={asks} />
			<div>
				<p className="decision-line-words">
					<Untrusted text={agentName} limit={60} /> may run <Untrusted text={tool} limit={60} />?{' '}
					<Untrusted text={target} limit={120} mono line />
				</p>
				<p className="soft">
					{lostSince !== null ? (
						<>
							last known <Ago at={lostSince} />
						</>
					) : expired ? (
						'expired, nothing was answered'
					) : (
						<>
							unanswered, <Left until={expiresAt} /> left
						</>
					)}
				</p>
			</div>
			<button
				type="button"
				className={asks ? 'button button-main' : 'button'}
				data-decision-stop
				onClick={onOpen}
			>
				{asks ? 'Answer' : 'Open'}
			</button>
		</section>
	);
}
