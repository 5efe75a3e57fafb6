/** What an agent has cost and worked, and how busy it was in the last hour. */
import type { AgentView } from '../../../shared/agent-view.ts';
import { costParts } from '../../../shared/format.ts';
import { localWords } from '../../store/usage-words.ts';
import { SparkLine } from '../../widgets/spark-line.tsx';
import { TokenCount } from '../../widgets/token-count.tsx';

export function AgentSpend({ agent }: { agent: AgentView }) {
	const { usage, outputTokensPerMinute, spark, state } = agent;
	const cost = costParts(usage);
	return (
		<div className="agent-spend">
			<p className="spend-cost">
				<span className="unseen">Cost </span>
				<b>{cost.amount}</b>
				<small>{cost.note}</small>
			</p>
			<p className="spend-tokens figures">
				{usage && (
					<>
						<span>
							<TokenCount tokens={usage.work} /> work tokens
						</span>
						<small title={localWords(usage) || undefined}>
							<TokenCount tokens={usage.cacheRead} /> cache reads
						</small>
					</>
				)}
			</p>
			<p className="spend-rate figures">
				{outputTokensPerMinute !== null && state.kind !== 'exited' && (
					<span>
						<TokenCount tokens={outputTokensPerMinute} />
						/min {!spark && <small>output</small>}
					</span>
				)}
				{spark && <SparkLine spark={spark} />}
			</p>
		</div>
	);
}
