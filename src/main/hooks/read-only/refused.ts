/** Thrown inside the judge, caught by it: the call is not provably read-only. `message` completes "Refused: …". */
export class Refused extends Error {
	override readonly name = 'Refused';
}

/** Text of a command as a sentence can carry it. */
export function quoted(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return `\`${line.length > 60 ? `${line.slice(0, 59)}…` : line}\``;
}
