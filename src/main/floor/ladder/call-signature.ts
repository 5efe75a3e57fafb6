/** When are two tool calls the same call? */
import { targetOf } from '../tool-target.ts';
import { canonicalText, digestOf } from './canonical-input.ts';
import { isShell, keepsOwnList, mayChangeThings, measures } from './tool-kinds.ts';
import { withoutNonces, withoutPlaces, withoutVolatileArguments } from './volatile-text.ts';
import { type WaitingKind, waitingKindOf } from './waiting-kinds.ts';
import { oneLine } from './wording.ts';

const LABEL_LIMIT = 80;
/** Longer inputs are compared as a whole only: there is more in them than a changing number. */
const LOOSE_LIMIT = 8_192;

export interface CallIdentity {
	/** As a person reads it: "Bash `npm test`". */
	readonly label: string;
	/** Equal for equal calls. `null`: the input is not known, and unknown is never identical. */
	readonly signature: string | null;
	/** Equal for calls that differ only in numbers, ids and dates. `null` where that is not asked. */
	readonly looseSignature: string | null;
	/** Equal for calls that differ only in values that are volatile by their name. `null` where that is not asked. */
	readonly nonceSignature: string | null;
	/** Equal for calls that ask for other places in one list or text. `null` where that is not asked. */
	readonly placeSignature: string | null;
	/** A success of this call may have changed something. */
	readonly mayChangeThings: boolean;
	readonly tool: string;
	/** It was told that there is no input: an object without fields. */
	readonly takesNothing: boolean;
	readonly waiting: WaitingKind | null;
	/** It takes a measurement: the times that it tells are what it is for. */
	readonly measures: boolean;
	/** It only keeps the agent's own list of things to do. */
	readonly keepsOwnList: boolean;
}

/** Never throws. The tool counts with its full canonical input; the label a shell call carries for people does not. */
export function identify(tool: unknown, input: unknown): CallIdentity {
	const name = typeof tool === 'string' && tool.trim() !== '' ? tool : 'unnamed tool';
	const shell = isShell(name);
	const isDropped = (key: string): boolean => shell && key === 'description';
	try {
		const text = isMissing(input, isDropped) ? null : canonicalText(input, isDropped);
		if (text === null) return unknownCall(name, isEmptyObject(input));
		const canonical = `${name}\n${text}`;
		const isLong = text.length > LOOSE_LIMIT;
		return {
			label: labelOf(name, input),
			signature: digestOf(canonical),
			looseSignature: isLong ? null : digestOf(`${name}\n${withoutVolatileArguments(text)}`),
			nonceSignature: isLong ? null : digestOf(`${name}\n${withoutNonces(text)}`),
			placeSignature: isLong ? null : digestOf(`${name}\n${withoutPlaces(text)}`),
			mayChangeThings: isLong || mayChangeThings(name, text),
			tool: name,
			takesNothing: false,
			waiting: waitingKindOf(name, input),
			measures: measures(name, input),
			keepsOwnList: keepsOwnList(name),
		};
	} catch {
		// An input that throws when it is read (a revoked proxy, a getter) cannot be known.
		return unknownCall(name, false);
	}
}

function isEmptyObject(input: unknown): boolean {
	return (
		typeof input === 'object' && input !== null && !Array.isArray(input) && Object.keys(input).length === 0
	);
}

function unknownCall(name: string, takesNothing: boolean): CallIdentity {
	return {
		label: `${oneLine(name, LABEL_LIMIT)} (input not available)`,
		signature: null,
		looseSignature: null,
		nonceSignature: null,
		placeSignature: null,
		mayChangeThings: !takesNothing || isShell(name) || mayChangeThings(name, ''),
		tool: name,
		takesNothing,
		waiting: null,
		measures: false,
		keepsOwnList: keepsOwnList(name),
	};
}

/** Some bridges drop the input or send an empty one: two of those are not "the same call twice". */
function isMissing(input: unknown, isDropped: (key: string) => boolean): boolean {
	if (input === undefined || input === null) return true;
	if (typeof input === 'string') return input.trim() === '';
	if (Array.isArray(input)) return input.length === 0;
	if (typeof input !== 'object') return false;
	return Object.entries(input).every(
		([key, value]) => isDropped(key) || value === undefined || value === null,
	);
}

function labelOf(name: string, input: unknown): string {
	const target = oneLine(targetOf(input) || fieldsOf(input), LABEL_LIMIT);
	const tool = oneLine(name, LABEL_LIMIT);
	return target === '' ? tool : `${tool} \`${target}\``;
}

/** For tools without a telling field: the short values of the input by name. */
function fieldsOf(input: unknown): string {
	if (typeof input !== 'object' || input === null) return String(input);
	const parts: string[] = [];
	for (const [key, value] of Object.entries(input)) {
		const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
		const shown = isList ? value.slice(0, 20).join(' ') : value;
		if (typeof shown === 'object' || typeof shown === 'function' || typeof shown === 'symbol') continue;
		parts.push(`${key}: ${typeof shown === 'string' ? shown.slice(0, LABEL_LIMIT) : String(shown)}`);
		if (parts.length === 4) break;
	}
	return parts.join(', ');
}
