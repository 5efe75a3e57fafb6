/**
 * What `ConvertFrom-Json` and `ConvertTo-Json -Depth 3` do to a state file, small: from their documentation and known
 * output. Version 5.1 is JavaScriptSerializer, version 7 Newtonsoft.Json.
 */

export class DateTime {
	readonly ms: number;
	readonly kind: 'local' | 'utc' | 'unspecified';
	constructor(ms: number, kind: DateTime['kind']) {
		this.ms = ms;
		this.kind = kind;
	}
}

export interface PowerShell {
	fromJson(text: string): unknown;
	toJson(value: unknown): string;
	/** `[DateTime]::Parse($value)`: anything but text becomes text first, in the invariant culture. */
	parseDate(value: unknown): number;
}

const pad = (number: number, digits = 2): string => String(number).padStart(digits, '0');

function mapped(value: unknown, leaf: (value: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map((item) => mapped(item, leaf));
	if (typeof value !== 'object' || value === null) return leaf(value);
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapped(item, leaf)]));
}

function invariant(date: DateTime): string {
	const at = new Date(date.ms);
	return date.kind === 'utc'
		? `${pad(at.getUTCMonth() + 1)}/${pad(at.getUTCDate())}/${at.getUTCFullYear()} ${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())}`
		: `${pad(at.getMonth() + 1)}/${pad(at.getDate())}/${at.getFullYear()} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

function parseDate(value: unknown): number {
	const text = value instanceof DateTime ? invariant(value) : String(value);
	const [, month, day, year, hour, minute, second] =
		/^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d):(\d\d)$/.exec(text) ?? [];
	if (month === undefined) return Date.parse(text);
	return new Date(
		Number(year),
		Number(month) - 1,
		Number(day),
		Number(hour),
		Number(minute),
		Number(second),
	).getTime();
}

/** Its own way to indent: everything inside stands four to the right of its opening bracket. */
function print5(value: unknown, column: number): string {
	if (value instanceof DateTime) return `"\\/Date(${value.ms})\\/"`;
	if (typeof value === 'string') {
		return JSON.stringify(value).replace(/[<>&']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
	}
	if (typeof value !== 'object' || value === null) return JSON.stringify(value);
	const inner = ' '.repeat(column + 4);
	const isList = Array.isArray(value);
	const items = isList
		? value.map((item) => inner + print5(item, column + 4))
		: Object.entries(value).map(([key, item]) => {
				const name = `${inner}${JSON.stringify(key)}:  `;
				return name + print5(item, name.length);
			});
	const [start, end] = isList ? '[]' : '{}';
	return `${start}\r\n${items.join(',\r\n')}\r\n${' '.repeat(column)}${end}`;
}

/** Windows PowerShell 5.1. */
export const powerShell5: PowerShell = {
	fromJson: (text) => {
		// Only the escaped form is a date to it; a mark that JSON.parse keeps shows which one was.
		const marked = text.replace(/"\\\/Date\((-?\d+)\)\\\/"/g, '"\\u0001$1"');
		return mapped(JSON.parse(marked), (leaf) =>
			typeof leaf === 'string' && leaf.startsWith('\u0001')
				? new DateTime(Number(leaf.slice(1)), 'utc')
				: leaf,
		);
	},
	toJson: (value) => `${print5(value, 0)}\r\n`,
	parseDate,
};

const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

function print7(date: DateTime): string {
	const at = new Date(date.ms);
	const isUtc = date.kind === 'utc';
	const east = -at.getTimezoneOffset();
	const local = new Date(date.ms + (isUtc ? 0 : east * 60_000));
	const text = local.toISOString().replace(/\.?0*Z$/, '');
	const zone = `${east < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(east) / 60))}:${pad(Math.abs(east) % 60)}`;
	return text + { utc: 'Z', local: zone, unspecified: '' }[date.kind];
}

/** PowerShell 7: any ISO text becomes a DateTime. */
export const powerShell7: PowerShell = {
	fromJson: (text) =>
		mapped(JSON.parse(text), (leaf) => {
			const [match, zone] = (typeof leaf === 'string' && isoDate.exec(leaf)) || [];
			if (match === undefined) return leaf;
			return new DateTime(
				Date.parse(match),
				zone === undefined ? 'unspecified' : zone === 'Z' ? 'utc' : 'local',
			);
		}),
	toJson: (value) => `${JSON.stringify(dated(value), null, 2)}\n`,
	parseDate,
};

function dated(value: unknown): unknown {
	if (value instanceof DateTime) return print7(value);
	if (Array.isArray(value)) return value.map(dated);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, dated(item)]));
}
