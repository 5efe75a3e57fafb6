/**
 * The text of the seed's state file (seed 000, "State File"), which PowerShell functions, people's editors and we write
 * by turns. Read: whatever they leave there. Written: only what has changed, in the form that is there.
 */
import { MAX_RETRY_AFTER_MS } from '../../shared/retry-after.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { DATE_TOLERANCE_MS, printDate } from './dot-net-date.ts';
import { decodeFile, encodeFile } from './file-text.ts';
import {
	applyEdits,
	type JsonMember,
	type JsonObjectText,
	memberOf,
	objectAt,
	type TextEdit,
} from './json-members.ts';
import { cooldownMsOf } from './model-chain.ts';
import {
	fieldsOf,
	metricsOf,
	readChain,
	readCount,
	readDateOrNull,
	readMinutes,
	readModel,
	readState,
	type WantedField,
} from './state-fields.ts';
import { defaultStateRecord, type StateRecord } from './state-record.ts';

export type ParsedStateFile =
	/** `problems`: what could not be used and what holds instead, in sentences. Holds words of the file: untrusted. */
	| { readonly ok: true; readonly record: StateRecord; readonly problems: readonly string[] }
	/** Torn, no JSON, or something else than a state file: it is to be set aside. `problem` completes "the file …". */
	| { readonly ok: false; readonly problem: string };

/** A state file has a few hundred bytes; this is none. */
export const LARGEST_STATE_FILE_BYTES = 262_144;
/** Two machines' clocks may differ this much before a date counts as one in the future, ms. */
const CLOCK_TOLERANCE_MS = 60_000;
/** The longest wish, and the jitter behind it: a later `resumeAt` is a wrong one, ms. */
const LONGEST_WAIT_MS = MAX_RETRY_AFTER_MS + 2 * CLOCK_TOLERANCE_MS;

/**
 * Never throws. `openedAt` is `null` where the file says null, something unreadable, or a time in the future (as seen
 * from `now`, ms since the epoch) whose cooldown ends after `resumeAt`: while open, the cooldown then counts from now, and
 * `problems` says so.
 */
export function parseStateFile(bytes: Uint8Array, now: number): ParsedStateFile {
	const found = objectIn(bytes);
	if (!found.ok) return found;
	const { root } = found;
	const problems: string[] = [];
	const state = take(root, 'state', readState, 'closed, open or half-open', problems);
	const openedAt = take(root, 'openedAt', readDateOrNull, 'a date or null', problems) ?? null;
	const metrics = memberOf(root, 'metrics');
	const measured = metrics && objectAt(found.text, metrics.valueStart);
	if (metrics && !measured) {
		problems.push(`metrics is ${shown(metrics.value)}, so its counts are lost. They begin at 0 again.`);
	}
	const preferredModel =
		take(root, 'preferredModel', readModel, 'the name of a model', problems) ??
		defaultStateRecord.preferredModel;
	const fallbackChain =
		take(root, 'fallbackChain', readChain, 'a list of model names', problems) ??
		defaultStateRecord.fallbackChain;
	const cooldownMinutes =
		take(root, 'cooldownMinutes', readMinutes, 'more than 0, up to 10080', problems) ??
		defaultStateRecord.cooldownMinutes;
	const resumeAt = resumeAtIn(root, now, problems);
	const dueAt = (openedAt ?? 0) + cooldownMsOf({ cooldownMinutes });
	const isMeant = resumeAt !== null && dueAt <= resumeAt + DATE_TOLERANCE_MS;
	const isFuture = openedAt !== null && openedAt > now + CLOCK_TOLERANCE_MS && !isMeant;
	if (state === 'open' && (isFuture || openedAt === null)) {
		const what = isFuture ? `openedAt is in the future (${printDate(openedAt)})` : 'openedAt holds no date';
		problems.push(`${what}, though the circuit is open. The cooldown counts from now.`);
	}
	const counts = (object: JsonObjectText | null | undefined, key: string): number =>
		(object && take(object, key, readCount, 'a whole number from 0', problems)) ?? 0;
	const date = (object: JsonObjectText | null | undefined, key: string): number | null =>
		(object && take(object, key, readDateOrNull, 'a date or null', problems)) ?? null;
	return {
		ok: true,
		record: {
			state: state ?? defaultStateRecord.state,
			preferredModel,
			fallbackChain,
			currentFallbackIndex: counts(root, 'currentFallbackIndex'),
			cooldownMinutes,
			openedAt: isFuture ? null : openedAt,
			halfOpenSuccesses: counts(root, 'halfOpenSuccesses'),
			consecutiveFailures: counts(root, 'consecutiveFailures'),
			metrics: {
				totalFallbacks: counts(measured, 'totalFallbacks'),
				totalRecoveries: counts(measured, 'totalRecoveries'),
				lastFallbackAt: date(measured, 'lastFallbackAt'),
				lastRecoveryAt: date(measured, 'lastRecoveryAt'),
			},
			resumeAt,
		},
		problems,
	};
}

function resumeAtIn(root: JsonObjectText, now: number, problems: string[]): number | null {
	const resumeAt = take(root, 'resumeAt', readDateOrNull, 'a date or null', problems) ?? null;
	if (resumeAt === null || resumeAt <= now + LONGEST_WAIT_MS) return resumeAt;
	problems.push(`resumeAt is too far ahead (${printDate(resumeAt)}). It is not heeded.`);
	return null;
}

