/** The floor: incidents and agents. */
import type { FloorPicture } from '../../../shared/picture.ts';
import { useFloor, useStatus } from '../../store/floor-context.tsx';
import { EmptyFloor } from '../empty/empty-floor.tsx';
import { AgentList } from './agent-list.tsx';
import { IncidentsStrip } from './incidents-strip.tsx';
import { Unreached } from './unreached.tsx';
import './floor-screen.css';

export function FloorScreen() {
	const known = useStatus() !== null;
	const empty = useFloor(({ picture }) => isEmpty(picture));
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

function isEmpty({ agents }: FloorPicture): boolean {
	for (const { value } of agents.values()) if (value !== null) return false;
	return true;
}
