/**
 * Which result belongs to which call. Gemini CLI gives no call ids: BeforeTool and AfterTool name the tool and its
 * input only, and an agent in a loop repeats both. What tells two calls apart is the timestamp of their BeforeTool,
 * which two deliveries of one event share (the CLI makes the payload once for all hooks).
 */
import { digest, jsonText } from './payload-fields.ts';

/** One event of a call. */
export interface CallEvent {
	readonly sessionId: string;
	/** The CLI's own name and input. */
	readonly tool: string;
	readonly input: unknown;
	/** Of the payload; `null`: not told. */
	readonly timestamp: string | null;
}

interface OpenCall {
	readonly callId: string;
	readonly tool: string;
	/** Of tool and input. */
	readonly what: string;
}

interface Session {
	/** Oldest first. A denied call stays here: nobody tells of its end. */
	readonly open: OpenCall[];
	/** Result events whose call was found, for a second delivery. */
	readonly answered: Map<string, string>;
}

const SESSIONS_REMEMBERED = 256;
const CALLS_REMEMBERED = 64;

export class CallPairing {
	readonly #sessions = new Map<string, Session>();

	/** The id of the call that this event starts; `null` where nothing tells it from an equal call. */
	started(event: CallEvent): string | null {
		const identity = identityOf('call', event);
		if (identity === null) return null;
		const { open } = this.#sessionOf(event.sessionId);
		if (!open.some((call) => call.callId === identity)) {
			open.push({ callId: identity, tool: event.tool, what: whatOf(event) });
			if (open.length > CALLS_REMEMBERED) open.shift();
		}
		return identity;
	}

	/** The id of the call that this event ends; `null` where its start was not told. */
	ended(event: CallEvent): string | null {
		const { open, answered } = this.#sessionOf(event.sessionId);
		const identity = identityOf('result', event);
		const known = identity === null ? undefined : answered.get(identity);
		if (known !== undefined) return known;
		const index = indexOfCall(open, event);
		const [call] = index < 0 ? [] : open.splice(index, 1);
		if (call === undefined) return null;
		if (identity !== null) {
			answered.set(identity, call.callId);
			forgetOldest(answered, CALLS_REMEMBERED);
		}
		return call.callId;
	}

	/** A turn began or ended: what is still open was denied, stopped or cancelled. */
	settle(sessionId: string): void {
		const session = this.#sessions.get(sessionId);
		if (session) session.open.length = 0;
	}

	/** The session ended. */
	forget(sessionId: string): void {
		this.#sessions.delete(sessionId);
	}

	#sessionOf(sessionId: string): Session {
		const session = this.#sessions.get(sessionId) ?? { open: [], answered: new Map<string, string>() };
		// The one used last is the last to be forgotten.
		this.#sessions.delete(sessionId);
		this.#sessions.set(sessionId, session);
		forgetOldest(this.#sessions, SESSIONS_REMEMBERED);
		return session;
	}
}

/** Equal for two deliveries of one event; `null` where the payload does not say when it was made. */
export function identityOf(kind: 'call' | 'result', event: CallEvent): string | null {
	const { sessionId, timestamp } = event;
	return timestamp === null ? null : `${kind}:${digest([sessionId, timestamp, whatOf(event)].join('\n'))}`;
}

/** The newest call of this tool with this input: of equal calls the older ones were denied. */
function indexOfCall(open: readonly OpenCall[], event: CallEvent): number {
	const what = whatOf(event);
	const equal = open.findLastIndex((call) => call.what === what);
	if (equal >= 0) return equal;
	// Another hook, or the person in the CLI's own dialogue, may have changed the input in between.
	const ofTool = open.filter((call) => call.tool === event.tool);
	return ofTool.length === 1 ? open.findIndex((call) => call.tool === event.tool) : -1;
}

function whatOf({ tool, input }: CallEvent): string {
	return digest(`${tool}\n${jsonText(input) ?? ''}`);
}

function forgetOldest(map: Map<string, unknown>, limit: number): void {
	if (map.size <= limit) return;
	const oldest = map.keys().next();
	if (!oldest.done) map.delete(oldest.value);
}
