/** A dialog: modal, labelled, closed by Escape, focus given back to where it came from. */
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Icon } from './icon.tsx';
import './dialog-frame.css';

interface DialogFrameProps {
	title: ReactNode;
	/** One or two sentences under the title; announced with it. */
	description: ReactNode;
	onClose: () => void;
	children: ReactNode;
	/** `drawer` comes from the right edge and is as high as the window. */
	shape?: 'plate' | 'wide' | 'drawer';
	testId?: string;
	/** Called when it opens; call `preventDefault` and focus something to choose where the focus starts. */
	onOpenAutoFocus?: (event: Event) => void;
}

/**
 * Our own scrim instead of `Dialog.Overlay`: that one locks scrolling with a style element, which the page's policy
 * forbids. `overscroll-behavior` and a fixed scrim do the same.
 */
export function DialogFrame(props: DialogFrameProps) {
	const { title, description, onClose, children, shape = 'plate', testId, onOpenAutoFocus } = props;
	// Read before the dialog takes the focus.
	const [opener] = useState(() => document.activeElement);
	return (
		<Dialog.Root open onOpenChange={(open) => !open && onClose()}>
			<Dialog.Portal>
				<div className="scrim" />
				<Dialog.Content
					className={`dialog dialog-${shape}`}
					data-testid={testId}
					onCloseAutoFocus={(event) => {
						event.preventDefault();
						giveFocusBack(opener);
					}}
					{...(onOpenAutoFocus ? { onOpenAutoFocus } : {})}
				>
					<header className="dialog-head">
						<div>
							<Dialog.Title className="dialog-title">{title}</Dialog.Title>
							<Dialog.Description className="dialog-description">{description}</Dialog.Description>
						</div>
						<Dialog.Close className="button button-bare" aria-label="Close">
							<Icon name="close" />
						</Dialog.Close>
					</header>
					{children}
				</Dialog.Content>
			</Dialog.Portal>
		</Dialog.Root>
	);
}

/** To where it came from; if that has gone meanwhile, to the agent that Tab would come to. */
function giveFocusBack(opener: Element | null): void {
	const tabStop = document.querySelector<HTMLElement>('.agent-name[tabindex="0"]');
	const target =
		opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : tabStop;
	target?.focus();
}
