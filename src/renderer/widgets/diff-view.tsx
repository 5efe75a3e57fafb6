/** A unified diff as text: added lines marked by sign and weight, not by colour alone. */
import { visibleText } from '../../shared/untrusted-text.ts';
import './diff-view.css';

const LINE_LIMIT = 400;
const LINES_SHOWN = 400;

export function DiffView({ diff, label }: { diff: string; label: string }) {
	const lines = diff.replace(/\n$/, '').split('\n');
	return (
		// A scrolling region must be reachable by keyboard.
		// biome-ignore lint/a11y/noNoninteractiveTabindex: see above
		<section className="diff mono" aria-label={label} tabIndex={0}>
			{lines.slice(0, LINES_SHOWN).map((line, index) => (
				// Lines have no identity but their place, and the diff is never edited.
				// biome-ignore lint/suspicious/noArrayIndexKey: see above
				<div key={index} className={`diff-line ${lineClass(line)}`}>
					{visibleText(line, { limit: LINE_LIMIT, multiline: true }) || ' '}
				</div>
			))}
			{lines.length > LINES_SHOWN && (
				<div className="diff-line">… {lines.length - LINES_SHOWN} more lines</div>
			)}
		</section>
	);
}

function lineClass(line: string): string {
	if (/^(\+\+\+|---|@@)/.test(line)) return 'diff-head';
	if (line.startsWith('+')) return 'diff-added';
	return line.startsWith('-') ? 'diff-removed' : '';
}
