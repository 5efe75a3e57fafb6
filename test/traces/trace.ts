/**
 * What an agent did, whatever its program calls it, and what is known of it: a family of public cases, stuck or
 * healthy, and from which attempt on it repeats without news. `clients/` turns it into the payloads of a program.
 */

export type TraceClient = 'claude-code' | 'codex' | 'gemini-cli' | 'copilot-cli';
/** `tuning`: for whoever sets the limits. `held-out`: other worlds, texts and lengths; nobody tunes on it. */
export type TraceSet = 'tuning' | 'held-out';

/** What a call does. */
export type Deed =
	| { readonly does: 'shell'; readonly command: string }
	| { readonly does: 'read'; readonly path: string; readonly from?: number; readonly lines?: number }
	| { readonly does: 'search'; readonly pattern: string; readonly path: string }
	| { readonly does: 'edit'; readonly path: string; readonly before: string; readonly after: string }
	| { readonly does: 'write'; readonly path: string; readonly text: string }
	/** A look at a command that runs in the background. */
	| { readonly does: 'look'; readonly shell: string; readonly command: string }
	/** A tool of an MCP server. */
	| {
			readonly does: 'connector';
			readonly server: string;
			readonly tool: string;
			readonly input: Readonly<Record<string, unknown>>;
	  }
	| { readonly does: 'plan'; readonly items: readonly string[] };

/**
 * What came of it. `rejected`: the program itself refused the call (text to replace not found). `untold`: no event
 * tells how it ended.
 */
export interface Outcome {
	readonly text: string;
	readonly ended: 'ok' | 'failed' | 'rejected' | 'untold';
}

export interface Call {
	readonly kind: 'call';
	readonly deed: Deed;
	readonly outcome: Outcome;
	/** How long the tool runs, s; without it, what is usual for such a deed. */
	readonly seconds?: number;
	/** Output tokens that are written on its behalf while it runs. */
	readonly tokensMeanwhile?: number;
	/** The subagent that makes it. */
	readonly actor?: string;
	/** Begins before the call before it has ended: the model asked for both at once. */
	readonly parallel?: boolean;
	/** The first that repeats without news. */
	readonly onset?: boolean;
}

export type Step =
	| Call
	/** A file of the work tree changed, by a command or by a person. */
	| { readonly kind: 'changed'; readonly path: string }
	/** A person writes; `notice`: the program itself does. */
	| { readonly kind: 'prompt'; readonly text: string; readonly notice?: boolean }
	/** The model writes and calls no tool. */
	| { readonly kind: 'words'; readonly tokens: number; readonly seconds: number }
	| { readonly kind: 'compaction' }
	| { readonly kind: 'turn-end'; readonly text: string }
	| {
			readonly kind: 'turn-failed';
			readonly error: string;
			readonly message: string;
			readonly onset?: boolean;
	  }
	| { readonly kind: 'subagent'; readonly id: string; readonly ends: boolean };

export interface TraceLabel {
	readonly family: string;
	readonly set: TraceSet;
	readonly seed: number;
	readonly client: TraceClient;
	readonly stuck: boolean;
	/** Number (from 1) of the first attempt that repeats without news; `null` while healthy. */
	readonly onset: number | null;
}

/** One call, or one turn that failed, with its time: what rules of others are judged on. */
export interface Attempt {
	readonly at: number;
	readonly tool: string;
	readonly input: unknown;
	readonly result: string | null;
	readonly failed: boolean;
	/** A person wrote since the attempt before. */
	readonly afterPrompt: boolean;
}

export interface Trace {
	readonly label: TraceLabel;
	/** Lines of a replay file; the first carries the label. */
	readonly lines: readonly string[];
	readonly attempts: readonly Attempt[];
	/** Time of the last line, ms. */
	readonly endsAt: number;
}
