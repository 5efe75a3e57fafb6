/** The plate of one question: a dialog that is not modal. Escape and the button at its head put it aside unanswered. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useLostSince } from '../../store/floor-context.tsx';
import type { Asking } from '../../store/use-request.ts';
import { Ago } from '../../widgets/age.tsx';
import { focusHeadingOf, leaveDecision } from '../../widgets/decision-focus.ts';
import { Failure } from '../../widgets/failure.tsx';
import { QuestionGlyph } from '../../widgets/glyphs.tsx';
import { Icon } from '../../widgets/icon.tsx';
import './decision-frame.css';

interface DecisionFrameProps {
	id: string;
	testId: string;
	title: ReactNode;
	description: ReactNode;
	/** What the button at the head does; it never answers. */
	closeWords: string;
	onClose: () => void;
	children: ReactNode;
}

export function DecisionFrame(props: DecisionFrameProps) {
	const { id, testId, title, description, closeWords, onClose, children } = props;
	const titleId = useId();
	const descriptionId = useId();
	const lost = useLostSince() !== null;
	return (
		<dialog
			open
			className={lost ? 'decision decision-lost' : 'decision'}
			aria-labelledby={titleId}
			aria-describedby={descriptionId}
			data-testid={testId}
			data-decision={id}
			onKeyDown={(event) => {
				// A menu that closes on Escape has already said so.
				if (event.key !== 'Escape' || event.defaultPrevented) return;
				onClose();
				leaveDecision();
			}}
		>
			<header className="decision-head">
				<QuestionGlyph open={!lost} />
				{/* An inert place for the focus when what it was on has changed. */}
				<h2 id={titleId} tabIndex={-1}>
					{title}
				</h2>
				<button
					type="button"
					className="button button-bare"
					aria-label={closeWords}
					title={`${closeWords} (Esc)`}
					onClick={onClose}
				>
					<Icon name="smaller" />
				</button>
			</header>
			<p id={descriptionId} className="decision-detail">
				{description}
			</p>
			{children}
		</dialog>
	);
}

/** Said of a question that this window cannot answer now: how old it is, and what may have become of it. */
export function LastKnown({ meaning }: { meaning: string }) {
	const since = useLostSince();
	if (since === null) return null;
	return (
		<p className="decision-known" data-testid="decision-lost">
			<strong>
				Last known, <Ago at={since} />.
			</strong>{' '}
			This window cannot reach the engine, so nothing can be answered here. {meaning}
		</p>
	);
}

/** Why an answer was not taken, above the answers and in view. */
export function DecisionFailure({ asking: { error, forget } }: { asking: Asking }) {
	const place = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (error === null) return;
		place.current?.scrollIntoView({ block: 'nearest' });
		// Off the answer: pressed again, it would answer what nobody has read yet.
		focusHeadingOf(place.current);
	}, [error]);
	if (error === null) return null;
	return (
		<div ref={place} className="decision-failure">
			<Failure error={error} onDismiss={forget} />
		</div>
	);
}
