/** A dialog: modal, labelled, closed by Escape, focus given back to where it came from. */
import { Dialog } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { useFloorContext } from '../store/floor-context.tsx';
import { decisionInFocus, focusNeutral, focusNextDecision } from './decision-focus.ts';
import { DecisionNotice } from './decision-notice.tsx';
import { Icon } from './icon.tsx';
import './dialog-frame.css';

interface DialogFrameProps {
	title: ReactNode;
	/** One or two sentences under the title; announced with it. */
	description: ReactNode;
	onClose: () => void;
	children: ReactNode;
	/** `broad` holds tables; `drawer` comes from the right edge and is as high as the window. */
	shape?: 'plate' | 'wide' | 'broad' | 'drawer';
	testId?: string;
	/** Controls in its head, beside the one that closes it. */
	tools?: ReactNode;
	/** Called when it opens; call `preventDefault` and focus something to choose where the focus starts. */
	onOpenAutoFocus?: (event: Event) => void;
}

/**
 * Our own scrim instead of `Dialog.Overlay`: that one locks scrolling with a style element, which the page's policy
 * forbids. `overscroll-behavior` and a fixed scrim do the same.
 */
export function DialogFrame(props: DialogFrameProps) {
	const { title, description, onClose, children, shape = 'plate', testId, tools, onOpenAutoFocus } = props;
	const { view } = useFloorContext();
	// Read before the dialog takes the focus.
	const [opener] = useState(() => lastingOpener(document.activeElement));
	/** It was closed to answer what waits on the floor. */
	const answering = useRef(false);
	return (
		<Dialog.Root open onOpenChange={(open) => !open && onClose()}>
			<Dialog.Portal>
				<div className="scrim" />
				<Dialog.Content
					className={`dialog dialog-${shape}`}
					data-testid={testId}
					onCloseAutoFocus={(event) => {
						event.preventDefault();
						if (answering.current) focusNextDecision();
						else giveFocusBack(opener);
					}}
					{...(onOpenAutoFocus ? { onOpenAutoFocus } : {})}
				>
					<header className="dialog-head">
						<div>
							<Dialog.Title className="dialog-title">{title}</Dialog.Title>
							<Dialog.Description className="dialog-description">{description}</Dialog.Description>
						</div>
						<div className="dialog-tools">
							{tools}
							<Dialog.Close className="button button-bare" aria-label="Close">
								<Icon name="close" />
							</Dialog.Close>
						</div>
					</header>
					<DecisionNotice
						onGo={() => {
							answering.current = true;
							view.setState({ dialog: null, drawerAgentId: null });
						}}
					/>
					{children}
				</Dialog.Content>
			</Dialog.Portal>
		</Dialog.Root>
	);
}

/** An entry of a menu goes away with its menu; what opened the menu stays. */
function lastingOpener(element: Element | null): Element | null {
	const menu = element?.closest('[role="menu"]');
	const id = menu?.getAttribute('aria-labelledby') ?? '';
	return menu ? document.getElementById(id) : element;
}

/** To where it came from; if that has gone meanwhile, to a place where no key acts on an agent. */
function giveFocusBack(opener: Element | null): void {
	// Another dialog over the same floor was closed with it, to answer a question.
	if (decisionInFocus() !== null) return;
	const known = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
	if (known) opener.focus();
	else focusNeutral();
}