/**
 * The file's bytes for that record. `previous`: what is there; its unknown fields, the order of its keys, its spacing,
 * line ends and encoding stay, and the same bytes come back when it says the same already. `null`, or what is no state
 * file: a new one, as PowerShell 7 would write it. Times are cut to whole milliseconds.
 */
export function printStateFile(record: StateRecord, previous: Uint8Array | null): Uint8Array {
	const found = previous === null ? null : objectIn(previous);
	if (!found?.ok) return encodeFile({ text: `${newText(record)}\n`, encoding: 'utf-8' });
	const { text, encoding, root } = found;
	const metrics = memberOf(root, 'metrics');
	const measured = metrics ? objectAt(text, metrics.valueStart) : null;
	const edits = editsOf(text, root, fieldsOf(record));
	const measures = metricsOf(record);
	if (measured) edits.push(...editsOf(text, measured, measures));
	else {
		const printed = printObject(measures, spacingOf(text, root));
		edits.push(...editsOf(text, root, [{ key: 'metrics', text: printed, holds: () => false }]));
	}
	return encodeFile({ text: applyEdits(text, edits), encoding });
}

type FoundObject =
	| {
			readonly ok: true;
			readonly text: string;
			readonly encoding: ReturnType<typeof decodeFile>['encoding'];
			readonly root: JsonObjectText;
	  }
	| { readonly ok: false; readonly problem: string };

function objectIn(bytes: Uint8Array): FoundObject {
	if (bytes.length > LARGEST_STATE_FILE_BYTES) {
		return { ok: false, problem: `has more than ${LARGEST_STATE_FILE_BYTES} bytes` };
	}
	const { text, encoding } = decodeFile(bytes);
	if (text.trim() === '') return { ok: false, problem: 'is empty' };
	if (text.includes('\0')) return { ok: false, problem: 'holds NUL bytes, as after a power cut' };
	try {
		JSON.parse(text);
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		return { ok: false, problem: `is no whole JSON (${visibleText(words, { limit: 120 })})` };
	}
	const root = objectAt(text);
	const isOurs = root && ['state', 'preferredModel', 'fallbackChain'].some((key) => memberOf(root, key));
	if (!isOurs) return { ok: false, problem: 'holds none of the fields of a circuit breaker' };
	return { ok: true, text, encoding, root };
}

/** `undefined` when the member is missing, or unusable: then a problem is noted. */
function take<T>(
	object: JsonObjectText,
	key: string,
	read: (value: unknown) => T | undefined,
	allowed: string,
	problems: string[],
): T | undefined {
	const member = memberOf(object, key);
	if (!member) return undefined;
	const value = read(member.value);
	if (value === undefined) {
		problems.push(`${key} is ${shown(member.value)}; allowed: ${allowed}. The default is used.`);
	}
	return value;
}

function shown(value: unknown): string {
	return visibleText(JSON.stringify(value), { limit: 80 });
}

function newText(record: StateRecord): string {
	const wanted = fieldsOf(record).filter((field) => !field.holds(undefined));
	const spacing = { before: '\n  ', colon: ': ' };
	const metrics = { key: 'metrics', text: printObject(metricsOf(record), spacing), holds: () => false };
	return printObject([...wanted, metrics], { before: '\n', colon: ': ' }, '  ');
}

function editsOf(text: string, object: JsonObjectText, wanted: readonly WantedField[]): TextEdit[] {
	const spacing = spacingOf(text, object);
	const last = object.members.at(-1);
	const missing: string[] = [];
	const edits: TextEdit[] = [];
	for (const field of wanted) {
		const member = memberOf(object, field.key);
		if (field.holds(member?.value)) continue;
		if (member) edits.push({ start: member.valueStart, end: member.valueEnd, text: field.text });
		else missing.push(`${spacing.before}"${field.key}"${spacing.colon}${field.text}`);
	}
	if (missing.length > 0) {
		const at = last?.valueEnd ?? object.inside;
		edits.push({ start: at, end: at, text: `${last ? ',' : ''}${missing.join(',')}` });
	}
	return edits;
}

interface Spacing {
	/** What stands before a key: a line feed and the indentation, or a blank. */
	readonly before: string;
	/** What stands between key and value, colon included. */
	readonly colon: string;
}

function spacingOf(text: string, { members, inside }: JsonObjectText): Spacing {
	const last = members.at(-1);
	if (!last) return { before: '', colon: ': ' };
	return {
		before: spaceBefore(text, last, inside),
		colon: text.slice(last.keyEnd, last.valueStart),
	};
}

function spaceBefore(text: string, { keyStart }: JsonMember, inside: number): string {
	return /[ \t\r\n]*$/.exec(text.slice(inside, keyStart))?.[0] ?? '';
}

/** An object as the value of a member that has `outer` spacing: its own members stand one step further in. */
function printObject(
	fields: readonly WantedField[],
	outer: Spacing,
	step = /\n([ \t]*)$/.exec(outer.before)?.[1] ?? '',
): string {
	const isInline = !outer.before.includes('\n');
	const before = isInline ? '' : outer.before + step;
	const members = fields.map(({ key, text }) => `${before}"${key}"${outer.colon}${text}`);
	return `{${members.join(isInline ? ', ' : ',')}${isInline ? '' : outer.before}}`;
}
