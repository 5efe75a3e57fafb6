/** Copies a text as it is, and says so. */
import { useState } from 'react';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
	text: string;
	/** What it is, for the button's name: "the command". */
	what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
	const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			setState('copied');
		} catch {
			// The browser does not allow it here.
			setState('refused');
		}
	};
	return (
		<span className="copy-button">
			<button type="button" className="button button-bare" onClick={() => void copy()}>
				<Icon name="copy" />
				Copy {what}
			</button>
			<span role="status" className="quiet">
				{state === 'copied' && 'Copied.'}
				{state === 'refused' && 'The browser does not allow copying here: select it by hand.'}
			</span>
		</span>
	);
}
