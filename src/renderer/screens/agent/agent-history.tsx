/** What the store has kept of an agent: levels, orders, notes, refusals and troubles, newest first. */
import { useEffect, useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { ChannelErrorData, HistoryRow } from '../../../shared/channels.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { ClockTime } from '../../widgets/age.tsx';
import { EvidenceView } from '../../widgets/evidence-view.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';
import { UntrustedBlock } from '../../widgets/untrusted.tsx';

/** Rows drawn at first; a long night has thousands. */
const SHOWN = 50;

export function AgentHistory({ agent }: { agent: AgentView }) {
	const { transport } = useFloorContext();
	const [rows, setRows] = useState<readonly HistoryRow[] | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const [shown, setShown] = useState(SHOWN);
	const written = versionOf(agent);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `written` changes when there is a new row to read
	useEffect(() => {
		let wanted = true;
		transport.request('agent:history', { agentId: agent.id }).then(
			(read) => {
				if (!wanted) return;
				setRows([...read].sort((a, b) => b.at - a.at));
				setError(null);
			},
			(cause: unknown) => wanted && setError(channelErrorOf(cause)),
		);
		return () => {
			wanted = false;
		};
	}, [transport, agent.id, written]);
	return (
		<>
			{error && <Failure error={error} />}
			{rows === null && !error && <p className="quiet">Reading…</p>}
			{rows?.length === 0 && (
				<p className="quiet">
					{agent.demo
						? 'Demo agents keep no history.'
						: 'Nothing is recorded yet; the newest may still be on its way. Levels, orders, notes and refusals are kept here.'}
				</p>
			)}
			{rows && <HistoryList rows={rows.slice(0, shown)} />}
			{rows && rows.length > shown && (
				<button type="button" className="button" onClick={() => setShown(shown + 4 * SHOWN)}>
					Show {Math.min(rows.length - shown, 4 * SHOWN)} of {rows.length - shown} older
				</button>
			)}
		</>
	);
}

/** Changes with everything that writes a row. */
function versionOf({ levelSince, order, notes, denials, providerTrouble, served }: AgentView): string {
	const delivered = notes.filter(({ deliveredAt }) => deliveredAt !== null).length;
	return [
		levelSince,
		order?.at,
		notes[0]?.id,
		delivered,
		denials.count,
		providerTrouble?.at,
		served?.since,
	].join(' ');
}

const kindWords: Record<HistoryRow['kind'], string> = {
	level: 'Level',
	order: 'Your order',
	note: 'Note',
	denial: 'Refused',
	trouble: 'Provider trouble',
};

export function HistoryList({ rows }: { rows: readonly HistoryRow[] }) {
	return (
		<ol className="history">
			{rows.map((row, index) => (
				// Rows have no id of their own, and two may be of the same millisecond.
				// biome-ignore lint/suspicious/noArrayIndexKey: see above
				<li key={`${row.at} ${row.kind} ${index}`} className="history-row" data-testid="history-row">
					<span className="quiet">
						<ClockTime at={row.at} />
					</span>
					<div className="history-what">
						<p className="history-change">
							{row.to === null ? (
								<strong>{kindWords[row.kind]}</strong>
							) : (
								<>
									{row.from !== null && (
										<>
											<LevelMark level={row.from} /> <span aria-hidden="true">→</span>
											<span className="unseen">to</span>
										</>
									)}
									<LevelMark level={row.to} />
								</>
							)}
						</p>
						{row.text !== '' && (
							<p>
								<UntrustedBlock text={row.text} limit={1000} />
							</p>
						)}
						{row.evidence && (
							<details className="history-evidence">
								<summary>Evidence</summary>
								<EvidenceView evidence={row.evidence} level={row.to ?? 'healthy'} />
							</details>
						)}
					</div>
				</li>
			))}
		</ol>
	);
}
