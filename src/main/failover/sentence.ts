/** A sentence begins with a capital letter, also where it begins with a name that somebody wrote without one. */
export function sentence(text: string): string {
	const [first = ''] = text;
	return first.toLocaleUpperCase('en') + text.slice(first.length);
}
