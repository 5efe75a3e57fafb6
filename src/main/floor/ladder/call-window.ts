/** The last calls of one actor, with what came back. */
import { type CallIdentity, identify } from './call-signature.ts';
import { digestOf } from './canonical-input.ts';
import { withoutVolatileParts } from './volatile-text.ts';

/** Calls remembered of one actor, at least. */
export const WINDOW_SIZE = 64;

export interface Call {
	readonly callId: string | null;
	/** Replaced once, when the result brings an input that the start did not. */
	identity: CallIdentity;
	/** When it started, or when its result came if nobody told of the start. */
	at: number;
	/** No equal call was in the window when it started. */
	distinct: boolean;
	/** Nor one that differs in numbers, ids and dates only. */
	novel: boolean;
	/** No result has come. A denied call stays open. */
	open: boolean;
	failed: boolean;
	/** Equal for results that say the same. `null`: not known. */
	result: string | null;
	emptyResult: boolean;
	/** A changed file or a prompt came after it: it belongs to no streak any more. */
	spent: boolean;
}

/**
 * The same call again? Results count where the inputs differ in volatile parts only: the same failure is telling
 * whatever number changes; a success only where nothing but ids, times and numeric fields do ("page-3" and "page-4"
 * are two pages).
 */
export function isSameCall(a: Call, b: Call): boolean {
	const { signature, looseSignature } = a.identity;
	if (signature === null || b.identity.signature === null) return false;
	if (a.identity === b.identity || signature === b.identity.signature) return true;
	if (looseSignature === null || looseSignature !== b.identity.looseSignature) return false;
	if (a.result === null || a.result !== b.result) return false;
	if (a.failed && b.failed) return true;
	return a.identity.nonceSignature === b.identity.nonceSignature && isTelling(a) && isTelling(b);
}

/** Started like `a`, but its result, which decides, is not there yet. */
export function mayBeSameCall(a: Call, b: Call): boolean {
	if (!b.open && !a.open) return false;
	return a.identity.looseSignature !== null && a.identity.looseSignature === b.identity.looseSignature;
}

/** Equal answers say something, unless they are empty or of a call that changes things. */
function isTelling(call: Call): boolean {
	return !call.emptyResult && !call.identity.mayChangeThings;
}

export class CallWindow {
	readonly #calls: Call[] = [];
	#repeats = 0;

	/** Calls that had something like them before them in the window. Few of these, no loop. */
	get repeats(): number {
		return this.#repeats;
	}

	/** Oldest first. */
	get calls(): readonly Call[] {
		return this.#calls;
	}

	get newest(): Call | undefined {
		return this.#calls.at(-1);
	}

	/** Appends a call; the oldest leave when there are more than `capacity`. */
	add(
		tool: unknown,
		input: unknown,
		start: { callId: string | null; at: number; spent: boolean },
		capacity: number,
	): Call {
		const recognised = this.#recognise(identify(tool, input));
		const call = { ...start, ...recognised, open: true, failed: false, result: null, emptyResult: false };
		this.#calls.push(call);
		if (!call.novel) this.#repeats += 1;
		this.trim(capacity);
		return call;
	}

	/** Equal calls share one identity: quick to compare, and small. */
	#recognise(identity: CallIdentity): Pick<Call, 'identity' | 'distinct' | 'novel'> {
		const { signature, looseSignature } = identity;
		let equal: Call | undefined;
		let novel = true;
		for (const call of signature === null ? [] : this.#calls) {
			if (call.identity.signature === signature) equal = call;
			else if (looseSignature === null || call.identity.looseSignature !== looseSignature) continue;
			novel = false;
		}
		return { identity: equal?.identity ?? identity, distinct: equal === undefined, novel };
	}

	trim(capacity: number): void {
		if (this.#calls.length <= capacity) return;
		const gone = this.#calls.splice(0, this.#calls.length - capacity);
		this.#repeats -= gone.filter((call) => !call.novel).length;
	}

	withId(callId: string): Call | undefined {
		return this.#calls.findLast((call) => call.callId === callId);
	}

	/** The newest call without a result that such a result can belong to. */
	openCall(tool: unknown, input: unknown): Call | undefined {
		const { signature, label } = identify(tool, input);
		return this.#calls.findLast((call) => {
			if (!call.open || call.callId !== null) return false;
			return signature === null ? call.identity.label === label : call.identity.signature === signature;
		});
	}

	/**
	 * Notes what came back. True when it is new information: a result this call did not have before, or a failure
	 * that no call in the window had.
	 */
	finish(call: Call, tool: unknown, input: unknown, outcome: { text: unknown; failed: boolean }): boolean {
		if (call.identity.signature === null) {
			Object.assign(call, this.#recognise(identify(tool, input)));
			if (!call.novel) this.#repeats += 1;
		}
		call.open = false;
		call.failed = outcome.failed;
		if (typeof outcome.text !== 'string') return call.distinct;
		const text = withoutVolatileParts(outcome.text);
		call.emptyResult = text === '';
		const result = `${outcome.failed ? 'failed' : 'ok'}:${digestOf(text)}`;
		call.result = result;
		let isNews = true;
		for (const other of this.#calls) {
			if (other === call || other.result !== result) continue;
			call.result = other.result;
			if (outcome.failed || isSameCall(other, call)) isNews = false;
		}
		return isNews;
	}

	/** What happened up to `at` is behind a changed file or a prompt. Calls without a stamp came before it. */
	spend(at: number): boolean {
		let changed = false;
		for (const call of this.#calls) {
			if (call.spent || (call.at > at && Number.isFinite(call.at))) continue;
			call.spent = true;
			changed = true;
		}
		return changed;
	}

	/** Stamps from the future, and missing ones, become `now`. */
	settle(now: number): void {
		for (const call of this.#calls) if (call.at > now) call.at = now;
	}
}
