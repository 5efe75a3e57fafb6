/** The floor: the bar, what must not be overlooked, incidents, agents, the line at the foot. */
import { useFloor, useStatus } from '../../store/floor-context.tsx';
import { EmptyFloor } from '../empty/empty-floor.tsx';
import { AgentList } from './agent-list.tsx';
import { FootLine } from './foot-line.tsx';
import { IncidentsStrip } from './incidents-strip.tsx';
import { Notices } from './notices.tsx';
import { TopBar } from './top-bar.tsx';
import { Unreached } from './unreached.tsx';
import './floor-screen.css';

export function FloorScreen() {
	const known = useStatus() !== null;
	const empty = useFloor(({ picture }) => ![...picture.agents.values()].some(({ value }) => value !== null));
	return (
		<div className="floor">
			<TopBar />
			<Notices />
			<main className="floor-main" tabIndex={-1}>
				{known && !empty ? (
					<AgentList>
						<IncidentsStrip />
					</AgentList>
				) : (
					<>
						<IncidentsStrip />
						{known ? <EmptyFloor /> : <Unreached />}
					</>
				)}
			</main>
			<FootLine />
		</div>
	);
}
