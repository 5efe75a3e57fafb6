/** What can go wrong when a local server is asked to do something. The message is for people: what, and what to do. */

export type LocalServerErrorKind =
	/** Nothing listens there, or no such server is in the settings. */
	| 'absent'
	/** It does not have this model. */
	| 'no-such-model'
	/** It said no, in words of its own. */
	| 'failed'
	/** The time for it is over. */
	| 'timeout'
	/** It ended before it was done. */
	| 'cut'
	/** This kind of server cannot do this. */
	| 'unsupported'
	/** The caller's signal. */
	| 'aborted';

export class LocalServerError extends Error {
	readonly kind: LocalServerErrorKind;
	/** The server's own words; empty when it had none. Untrusted. */
	readonly said: string;

	constructor(kind: LocalServerErrorKind, message: string, said = '') {
		super(message);
		this.name = 'LocalServerError';
		this.kind = kind;
		this.said = said;
	}
}
