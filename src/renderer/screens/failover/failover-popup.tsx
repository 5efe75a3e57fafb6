/** A lost provider: what happened, what is recommended, who is held, and the answers. Never answers by itself. */
import { useId, useState } from 'react';
import type { FailoverPopup } from '../../../shared/failover-view.ts';
import { sentenceWords } from '../../../shared/format.ts';
import { isLarge } from '../../store/decisions.ts';
import { lastLookAt } from '../../store/failover-words.ts';
import { useFailover, useFloorContext, useLostSince, useView } from '../../store/floor-context.tsx';
import { type Asking, useRequest } from '../../store/use-request.ts';
import { setDecisionSize } from '../../store/view-store.ts';
import { Ago } from '../../widgets/age.tsx';
import { leaveAnswered } from '../../widgets/decision-focus.ts';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { DecisionFailure, DecisionFrame, LastKnown } from './decision-frame.tsx';
import { FailoverAnswers } from './failover-answers.tsx';
import { type ChoiceScope, HeldTurns } from './held-turns.tsx';
import { ModelChoice } from './model-choice.tsx';
import { PopupLine } from './popup-line.tsx';
import { Recommendation } from './recommendation.tsx';

export function FailoverPopupView({ popup }: { popup: FailoverPopup }) {
	const { view } = useFloorContext();
	const large = useView(({ decisionSizes }) => isLarge(popup, decisionSizes));
	// Here and not in the plate: an answer under way outlives a change of size.
	const asking = useRequest();
	if (!large) return <PopupLine popup={popup} onOpen={() => setDecisionSize(view, popup.id, 'large')} />;
	return <PopupPlate popup={popup} asking={asking} />;
}

function PopupPlate({ popup, asking }: { popup: FailoverPopup; asking: Asking }) {
	const { view } = useFloorContext();
	const [choosing, setChoosing] = useState<{ readonly scope: ChoiceScope } | null>(null);
	const choiceId = useId();
	const lost = useLostSince() !== null;
	const { id, sentence, detail, openedAt, candidates, recommendation, refusal } = popup;
	const best = candidates[0];
	const switchTo = async (modelId: string, agentId: ChoiceScope) => {
		const input = { popupId: id, modelId, ...(agentId === null ? {} : { agentId }) };
		const answer = await asking.ask(`switch ${modelId} ${agentId ?? ''}`, 'failover:switch', input);
		if (answer === null) return;
		leaveAnswered(id);
		setChoosing(null);
	};
	return (
		<DecisionFrame
			id={id}
			testId="failover-popup"
			title={<Untrusted text={sentence} limit={200} />}
			description={
				<>
					<Untrusted text={sentenceWords(detail)} limit={300} />{' '}
					<span className="nowrap">
						<Ago at={openedAt} />
					</span>
				</>
			}
			closeWords="Make small"
			onClose={() => setDecisionSize(view, id, 'small')}
		>
			<LastKnown meaning="If the engine is down, the turns it held have ended with an error." />
			{best && choosing === null && !lost && <Recommendation text={recommendation} candidate={best} />}
			{!best && (
				<div className="refusal">
					<p data-testid="failover-refusal">
						<Untrusted text={refusal || 'No local model can take what is held.'} limit={600} />
					</p>
					<LookAgain asking={asking} />
				</div>
			)}
			<HeldTurns popup={popup} onChoose={(scope) => setChoosing({ scope })} />
			{choosing && (
				<ModelChoice
					id={choiceId}
					popup={popup}
					scope={choosing.scope}
					barred={lost || asking.pending !== null}
					pending={asking.pending}
					onScope={(scope) => setChoosing({ scope })}
					onChoose={(modelId) => void switchTo(modelId, choosing.scope)}
				/>
			)}
			<DecisionFailure asking={asking} />
			<FailoverAnswers
				popup={popup}
				asking={asking}
				choiceId={choiceId}
				choosing={choosing !== null}
				onSwitch={(modelId) => void switchTo(modelId, null)}
				onToggleChoice={() => setChoosing(choosing === null ? { scope: null } : null)}
			/>
		</DecisionFrame>
	);
}

/** A server that was started meanwhile is found by itself; this finds it now. */
function LookAgain({ asking }: { asking: Asking }) {
	const lost = useLostSince() !== null;
	const lookedAt = useFailover(({ localServers }) => lastLookAt(localServers));
	const barred = lost || asking.pending !== null;
	return (
		<p className="look-again">
			<span className="soft">
				{lookedAt === null ? (
					'Local servers were not looked at yet.'
				) : (
					<>
						Local servers were looked at <Ago at={lookedAt} />.
					</>
				)}
			</span>
			<button
				type="button"
				className="button"
				data-testid="failover-look"
				aria-disabled={barred}
				aria-busy={asking.pending === 'look'}
				onClick={() => !barred && void asking.ask('look', 'failover:refresh', {})}
			>
				Look again
			</button>
		</p>
	);
}
