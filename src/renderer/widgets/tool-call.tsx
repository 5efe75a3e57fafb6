/** One tool call: what, on what, how it went, how long. */
import type { ToolCallView } from '../../shared/agent-view.ts';
import { callDurationWords } from '../../shared/format.ts';
import { Ago, Span } from './age.tsx';
import { Untrusted } from './untrusted.tsx';
import './tool-call.css';

const outcomeWords: Record<ToolCallView['outcome'], string> = {
	running: 'running',
	ok: '',
	failed: 'failed',
	denied: 'refused',
	unknown: 'outcome not known',
};

export function ToolCall({ call }: { call: ToolCallView }) {
	const outcome = outcomeWords[call.outcome];
	return (
		<span className={`tool-call tool-${call.outcome}`}>
			<span className="tool-name">
				<Untrusted text={call.tool} limit={60} />
			</span>
			{call.target !== '' && (
				<span className="tool-target">
					<Untrusted text={call.target} mono line />
				</span>
			)}
			<span className="tool-end">
				{outcome !== '' && <span className="tool-outcome">{outcome}</span>}{' '}
				{call.outcome === 'running' ? (
					<Span since={call.at} />
				) : (
					<>
						{call.durationMs !== null && `in ${callDurationWords(call.durationMs)}, `}
						<Ago at={call.at} />
					</>
				)}
			</span>
		</span>
	);
}
