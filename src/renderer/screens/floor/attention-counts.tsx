/** What needs the operator, and how many agents are in each group. A count leads to what it counts. */
import { useMemo } from 'react';
import type { AgentGroup } from '../../../shared/attention.ts';
import { stableSummary } from '../../store/attention-summary.ts';
import { useFloor, useFloorContext, useLostSince } from '../../store/floor-context.tsx';
import { countWords, type FloorGroup, stableLayout } from '../../store/floor-layout.ts';
import { withFold } from '../../store/preferences.ts';
import { focusNextDecision } from '../../widgets/decision-focus.ts';
import { LevelGlyph } from '../../widgets/level-glyph.tsx';
import { focusAgent } from './agent-focus.ts';
import { focusIncident } from './incident-focus.ts';
import './attention-counts.css';

export function AttentionCounts() {
	const select = useMemo(() => stableLayout({ filter: '', grouping: 'need' }), []);
	const sum = useMemo(() => stableSummary(), []);
	const { groups } = useFloor(({ picture }) => select(picture));
	const summary = useFloor(({ picture }) => sum(picture));
	const { needyAgents, decisions, incidents, firstIncident, barred } = summary;
	const lost = useLostSince() !== null;
	const { view } = useFloorContext();
	const show = ({ key, ids: [first] }: FloorGroup) => {
		view.setState(({ preferences }) => ({
			filter: '',
			preferences: { ...preferences, folds: withFold(preferences.folds, key, false) },
		}));
		// The row may only be there after the filter is gone.
		requestAnimationFrame(() => first !== undefined && focusAgent(view, first));
	};
	return (
		<ul className="counts" aria-label="Agents by what they need">
			{decisions > 0 && (
				<li>
					<button
						type="button"
						className={lost ? 'count' : 'count count-needs-you'}
						onClick={() => focusNextDecision()}
					>
						<b>{decisions}</b> {decisionWords(decisions, lost)}
					</button>
				</li>
			)}
			{incidents > 0 && (
				<li>
					<button
						type="button"
						className={lost ? 'count' : 'count count-needs-you'}
						data-testid="count-incidents"
						onClick={() => focusIncident(firstIncident)}
					>
						<b>{incidents}</b> {incidentWords(incidents, lost)}
					</button>
				</li>
			)}
			{needyAgents === 0 && decisions === 0 && incidents === 0 && (
				<li className="count-calm">{lost ? 'What needs you is not known' : 'Nothing needs you'}</li>
			)}
			{groups.map((group) => {
				const need = group.group;
				// Whoever only a decision stands for is counted with that decision.
				const counted = need === 'needs-you' ? needyAgents : group.ids.length;
				if (need === null || counted === 0) return null;
				return (
					<li key={need}>
						<button type="button" className={`count count-${need}`} onClick={() => show(group)}>
							<CountGlyph group={need} />
							<b>{counted}</b> {need === 'stopped' ? barred : countWords[need](counted)}
						</button>
					</li>
				);
			})}
		</ul>
	);
}

function incidentWords(incidents: number, lost: boolean): string {
	if (lost) return incidents === 1 ? 'incident, last known' : 'incidents, last known';
	return incidents === 1 ? 'incident needs you' : 'incidents need you';
}

function decisionWords(decisions: number, lost: boolean): string {
	if (lost) return decisions === 1 ? 'decision, last known' : 'decisions, last known';
	return decisions === 1 ? 'decision waits' : 'decisions wait';
}

function CountGlyph({ group }: { group: AgentGroup }) {
	if (group === 'stopped' || group === 'constrained' || group === 'steering')
		return <LevelGlyph level={group} />;
	return null;
}
