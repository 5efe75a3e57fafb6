/** The last calls of one actor, with what came back. */
import { type CallIdentity, identify } from './call-signature.ts';
import { digestOf } from './canonical-input.ts';
import { putStampsInOrder } from './time.ts';
import { sharesAFact, type ToldFacts, toldFactsOf } from './told-facts.ts';
import { withoutNumbers, withoutVolatileParts } from './volatile-text.ts';
import { tookWhatItNames } from './waiting-kinds.ts';

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
	/** The same call was in the window when it started, or when its result showed that it is the same. */
	repeated: boolean;
	/** What it told, or a part of it, another call in the window had told when its result came. */
	echoes: boolean;
	/** No result has come. A denied call stays open. */
	open: boolean;
	failed: boolean;
	/** Equal for results that say the same. `null`: not known. */
	result: string | null;
	/** What it taught: the result, of a failure without its numbers. `null`: not known. */
	lesson: string | null;
	emptyResult: boolean;
	/** What it told, for comparison with other calls. `null`: not known. */
	told: ToldFacts | null;
	/** When its result came. `null`: none has. */
	endedAt: number | null;
	/** It took the time that its input names: a wait, however it is written. */
	tookItsTime: boolean;
	/** The floor itself refused it: whatever is told of it afterwards is our own word. */
	denied: boolean;
	/** An equal call of the same turn, which began before it and ended after it had begun. */
	besides: Call | null;
	/** A changed file or a prompt came after it: it belongs to no streak any more. */
	spent: boolean;
	/** Nothing the agent may have forgotten since: its context was compacted, or begun anew. */
	forgotten: boolean;
}

/**
 * `same`: the same input, or one that differs only in what is volatile by its name (a nonce, an attempt, a timeout).
 * `alike`: any number, id or date may differ. That is weak: "chapter 3" and "chapter 4" are two chapters.
 */
export type Likeness = 'same' | 'alike';

/** The same call again? Where inputs differ, a known and equal result has to say so too. */
export function isLike(a: Call, b: Call, likeness: Likeness): boolean {
	const { signature } = a.identity;
	if (signature === null || b.identity.signature === null) return false;
	if (a.identity === b.identity || signature === b.identity.signature) return true;
	if (a.result === null || a.result !== b.result || !isEqualInput(a, b, likeness)) return false;
	return (a.failed && b.failed) || (isTelling(a) && isTelling(b));
}

/** Started like `a`, but its result, which decides, is not there yet. */
export function mayBeLike(a: Call, b: Call, likeness: Likeness): boolean {
	return (a.open || b.open) && isEqualInput(a, b, likeness);
}

function isEqualInput(a: Call, b: Call, likeness: Likeness): boolean {
	const key = likeness === 'same' ? 'nonceSignature' : 'looseSignature';
	return a.identity[key] !== null && a.identity[key] === b.identity[key];
}

/** Equal answers say something, unless they are empty or of a call that changes things. */
function isTelling(call: Call): boolean {
	return !call.emptyResult && !call.identity.mayChangeThings;
}

/** Time passed in it on purpose. */
export function isWait({ identity, tookItsTime }: Call): boolean {
	return identity.waiting === 'waits' || tookItsTime;
}

/** It asked how something goes that runs elsewhere, and was told. */
export function isLook({ identity, failed }: Call): boolean {
	return identity.waiting === 'looks' && !failed;
}

/** It measured something: equal but for its times it has still told something. */
export function isMeasurement({ identity, failed, told }: Call): boolean {
	return identity.measures && !failed && told !== null;
}

export class CallWindow {
	readonly #calls: Call[] = [];
	#repeats = 0;
	#echoes = 0;
	#unanswered = 0;
	#latestStamp = Number.NEGATIVE_INFINITY;
	/** A call was told with an earlier stamp than one before it. */
	#isOutOfOrder = false;

	/** Repeated calls in the window. Where there are few, no loop has to be looked for. */
	get repeats(): number {
		return this.#repeats;
	}

	/** Calls that may have told nothing new. Without any, all that the agent does is news. */
	get echoes(): number {
		return this.#echoes;
	}

