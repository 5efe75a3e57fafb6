/** Here-documents: where they end must be what Bash says, and nothing may run while one is read. */
import type { Node } from 'web-tree-sitter';
import { quoted, Refused } from './refused.ts';

/** True when `gap` holds only blanks and continued lines. Between two words at least one blank must be in it. */
export function isBlankGap(gap: string, where: 'between words' | 'anywhere'): boolean {
	return where === 'anywhere' ? /^(?:\s|\\\n)*$/.test(gap) : /^(?:\\\n)*[ \t](?:[ \t]|\\\n)*$/.test(gap);
}

/**
 * The parts of a here-document that are commands, redirections or operators on its first line.
 * @throws Refused when Bash could see other lines in it than the grammar, or when its text runs commands.
 */
export function hereDocument(node: Node, source: string): readonly Node[] {
	const start = node.children.find((child) => child.type === 'heredoc_start');
	const end = node.children.find((child) => child.type === 'heredoc_end');
	const written = /^(['"]?)(\w+)\1$/.exec(start?.text ?? '');
	const delimiter = written?.[2];
	if (start === undefined || end === undefined || delimiter === undefined) {
		throw new Refused('where its here-document ends cannot be told');
	}
	const firstLine = source.slice(start.endIndex).split('\n', 1)[0] ?? '';
	// A quote or substitution that spans lines would move the beginning of the text.
	if (/['"\\`$#]/.test(firstLine))
		throw new Refused(`what follows ${quoted(start.text)} on its line is not plain`);
	const bodyStart = start.endIndex + firstLine.length + 1;
	const stripsTabs = node.children[0]?.type === '<<-' || node.children[1]?.type === '<<-';
	const lines = source.slice(bodyStart).split('\n');
	const last = lines.findIndex((line) => (stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter);
	const body = lines.slice(0, last).join('\n');
	const bodyEnd = bodyStart + body.length + (last > 0 ? 1 : 0);
	if (last === -1 || source.slice(bodyEnd, end.startIndex).trim() !== '' || end.startIndex < bodyEnd) {
		throw new Refused('where its here-document ends cannot be told');
	}
	if (written?.[1] === '' && /[$`\\]/.test(body))
		throw new Refused('its here-document is expanded by the shell');
	return node.children.filter(
		(child) => !/^(?:heredoc_start|heredoc_body|heredoc_end|<<|<<-|file_descriptor)$/.test(child.type),
	);
}
