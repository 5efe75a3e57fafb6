/** Text of agents, tools, models and files. Nothing of theirs is drawn any other way. */
import { splitPath, visibleText } from '../../shared/untrusted-text.ts';
import './untrusted.css';

interface UntrustedProps {
	text: string;
	limit?: number;
	/** What a machine wrote: paths, commands, identifiers. */
	mono?: boolean;
	/** One line, cut with an ellipsis; the whole text shows on hover. */
	line?: boolean;
}

/** `dir="auto"` inside an isolate: a right-to-left name does not reorder what stands around it. */
export function Untrusted({ text, limit, mono = false, line = false }: UntrustedProps) {
	const shown = visibleText(text, limit === undefined ? {} : { limit });
	const className = ['untrusted', mono ? 'mono' : '', line ? 'untrusted-line' : ''].filter(Boolean).join(' ');
	return (
		<bdi className={className} title={line ? shown : undefined}>
			{shown}
		</bdi>
	);
}

/** Many lines as they are: notes and prompts. */
export function UntrustedBlock({ text, limit = 4000 }: { text: string; limit?: number }) {
	return <bdi className="untrusted untrusted-block">{visibleText(text, { limit, multiline: true })}</bdi>;
}

const PATH_LIMIT = 400;

/** A path on one line that gives up its middle first; the whole shows on hover. */
export function UntrustedPath({ path }: { path: string }) {
	const shown = visibleText(path, { limit: PATH_LIMIT });
	const { head, tail } = splitPath(shown);
	return (
		<bdi className="untrusted-path mono" title={shown}>
			{head !== '' && <span className="path-head">{head}</span>}
			<span className="path-tail">{tail}</span>
		</bdi>
	);
}
