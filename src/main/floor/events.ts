/**
 * What an agent did or suffered, normalised. A dialect turns a client's payload into one of these; the floor counts
 * nothing else. Text in here comes from agents and is untrusted.
 */

/** Who, where and when: common to all events. */
export interface EventContext {
	/** Floor clock, ms since the epoch. */
	readonly at: number;
	/** "claude-code", "codex" … */
	readonly client: string;
	/** The client's own name of the event. */
	readonly name: string;
	/** Never empty: a dialect falls back to transcript, directory or "unattributed". */
	readonly sessionId: string;
	/** Set inside a subagent: the event belongs to it, the agent is its parent. */
	readonly subagentId: string | null;
	readonly subagentType: string | null;
	readonly directory: string | null;
	readonly transcriptPath: string | null;
	readonly model: string | null;
	/** The client's process, where the forwarder could see it. */
	readonly process: ProcessIdentity | null;
	/** Two deliveries of one happening carry the same key; `null` where the client gives no identity. */
	readonly dedupeKey: string | null;
}

/** A process is its pid together with its start time: pids are used again. */
export interface ProcessIdentity {
	readonly pid: number;
	/** Opaque: equal for the same process only. `null` where the system does not tell. */
	readonly startTime: string | null;
}

export type WaitingKind = 'permission' | 'question' | 'turn-done';

/** What happened. */
export type Happening =
	| { readonly kind: 'session-start'; readonly source: string }
	| { readonly kind: 'session-end'; readonly reason: string }
	/** A prompt reached the agent: a person's, or whoever drives it. */
	| { readonly kind: 'prompt'; readonly text: string }
	/** `input` undefined: the client did not tell. */
	| {
			readonly kind: 'tool-call';
			readonly callId: string | null;
			readonly tool: string;
			readonly input: unknown;
	  }
	| ToolResult
	/** These calls were made in one turn, and all of them have ended. */
	| { readonly kind: 'tool-batch'; readonly callIds: readonly string[] }
	| { readonly kind: 'waiting'; readonly on: WaitingKind; readonly message: string }
	/** The agent ended its turn in the ordinary way. */
	| { readonly kind: 'turn-end'; readonly message: string }
	/** The turn ended in an API error. `blame: agent` only for errors of the agent's own making. */
	| {
			readonly kind: 'turn-failed';
			readonly blame: 'provider' | 'agent';
			readonly error: string;
			readonly message: string;
	  }
	| { readonly kind: 'compact-start' }
	| { readonly kind: 'compact-end' }
	| { readonly kind: 'subagent-start' }
	| { readonly kind: 'subagent-end' }
	| { readonly kind: 'directory-changed'; readonly to: string }
	| { readonly kind: 'file-changed'; readonly path: string }
	| { readonly kind: 'model-changed'; readonly to: string }
	/** A model call of it passed the gateway. `served`: who answered; `null`: nobody did. */
	| { readonly kind: 'model-call'; readonly asked: string; readonly served: ServedBy | null }
	/**
	 * A call of the agent met its provider's trouble, as its own records or its telemetry tell; the turn may go on. Shown,
	 * and never counted against it. `status`: of HTTP, where known.
	 */
	| {
			readonly kind: 'provider-trouble';
			readonly error: string;
			readonly message: string;
			readonly status: number | null;
	  }
	/** Anything else: stored, shown as a sign of life, otherwise ignored. */
	| { readonly kind: 'other' };

/** Who answered a model call. `at`: id of the provider or the local server. */
export interface ServedBy {
	readonly harness: 'local' | 'cloud';
	readonly at: string;
	readonly model: string;
}

export interface ToolResult {
	readonly kind: 'tool-result';
	readonly callId: string | null;
	readonly tool: string;
	readonly input: unknown;
	/** What came back as text, shortened; undefined: not known. */
	readonly result: string | undefined;
	readonly failed: boolean;
	/** A person pressed Esc. */
	readonly interrupted: boolean;
	readonly durationMs: number | null;
	/** The file that this call wrote, when the tool is known to write one and it succeeded. */
	readonly changedFile: string | null;
}

export type FloorEvent = EventContext & Happening;

/** The context of an event that no hook told: nothing but who, when and under what name is known of it. */
export function unhookedContext(
	known: Pick<EventContext, 'at' | 'client' | 'name' | 'sessionId'>,
): EventContext {
	return {
		...known,
		subagentId: null,
		subagentType: null,
		directory: null,
		transcriptPath: null,
		model: null,
		process: null,
		dedupeKey: null,
	};
}
