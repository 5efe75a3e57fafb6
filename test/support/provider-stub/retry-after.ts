/** Every form in which a provider says when to come again, and what each means. */

export interface RetryAfterForm {
	readonly name: string;
	readonly headers: Readonly<Record<string, string | (() => string)>>;
	/** What it asks for, ms from the answer; `null`: it says nothing that can be used. */
	readonly meansMs: number | null;
}

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

export const retryAfterForms: readonly RetryAfterForm[] = [
	{ name: 'seconds', headers: { 'retry-after': '7' }, meansMs: 7_000 },
	{ name: 'decimal seconds', headers: { 'retry-after': '1.5' }, meansMs: 1_500 },
	{ name: 'zero', headers: { 'retry-after': '0' }, meansMs: 0 },
	{ name: 'HTTP date', headers: { 'retry-after': () => inSeconds(30) }, meansMs: 30_000 },
	{ name: 'HTTP date in the past', headers: { 'retry-after': () => inSeconds(-60) }, meansMs: null },
	{ name: 'retry-after-ms', headers: { 'retry-after-ms': '2500' }, meansMs: 2_500 },
	{
		name: 'retry-after-ms beside seconds',
		headers: { 'retry-after-ms': '2500', 'retry-after': '3' },
		meansMs: 2_500,
	},
	{ name: 'garbage', headers: { 'retry-after': 'soon' }, meansMs: null },
	{ name: 'negative', headers: { 'retry-after': '-5' }, meansMs: null },
	{ name: 'empty', headers: { 'retry-after': '' }, meansMs: null },
	{ name: 'absent', headers: {}, meansMs: null },
];
