/** Figures and foreign text as a person reads them. */

/** 1234567 → "1 234 567"; fractions are rounded. */
export function grouped(value: number): string {
	return Math.round(value)
		.toString()
		.replace(/\B(?=(\d{3})+$)/g, ' ');
}

/** 12.3 → "$12.30". */
export function dollars(value: number): string {
	return `$${value.toFixed(2)}`;
}

/** 90 000 ms → "90 s", 300 000 ms → "5 min". */
export function span(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** Printable ASCII, single spaces inside. */
const PLAIN = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/** Text of an agent on one line: no control characters, no broken surrogates, at most `limit` code units. */
export function oneLine(text: string, limit: number): string {
	if (text.length <= limit && PLAIN.test(text)) return text;
	// Only the beginning is looked at: an input may be megabytes long.
	const line = text
		.slice(0, limit * 4)
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
		.trim();
	const cut = line.length > limit || text.length > limit * 4;
	return (cut ? `${line.slice(0, limit - 1)}…` : line).replace(/[\uD800-\uDBFF](?=…$)/, '').toWellFormed();
}
