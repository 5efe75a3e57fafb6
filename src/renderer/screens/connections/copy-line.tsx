/** One line to copy: an address, a command. */
import { useRef, useState } from 'react';
import { Untrusted } from '../../widgets/untrusted.tsx';

interface CopyLineProps {
	text: string;
	/** What it is, for the button's name: "the gateway's address". */
	what: string;
}

export function CopyLine({ text, what }: CopyLineProps) {
	const [copied, setCopied] = useState<'not-yet' | 'copied' | 'by-hand'>('not-yet');
	const line = useRef<HTMLSpanElement>(null);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			setCopied('copied');
		} catch {
			// Not allowed here: then by hand.
			setCopied('by-hand');
			if (line.current) getSelection()?.selectAllChildren(line.current);
		}
	};
	return (
		<p className="copy-line">
			<span ref={line}>
				<Untrusted text={text} limit={400} mono />
			</span>
			<button type="button" className="button" aria-label={`Copy ${what}`} onClick={() => void copy()}>
				Copy
			</button>
			<span role="status" className="soft">
				{copied === 'copied' && 'Copied.'}
				{copied === 'by-hand' && 'Selected: press Ctrl+C or ⌘C.'}
			</span>
		</p>
	);
}
