/** What a reply must bring about. A dialect renders it in the words its CLI obeys. */
export type Verdict =
	/** No opinion: the agent works on as if the floor did not exist. */
	| { readonly kind: 'pass' }
	/** No opinion on the event, and a note for the model. */
	| { readonly kind: 'note'; readonly text: string }
	/** The tool call must not run; the model reads the reason and goes on. */
	| { readonly kind: 'deny'; readonly reason: string }
	/** The client's own permission prompt decides; where it has none the call must not run. */
	| { readonly kind: 'ask'; readonly reason: string }
	/** The prompt must not reach the model. */
	| { readonly kind: 'block-prompt'; readonly reason: string }
	/** A tool call must not run and the session must halt, as far as the CLI can at this event. */
	| { readonly kind: 'halt'; readonly reason: string };

export const PASS: Verdict = { kind: 'pass' };
