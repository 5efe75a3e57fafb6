/**
 * Quiet notes of questions that are over. That a provider is back is told and leaves by itself; that nobody answered
 * an agent stays until it is put aside.
 */
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { sentenceWords } from '../../../shared/format.ts';
import { endOf, shownNotes, withoutNote } from '../../store/decisions.ts';
import { useFloor, useFloorContext, useView } from '../../store/floor-context.tsx';
import { Ago } from '../../widgets/age.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

/** Long enough to be read, ms. */
const LEAVES_AFTER_MS = 10_000;

export function SettledNotes() {
	const settled = useView((state) => state.settled);
	const incidents = useFloor(({ picture }) => picture.incidents);
	const shown = useMemo(() => shownNotes(settled, { incidents }), [settled, incidents]);
	const { expired, olderExpired, over } = shown;
	return (
		<>
			{expired && (
				<Note id={expired.id}>
					<strong>Expired, nothing was answered:</strong> <Untrusted text={expired.agentName} limit={60} />,{' '}
					<Untrusted text={expired.tool} limit={60} /> <Untrusted text={expired.target} limit={120} mono />
					{olderExpired > 0 && ` and ${olderExpired} more before it`}
				</Note>
			)}
			{over.toReversed().map((note) => {
				const end = endOf({ incidents }, note.incidentId);
				if (end === null) return null;
				return (
					<Note key={note.id} id={note.id} leaves>
						<strong>
							Over:{' '}
							<Untrusted text={sentenceWords(end.endReason || 'no reason given', 'inside')} limit={200} />
						</strong>{' '}
						<Untrusted text={note.sentence} limit={200} />{' '}
						<span className="quiet">
							<Ago at={end.endedAt ?? end.updatedAt} />
						</span>
					</Note>
				);
			})}
		</>
	);
}

interface NoteProps {
	id: string;
	/** It leaves by itself, unless it is in hand. */
	leaves?: boolean;
	children: ReactNode;
}

function Note({ id, leaves = false, children }: NoteProps) {
	const { floor, view } = useFloorContext();
	const [pointed, setPointed] = useState(false);
	const [focused, setFocused] = useState(false);
	const inHand = pointed || focused;
	const forget = () =>
		view.setState(({ settled }) => ({ settled: withoutNote(settled, id, floor.getState().picture) }));
	// biome-ignore lint/correctness/useExhaustiveDependencies: the time begins anew only when it was in hand
	useEffect(() => {
		if (!leaves || inHand) return;
		const timer = setTimeout(forget, LEAVES_AFTER_MS);
		return () => clearTimeout(timer);
	}, [leaves, inHand]);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: it only notes whether it is in hand
		<div
			className="settled"
			data-testid="settled-note"
			data-decision={id}
			onPointerEnter={() => setPointed(true)}
			onPointerLeave={() => setPointed(false)}
			onFocus={() => setFocused(true)}
			onBlur={() => setFocused(false)}
		>
			<p>{children}</p>
			<button type="button" className="button button-bare" aria-label="Put this note aside" onClick={forget}>
				<Icon name="close" />
			</button>
		</div>
	);
}
