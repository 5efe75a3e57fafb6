/** The turns that a lost provider holds: whose, how long already, how long yet. */
import type { FailoverPopup, HeldTurnView } from '../../../shared/failover-view.ts';
import { modelWords } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { count, isHeldOpen, turnSizeWords, turnStateWords } from '../../store/failover-words.ts';
import { useLostSince } from '../../store/floor-context.tsx';
import { ClockTime, Left, Span, useTimed } from '../../widgets/age.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './held-turns.css';

/** Whom a choice of a model is for, by agent id. `null`: every turn that is held. */
export type ChoiceScope = string | null;

interface HeldTurnsProps {
	popup: FailoverPopup;
	/** Choose a model for this agent alone. */
	onChoose: (scope: ChoiceScope) => void;
}

export function HeldTurns({ popup: { turns, providerName }, onChoose }: HeldTurnsProps) {
	const lost = useLostSince() !== null;
	if (turns.length === 0) {
		return (
			<p className="soft">
				No turn is held now. This goes away when <Untrusted text={providerName} limit={60} /> is back.
			</p>
		);
	}
	const several = heldAgents(turns).length > 1;
	return (
		<section className="held" aria-label="Held turns">
			<h3>{count(turns.length, 'turn')} held</h3>
			<ul>
				{turns.map((turn) => (
					<HeldTurn key={turn.turnId} turn={turn} onChoose={several ? onChoose : null} />
				))}
			</ul>
			{!lost && (
				<p className="quiet">
					When its time is over, also while it waits for the network, a turn gets the provider’s own error,
					or, if nothing answered, an error that says so.
				</p>
			)}
		</section>
	);
}

/** The agents of held turns that can be chosen for, each once. */
export function heldAgents(
	turns: readonly HeldTurnView[],
): readonly { readonly agentId: string; readonly name: string }[] {
	const known = new Map<string, string>();
	for (const { agentId, agentName } of turns) if (agentId !== null) known.set(agentId, agentName);
	return [...known].map(([agentId, name]) => ({ agentId, name }));
}

function HeldTurn({ turn, onChoose }: { turn: HeldTurnView; onChoose: HeldTurnsProps['onChoose'] | null }) {
	const { agentId, agentName, model, heldSince, heldUntil, state, cutMidAnswer } = turn;
	const over = useTimed((now) => now >= heldUntil);
	const lost = useLostSince() !== null;
	return (
		<li data-testid="held-turn" data-turn-state={state}>
			<p className="held-who">
				<strong>
					<Untrusted text={agentName} limit={60} />
				</strong>{' '}
				<span className="soft">
					<Untrusted text={modelWords(model)} limit={60} />, {turnSizeWords(turn)}
				</span>
			</p>
			<p className="held-time">
				{lost ? (
					<>
						last known: {turnStateWords[state]}, held since <ClockTime at={heldSince} />
					</>
				) : (
					<>
						{turnStateWords[state]}, held <Span since={heldSince} />
					</>
				)}
				{!lost && isHeldOpen(turn) && (
					<>
						, <strong className="figures">{over ? 'time is over' : <Left until={heldUntil} />}</strong>
						{!over && ' left'}
					</>
				)}
				{cutMidAnswer && '; part of the answer had arrived'}
			</p>
			{onChoose && agentId !== null && !lost && (
				<button
					type="button"
					className="button"
					aria-label={`Only this… ${visibleText(agentName, { limit: 60 })}: choose its model`}
					onClick={() => onChoose(agentId)}
				>
					Only this…
				</button>
			)}
		</li>
	);
}