	/** Calls without a result. */
	get unanswered(): number {
		return this.#unanswered;
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
		start: { callId: string | null; at: number; spent: boolean; denied: boolean },
		capacity: number,
	): Call {
		const identity = identify(tool, input);
		const equal = this.#equalOf(identity);
		const call: Call = {
			...start,
			identity: equal?.identity ?? identity,
			distinct: equal === undefined,
			repeated: false,
			echoes: false,
			open: true,
			failed: false,
			result: null,
			lesson: null,
			emptyResult: false,
			told: null,
			endedAt: null,
			tookItsTime: false,
			besides: null,
			forgotten: false,
		};
		if (equal) this.#markRepeated(call);
		this.#calls.push(call);
		this.#unanswered += 1;
		if (start.at < this.#latestStamp) this.#isOutOfOrder = true;
		else this.#latestStamp = start.at;
		this.trim(capacity);
		return call;
	}

	/** A call in the window with the same input. Equal calls share one identity: quick to compare, and small. */
	#equalOf({ signature }: CallIdentity): Call | undefined {
		return signature === null ? undefined : this.#calls.find((call) => call.identity.signature === signature);
	}

	#markRepeated(call: Call): void {
		if (!call.repeated) this.#repeats += 1;
		call.repeated = true;
	}

	trim(capacity: number): void {
		if (this.#calls.length <= capacity) return;
		const gone = this.#calls.splice(0, this.#calls.length - capacity);
		this.#repeats -= gone.filter((call) => call.repeated).length;
		this.#echoes -= gone.filter((call) => call.echoes).length;
		this.#unanswered -= gone.filter((call) => call.open).length;
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
	finish(
		call: Call,
		tool: unknown,
		input: unknown,
		{ text: told, failed, at }: { text: unknown; failed: boolean; at: number },
	): boolean {
		if (call.identity.signature === null) this.#learnInput(call, identify(tool, input));
		if (call.open) this.#unanswered -= 1;
		call.open = false;
		call.failed = failed;
		call.endedAt = at;
		call.tookItsTime = !failed && tookWhatItNames(input, at - call.at);
		this.#markParallels(call);
		if (typeof told !== 'string') return call.distinct;
		const text = withoutVolatileParts(told);
		call.emptyResult = text === '';
		const result = `${failed ? 'failed' : 'ok'}:${digestOf(text)}`;
		call.result = result;
		call.lesson = failed ? `failed:${digestOf(withoutNumbers(text))}` : result;
		this.#note(call, toldFactsOf(call.identity, input, { text, lesson: call.lesson, failed }));
		let isNews = true;
		for (const other of this.#calls) {
			if (other === call || other.result !== result) continue;
			call.result = other.result;
			const isRepeat = isLike(other, call, 'same');
			if (isLike(other, call, 'alike')) this.#markRepeated(call);
			if (isRepeat || failed) isNews = false;
		}
		return isNews;
	}

	/** Equal calls that began while this one ran were asked for in the same turn: together they are one. */
	#markParallels(call: Call): void {
		const { signature } = call.identity;
		if (signature === null) return;
		for (let index = this.#calls.length - 1; index >= 0; index -= 1) {
			const later = this.#calls[index];
			if (!later || later === call) break;
			if (later.identity.signature === signature) later.besides = call;
		}
	}

	#note(call: Call, facts: ToldFacts): void {
		call.told = facts;
		for (const { told } of this.#calls) {
			if (told === null || told === facts || !sharesAFact(told, facts)) continue;
			call.echoes = true;
			if (facts.exact === null || told.exact !== facts.exact) continue;
			// Equal calls that told the same share their facts: quick to compare, and small.
			call.told = told;
			break;
		}
		if (call.echoes) this.#echoes += 1;
	}

	/** Calls with these ids were made in one turn, one after the other: equal ones among them are one. */
	together(callIds: ReadonlySet<string>): boolean {
		const first = new Map<string, Call>();
		let changed = false;
		for (const call of this.#calls) {
			const { signature } = call.identity;
			if (signature === null || call.callId === null || !callIds.has(call.callId)) continue;
			const before = first.get(signature);
			if (before) call.besides = before;
			else first.set(signature, call);
			changed ||= before !== undefined;
		}
		return changed;
	}

	/** The agent may not remember what was told before `at`: being told it again is no standstill. */
	forget(at: number): boolean {
		let changed = false;
		for (const call of this.#calls) {
			if (call.forgotten || (call.at > at && Number.isFinite(call.at))) continue;
			call.forgotten = true;
			changed = true;
		}
		return changed;
	}

	/** Its start did not tell the input, its result does. */
	#learnInput(call: Call, identity: CallIdentity): void {
		const equal = this.#equalOf(identity);
		call.identity = equal?.identity ?? identity;
		call.distinct = equal === undefined;
		if (equal) this.#markRepeated(call);
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

	/** Puts the stamps right (see `putStampsInOrder`). True when any was wrong. */
	settle(now: number): boolean {
		if (this.#latestStamp <= now && !this.#isOutOfOrder) return false;
		putStampsInOrder(this.#calls, now);
		this.#latestStamp = this.newest?.at ?? now;
		this.#isOutOfOrder = false;
		return true;
	}
}
