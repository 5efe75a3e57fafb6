/** Putting an incident away, with the way back. */
import type { Incident } from '../../../shared/snapshot.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import type { FloorContextValue } from '../../store/floor-context.tsx';
import { offerUndo } from '../../store/undo.ts';

/** Longest title in the words of the undo bar, characters. */
const TITLE_LIMIT = 80;

/** Rejects with the engine's error. */
export async function dismissIncident(
	{ transport, view }: Pick<FloorContextValue, 'transport' | 'view'>,
	{ id: incidentId, title }: Pick<Incident, 'id' | 'title'>,
): Promise<void> {
	await transport.request('incident:dismiss', { incidentId });
	offerUndo(view, `Dismissed: ${visibleText(title, { limit: TITLE_LIMIT })}`, () =>
		transport.request('incident:restore', { incidentId }),
	);
}
