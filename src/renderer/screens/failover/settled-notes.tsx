/** Quiet notes of questions that are over. They stay until they are put aside. */

import { endOf } from '../../store/decisions.ts';
import { useFloor, useFloorContext } from '../../store/floor-context.tsx';
import type { Settled } from '../../store/view-store.ts';
import { Ago } from '../../widgets/age.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

export function SettledNotes({ settled }: { settled: readonly Settled[] }) {
	return settled.map((note) =>
		note.kind === 'popup' ? (
			<RecoveredNote key={note.id} note={note} />
		) : (
			<Note key={note.id} id={note.id}>
				<strong>Expired, nothing was answered:</strong> <Untrusted text={note.agentName} limit={60} />,{' '}
				<Untrusted text={note.tool} limit={60} /> <Untrusted text={note.target} limit={120} mono />
			</Note>
		),
	);
}

function RecoveredNote({ note }: { note: Extract<Settled, { kind: 'popup' }> }) {
	const end = useFloor(({ picture }) => endOf(picture, note.incidentId));
	// Answered and not over yet: the incident itself still tells of it.
	if (end === null) return null;
	return (
		<Note id={note.id}>
			<strong>
				Over: <Untrusted text={end.endReason ?? 'no reason given'} limit={200} />.
			</strong>{' '}
			<Untrusted text={note.sentence} limit={200} />{' '}
			<span className="quiet">
				<Ago at={end.endedAt ?? end.updatedAt} />
			</span>
		</Note>
	);
}

function Note({ id, children }: { id: string; children: React.ReactNode }) {
	const { view } = useFloorContext();
	return (
		<div className="settled" data-testid="settled-note">
			<p>{children}</p>
			<button
				type="button"
				className="button button-bare"
				aria-label="Put this note aside"
				onClick={() =>
					view.setState(({ settled }) => ({ settled: settled.filter((note) => note.id !== id) }))
				}
			>
				<Icon name="close" />
			</button>
		</div>
	);
}
