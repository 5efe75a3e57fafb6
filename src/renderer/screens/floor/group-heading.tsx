/** The head of a group: what all of it needs, or the repository and what its agents need. It folds the group. */
import type { AgentGroup } from '../../../shared/attention.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { countWords, type FloorGroup } from '../../store/floor-layout.ts';
import { withFold } from '../../store/preferences.ts';
import { Icon } from '../../widgets/icon.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';

export function GroupHeading({ group, folded }: { group: FloorGroup; folded: boolean }) {
	const { view } = useFloorContext();
	return (
		<h2 className={`group ${group.group === null ? 'group-repository' : `group-${group.group}`}`}>
			<button
				type="button"
				className="group-toggle"
				aria-expanded={!folded}
				onClick={() =>
					view.setState(({ preferences }) => ({
						preferences: { ...preferences, folds: withFold(preferences.folds, group.key, !folded) },
					}))
				}
			>
				<Icon name="chevron" turned={!folded} />
				<Untrusted text={group.title} limit={80} />
			</button>
			{group.group === null ? (
				<>
					<span className="group-tally">
						{group.tally.map(([need, agents]) => (
							<span key={need} className={`tally tally-${need}`}>
								{tallyWords(need, agents)}
							</span>
						))}
					</span>
					<span className="group-path">{group.path !== null && <UntrustedPath path={group.path} />}</span>
				</>
			) : (
				<span className="group-count">{group.ids.length}</span>
			)}
		</h2>
	);
}

/** "2 need you". */
function tallyWords(need: AgentGroup, agents: number): string {
	return `${agents} ${countWords[need](agents)}`;
}
