/**
 * The fields of the seed's state file (seed 000, "State File"): which forms of a value are understood, and the one that
 * is written. A reader gives `undefined` for what cannot be used.
 */
import { type CircuitState, circuitStateSchema } from '../../shared/models-view.ts';
import { printDate, readDate } from './dot-net-date.ts';
import { LONGEST_COOLDOWN_MINUTES, modelsOf } from './model-chain.ts';
import { isTooLong } from './model-names.ts';
import type { StateRecord } from './state-record.ts';

/** Control and format characters, lone surrogates, line separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export function readState(value: unknown): CircuitState | undefined {
	// PowerShell compares without regard to case.
	return circuitStateSchema.safeParse(typeof value === 'string' ? value.trim().toLowerCase() : value).data;
}

/** A repository's file is anybody's: its names are printed, and become arguments of programs. */
export function readModel(value: unknown): string | undefined {
	const name = typeof value === 'string' ? value.trim() : '';
	const isName = name !== '' && !isTooLong(name) && !unseen.test(name) && !name.startsWith('-');
	return isName ? name : undefined;
}

/** What a state file can say: the settings allow names that would not be read back. */
export function isConfiguration(record: StateRecord): boolean {
	return modelsOf(record).every((name) => readModel(name) === name);
}

/** A list of one may have become plain text, and one below PowerShell's depth is joined with blanks. */
export function readChain(value: unknown): readonly string[] | undefined {
	if (value === null) return [];
	const words = typeof value === 'string' ? value.split(/\s+/).filter((word) => word !== '') : value;
	if (!Array.isArray(words)) return undefined;
	const models = words.map(readModel);
	return models.every((model) => model !== undefined) ? models : undefined;
}

function readNumber(value: unknown): number {
	if (typeof value === 'string' && value.trim() !== '') return Number(value);
	return typeof value === 'number' ? value : Number.NaN;
}

export function readCount(value: unknown): number | undefined {
	const count = readNumber(value);
	// -0 is 0.
	return Number.isSafeInteger(count) && count >= 0 ? count + 0 : undefined;
}

export function readMinutes(value: unknown): number | undefined {
	const minutes = readNumber(value);
	return minutes > 0 && minutes <= LONGEST_COOLDOWN_MINUTES ? minutes : undefined;
}

export function readDateOrNull(value: unknown): number | null | undefined {
	return value === null || value === '' ? null : readDate(value);
}

/** One field as it should be. */
export interface WantedField {
	readonly key: string;
	/** JSON. */
	readonly text: string;
	/** The value says this already, in whatever form. */
	holds(value: unknown): boolean;
}

function want<T>(key: string, value: T, read: (value: unknown) => T | undefined): WantedField {
	const text = ascii(value);
	return { key, text, holds: (present) => ascii(read(present)) === text };
}

function wantDate(key: string, at: number | null): WantedField {
	const whole = at === null ? null : Math.floor(at);
	const text = ascii(whole === null ? null : printDate(whole));
	return { key, text, holds: (present) => readDateOrNull(present) === whole };
}

/** Every field of the seed but `metrics`: a script that assigns to one that is missing fails. */
export function fieldsOf(record: StateRecord): WantedField[] {
	const resumeAt = wantDate('resumeAt', record.resumeAt);
	return [
		want('state', record.state, readState),
		want('preferredModel', record.preferredModel, readModel),
		want('fallbackChain', record.fallbackChain, readChain),
		want('currentFallbackIndex', record.currentFallbackIndex, readCount),
		want('cooldownMinutes', record.cooldownMinutes, readMinutes),
		wantDate('openedAt', record.openedAt),
		want('halfOpenSuccesses', record.halfOpenSuccesses, readCount),
		want('consecutiveFailures', record.consecutiveFailures, readCount),
		// Ours, not the seed's: it is there only when it says something.
		{
			...resumeAt,
			holds: (present) => (present === undefined ? record.resumeAt === null : resumeAt.holds(present)),
		},
	];
}

export function metricsOf({ metrics }: StateRecord): WantedField[] {
	return [
		want('totalFallbacks', metrics.totalFallbacks, readCount),
		want('totalRecoveries', metrics.totalRecoveries, readCount),
		wantDate('lastFallbackAt', metrics.lastFallbackAt),
		wantDate('lastRecoveryAt', metrics.lastRecoveryAt),
	];
}

/** Windows PowerShell reads the system's code page, so only ASCII is written. */
function ascii(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(ascii).join(', ')}]`;
	return (JSON.stringify(value) ?? '').replace(
		/[\u007f-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}
