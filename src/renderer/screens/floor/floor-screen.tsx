/** The floor: incidents and agents. */
import { useFloor, useStatus } from '../../store/floor-context.tsx';
import { EmptyFloor } from '../empty/empty-floor.tsx';
import { AgentList } from './agent-list.tsx';
import { IncidentsStrip } from './incidents-strip.tsx';
import { Unreached } from './unreached.tsx';
import './floor-screen.css';

export function FloorScreen() {
	const known = useStatus() !== null;
	const empty = useFloor(({ picture }) => ![...picture.agents.values()].some(({ value }) => value !== null));
	return (
		<>
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
		</>
	);
}
