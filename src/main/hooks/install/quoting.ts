/** Words as the shells take them literally, whatever stands in them. */

/** For any POSIX shell. */
export function shellQuoted(word: string): string {
	return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** For Windows PowerShell 5.1 and PowerShell 7, to which typographic quotes are quotes, too. */
export function powershellQuoted(word: string): string {
	return `'${word.replaceAll(/['‘’‚‛]/g, (quote) => quote + quote)}'`;
}
