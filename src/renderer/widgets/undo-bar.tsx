/** What was just done, and the way back. It asks nothing; it leaves when something newer comes or it is put aside. */
import { useEffect, useRef } from 'react';
import { useFloorContext, useView } from '../store/floor-context.tsx';
import { forgetUndo, undoLast } from '../store/undo.ts';
import { Failure } from './failure.tsx';
import { Icon } from './icon.tsx';
import './undo-bar.css';

/** It leaves by itself after this time, unless it is in hand or failed, ms. */
const LEAVES_MS = 20_000;

export function UndoBar() {
	const { view } = useFloorContext();
	const offered = useView(({ undoable }) => undoable);
	const bar = useRef<HTMLElement>(null);
	useEffect(() => {
		if (offered === null || offered.pending || offered.error !== null) return;
		const timer = setInterval(() => {
			if (bar.current?.matches(':hover, :focus-within') !== true) forgetUndo(view);
		}, LEAVES_MS);
		return () => clearInterval(timer);
	}, [view, offered]);
	if (offered === null) return null;
	return (
		<section ref={bar} className="undo-bar" aria-label="Last action" data-testid="undo-bar">
			<p>{offered.words}</p>
			<button
				type="button"
				className="button"
				aria-disabled={offered.pending}
				onClick={() => void undoLast(view)}
			>
				Undo <kbd>z</kbd>
			</button>
			<button
				type="button"
				className="button button-bare"
				aria-label="Put aside"
				onClick={() => forgetUndo(view)}
			>
				<Icon name="close" />
			</button>
			{offered.error && <Failure error={offered.error} />}
		</section>
	);
}
