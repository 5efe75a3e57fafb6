/** Every local model with its scores; what cannot take the turns is listed with the reason and its cure. */
import { useEffect, useId, useRef } from 'react';
import type { Candidate, FailoverPopup } from '../../../shared/failover-view.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { scoreWords } from '../../store/failover-words.ts';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { type ChoiceScope, heldAgents } from './held-turns.tsx';
import { ScoreParts } from './recommendation.tsx';
import './model-choice.css';

interface ModelChoiceProps {
	id: string;
	popup: FailoverPopup;
	scope: ChoiceScope;
	/** Nothing can be chosen now. */
	barred: boolean;
	/** The question under way. */
	pending: string | null;
	onScope: (scope: ChoiceScope) => void;
	onChoose: (modelId: string) => void;
}

export function ModelChoice({ id, popup, scope, barred, pending, onScope, onChoose }: ModelChoiceProps) {
	const { turns, candidates, excluded } = popup;
	const agents = heldAgents(turns);
	const chosen = agents.find(({ agentId }) => agentId === scope);
	const list = useRef<HTMLElement>(null);
	// It opens below what was pressed, in a corner that scrolls.
	useEffect(() => {
		list.current?.scrollIntoView({ block: 'nearest' });
	}, []);
	return (
		<section ref={list} id={id} className="model-choice" aria-label="Local models" data-testid="model-choice">
			{agents.length > 1 && <Scope agents={agents} scope={scope} onScope={onScope} />}
			<ul>
				{candidates.map((candidate, index) => (
					<li key={candidate.modelId} data-testid="candidate">
						<ModelHead candidate={candidate} recommended={index === 0} />
						<ChooseButton
							words={scope === null ? 'Switch' : 'Switch this one'}
							candidate={candidate}
							barred={barred}
							pending={pending}
							onChoose={onChoose}
						/>
						<ScoreParts parts={candidate.parts} />
					</li>
				))}
				{excluded.map((candidate) => (
					<li key={candidate.modelId} className="model-excluded" data-testid="excluded">
						<ModelHead candidate={candidate} />
						{/* What cannot take every turn may still take this agent's: the engine judges again. */}
						{chosen && agents.length > 1 && (
							<ChooseButton
								words="Try it"
								candidate={candidate}
								barred={barred}
								pending={pending}
								onChoose={onChoose}
							/>
						)}
						<p className="model-why">
							<Untrusted text={candidate.excluded ?? ''} limit={400} />
						</p>
					</li>
				))}
			</ul>
			{candidates.length + excluded.length === 0 && (
				<p className="soft">
					No local model is known. Start Ollama, LM Studio, llama.cpp or vLLM; it is found by itself.
				</p>
			)}
		</section>
	);
}

interface ModelHeadProps {
	candidate: Candidate;
	recommended?: boolean;
}

function ModelHead({ candidate, recommended = false }: ModelHeadProps) {
	const { model, serverId, score, excluded, cold } = candidate;
	return (
		<p className="model-head">
			<strong>
				<Untrusted text={model} limit={80} />
			</strong>
			<span className="soft">
				on <Untrusted text={serverId} limit={40} />
				{cold && ', not loaded'}
			</span>
			<span className="figures nowrap">
				{excluded === null ? `${scoreWords(score)} of 100` : 'cannot take every turn'}
			</span>
			{recommended && <span className="tag">recommended</span>}
		</p>
	);
}

interface ChooseButtonProps {
	words: string;
	candidate: Candidate;
	barred: boolean;
	pending: string | null;
	onChoose: (modelId: string) => void;
}

function ChooseButton({ words, candidate, barred, pending, onChoose }: ChooseButtonProps) {
	const { modelId, model } = candidate;
	return (
		<button
			type="button"
			className="button"
			aria-label={`${words}: ${visibleText(model, { limit: 80 })}`}
			aria-disabled={barred}
			aria-busy={pending?.startsWith(`switch ${modelId} `) ?? false}
			onClick={() => !barred && onChoose(modelId)}
		>
			{words}
		</button>
	);
}

interface ScopeProps {
	agents: ReturnType<typeof heldAgents>;
	scope: ChoiceScope;
	onScope: (scope: ChoiceScope) => void;
}

function Scope({ agents, scope, onScope }: ScopeProps) {
	const name = useId();
	const choices: readonly { readonly agentId: ChoiceScope; readonly name: string }[] = [
		{ agentId: null, name: 'every held turn' },
		...agents,
	];
	return (
		<fieldset className="scope">
			<legend>For</legend>
			{choices.map((choice) => (
				<label key={choice.agentId ?? ''}>
					<input
						type="radio"
						name={name}
						checked={choice.agentId === scope}
						onChange={() => onScope(choice.agentId)}
					/>
					<Untrusted text={choice.name} limit={60} />
				</label>
			))}
		</fieldset>
	);
}
