/** The rung an agent stands on, and who put it there. */
import { useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { isHeld } from '../../../shared/attention.ts';
import { orderWords } from '../../../shared/format.ts';
import { Span } from '../../widgets/age.tsx';
import { LevelMark } from '../../widgets/level-glyph.tsx';

/** The rung that is enforced, who put it there, and since when. A change glows once. */
export function AgentStanding({ agent }: { agent: AgentView }) {
	const { standing, order, level, levelSince, state } = agent;
	const [seen, setSeen] = useState({ standing, changes: 0 });
	if (seen.standing !== standing) setSeen({ standing, changes: seen.changes + 1 });
	// There is no rung to stand on any more.
	if (state.kind === 'exited' && standing === 'healthy') return null;
	return (
		<div className="agent-level">
			<span key={seen.changes} className={seen.changes > 0 ? 'settling' : ''}>
				<LevelMark level={standing} word={isHeld(agent) ? 'held' : standing} />
			</span>
			{order ? (
				<span className="agent-by">{isHeld(agent) ? 'by you' : orderWords[order.kind]}</span>
			) : (
				level !== 'healthy' && (
					<span className="quiet">
						{state.kind === 'exited' ? (
							'when it ended'
						) : (
							<>
								for <Span since={levelSince} />
							</>
						)}
					</span>
				)
			)}
		</div>
	);
}
