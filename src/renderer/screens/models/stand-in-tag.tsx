/** "gpt-5.4-mini for claude-sonnet-5 · rate-limited": another model answers than the agent asked for. Leads to its chain. */
import type { AgentView } from '../../../shared/agent-view.ts';
import { standingOf, withoutMoney } from '../../../shared/attention.ts';
import { spanWords } from '../../../shared/format.ts';
import { bareModel } from '../../../shared/model-names.ts';
import { chainFor, limitWords, modelName } from '../../../shared/model-words.ts';
import type { ModelChainView } from '../../../shared/models-view.ts';
import { useFloorContext, useModels } from '../../store/floor-context.tsx';
import { CircuitGlyph } from '../../widgets/circuit-glyph.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './stand-in-tag.css';

interface StandInTagProps {
	served: NonNullable<AgentView['served']>;
	/** Tab comes to it. */
	tabStop: boolean;
}

export function StandInTag({ served: { model, asked, at, since }, tabStop }: StandInTagProps) {
	const { view, clock } = useFloorContext();
	const chain = useModels(({ chains }) => chainFor(chains, { provider: at, model: asked }));
	const now = clock.now();
	const isOver = chain !== null && standingOf(chain) === 'preferred';
	return (
		<button
			type="button"
			className={`stand-in ${isOver ? 'stand-in-over' : ''}`}
			title={`${whyWords(chain, modelName(bareModel(asked)), now)}. ${modelName(bareModel(model))} answers this agent, since ${spanWords(now - since)}`}
			data-testid="served-badge"
			data-harness="cloud"
			tabIndex={tabStop ? 0 : -1}
			onClick={() => view.setState({ dialog: { kind: 'models', ...(chain ? { chainId: chain.id } : {}) } })}
		>
			<CircuitGlyph standing={chain ? standingOf(chain) : 'fallback'} />
			<Untrusted text={bareModel(model)} limit={60} line />
			<span className="stand-in-for">
				for <Untrusted text={bareModel(asked)} limit={60} />
			</span>
			<span className="nowrap">· {markWords(chain)}</span>
		</button>
	);
}

/** The chain may have moved on since the agent's last answer: then it says so. */
function markWords(chain: ModelChainView | null): string {
	if (chain === null) return 'rate-limited';
	// A spending limit is not why another model answered.
	const standing = standingOf(withoutMoney(chain));
	if (standing === 'preferred') return chain.spendLimit === null ? 'recovered since' : 'spending limit since';
	return standing === 'held' ? 'held by you' : 'rate-limited';
}

function whyWords(chain: ModelChainView | null, asked: string, now: number): string {
	if (chain === null) return `${asked} was rate-limited`;
	if (standingOf(chain) !== 'preferred') return limitWords(chain, now);
	return `${asked} has recovered: the agent’s next call goes to it`;
}
