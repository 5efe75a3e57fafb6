/** Why the floor could not start, in words for the person who started it. */
export class StartError extends Error {
	readonly code: 'port-taken' | 'port-refused' | 'already-running' | 'data-directory';
	readonly what: string;
	readonly means: string;
	readonly remedy: string;
	/** Address of the floor that runs already, with its token; only for `already-running`. */
	readonly address: string | null;

	constructor(reason: {
		code: StartError['code'];
		what: string;
		means: string;
		remedy: string;
		address?: string;
	}) {
		super(`${reason.what} ${reason.means} ${reason.remedy}`);
		this.name = 'StartError';
		this.code = reason.code;
		this.what = reason.what;
		this.means = reason.means;
		this.remedy = reason.remedy;
		this.address = reason.address ?? null;
	}
}
