/** The settings file's text: strict JSON with an object in it. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { RawSettings } from './settings-merge.ts';
import { isObject } from './settings-object.ts';

export type ParsedText =
	| { readonly ok: true; readonly raw: RawSettings }
	/** `problem`: where and what, "line 3, column 5: CommaExpected". */
	| { readonly ok: false; readonly problem: string };

/** Never throws. A BOM is allowed. */
export function parseSettingsText(text: string): ParsedText {
	const json = text.replace(/^\uFEFF/, '');
	try {
		const value: unknown = JSON.parse(json);
		if (isObject(value)) return { ok: true, raw: value };
		return { ok: false, problem: 'it does not hold an object, {…}' };
	} catch (error) {
		return {
			ok: false,
			problem: whereAndWhat(json) ?? (error instanceof Error ? error.message : String(error)),
		};
	}
}

/** As a person would write it. */
export function printSettings(raw: RawSettings): string {
	return `${JSON.stringify(raw, null, '\t')}\n`;
}

function whereAndWhat(json: string): string | null {
	if (json.trim() === '') return 'it is empty';
	const errors: ParseError[] = [];
	parse(json, errors, { disallowComments: true });
	const first = errors[0];
	if (!first) return null;
	const before = json.slice(0, first.offset).split('\n');
	return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${printParseErrorCode(first.error)}`;
}
