/** The plate of one question: a dialog that is not modal. Escape and the button at its head put it aside unanswered. */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Asking } from '../../store/use-request.ts';
import { leaveDecisions } from '../../widgets/decision-focus.ts';
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
	return (
		<dialog
			open
			className="decision"
			aria-labelledby={titleId}
			aria-describedby={descriptionId}
			data-testid={testId}
			data-decision={id}
			onKeyDown={(event) => {
				// A menu that closes on Escape has already said so.
				if (event.key !== 'Escape' || event.defaultPrevented) return;
				onClose();
				leaveDecisions();
			}}
		>
			<header className="decision-head">
				<QuestionGlyph open />
				<h2 id={titleId}>{title}</h2>
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

/** Why an answer was not taken, above the answers and in view. */
export function DecisionFailure({ asking: { error, forget } }: { asking: Asking }) {
	const place = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (error !== null) place.current?.scrollIntoView({ block: 'nearest' });
	}, [error]);
	if (error === null) return null;
	return (
		<div ref={place} className="decision-failure">
			<Failure error={error} onDismiss={forget} />
		</div>
	);
}
