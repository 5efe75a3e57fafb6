/** What one agent took: its session, today and this week side by side, whose count that is and how old. */
import { exactNumber } from '../../../shared/format.ts';
import type { UsageView } from '../../../shared/usage-view.ts';
import { differenceWords, sourceWords } from '../../store/usage-words.ts';
import { Ago } from '../../widgets/age.tsx';
import { UsageColumns } from '../../widgets/usage-columns.tsx';

interface AgentUsageProps {
	usage: UsageView | null;
	/** It puts out nothing more. */
	ended: boolean;
	outputTokensPerMinute: number | null;
}

export function AgentUsage({ usage, ended, outputTokensPerMinute }: AgentUsageProps) {
	if (usage === null) return <p className="quiet">No usage read yet.</p>;
	const differences = differenceWords(usage);
	return (
		<>
			<UsageColumns
				label="Tokens and cost of this agent"
				columns={[
					{ title: 'Session', scope: 'from its start', amount: usage },
					{ title: 'Today', scope: 'since midnight', amount: usage.today },
					{ title: 'This week', scope: 'since Monday', amount: usage.week },
				]}
			/>
			<p data-testid="usage-source">
				Counted {sourceWords[usage.source].replace(/^counted /, '')}, read <Ago at={usage.asOf} />.{' '}
				{differences.length > 0 && (
					<>
						<strong>{differences.join(' ')}</strong>{' '}
						<span className="soft">Counts of one session are compared, never added.</span>
					</>
				)}
			</p>
			{!ended && (
				<p>
					Output now:{' '}
					{outputTokensPerMinute === null
						? 'not known'
						: `${exactNumber(Math.round(outputTokensPerMinute))} tokens/min`}
				</p>
			)}
		</>
	);
}
