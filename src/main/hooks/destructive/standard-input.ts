/** What programs print into a pipe, when the line tells: `echo "…" | sh`, `cat <<EOF | psql`. */
import { type Input, isUnknown, operandsOf, type Words } from './rule.ts';

const NOT_KNOWN: Input = { kind: 'unknown' };

/** What the command prints, given what it reads. */
export function printedBy(words: Words, input: Input): Input {
	const [program = '', ...rest] = words;
	switch (program) {
		case 'echo':
			return asText(rest.filter((word, index) => index > 2 || !/^-[neE]+$/.test(word)).join(' '));
		case 'printf':
			// A format may put its words anywhere: each may become a line.
			return asText([...rest, rest.slice(1).join(' ')].join('\n'));
		case 'cat':
			return operandsOf(rest).every((word) => word === '-') ? input : NOT_KNOWN;
		case 'tee':
			return input;
		default:
			return NOT_KNOWN;
	}
}

/** Escapes that build letters are not followed, and neither is a text that is all made by the shell. */
function asText(text: string): Input {
	if (/\\(?:[x0-7uUc]|$)/.test(text) || (isUnknown(text) && /^\W*$/.test(text))) return NOT_KNOWN;
	return { kind: 'text', text: text.replace(/\\n/g, '\n') };
}
