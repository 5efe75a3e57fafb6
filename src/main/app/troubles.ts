/** The floor's own troubles as incidents: each cause once, in words for the operator, gone when it is gone. */
import type { Floor } from '../floor/floor.ts';

/** A trouble found at the start, in words. */
export interface FoundProblem {
	readonly kind: 'database-set-aside' | 'settings' | 'memory';
	readonly title: string;
	readonly detail: string;
}

export class Troubles {
	readonly #floor: Floor;
	readonly #now: () => number;
	/** Reporting writes to the store, which may be what is in trouble. */
	#reporting = false;

	constructor(floor: Floor, now: () => number) {
		this.#floor = floor;
		this.#now = now;
	}

	/** Anything unexpected: survived, shown, with what it was doing. */
	readonly report = (where: string, error: unknown): void => {
		const message = error instanceof Error ? error.message : String(error);
		this.#open(`internal:${where}:${message}`, {
			kind: 'internal',
			severity: 'attention',
			title: `The floor met an error while ${where}`,
			detail: `${message}. It goes on; what this one step should have done may be missing. If it comes back, restart the floor and report it.`,
		});
	};

	/** Found at the start: a file that was set aside, say. */
	found({ kind, title, detail }: FoundProblem): void {
		this.#open(`${kind}:${title}`, { kind, severity: 'attention', title, detail });
	}

	/** `null`: the disk takes writes again. */
	readonly storage = (problem: string | null): void => {
		if (problem === null) {
			this.#floor.incidents.recover('storage', this.#now(), 'the disk takes writes again');
			return;
		}
		this.#open('storage', {
			kind: 'storage',
			severity: 'attention',
			title: 'What happens is not being kept',
			detail: `${problem} Agents are still watched, steered and stopped; their history has a gap.`,
		});
	};

	/** The settings file's present problems; an empty list ends the incident. */
	readonly settings = (problems: readonly string[]): void => {
		if (problems.length === 0) {
			this.#floor.incidents.recover('settings', this.#now(), 'the settings file is in order');
			return;
		}
		this.#open('settings', {
			kind: 'settings',
			severity: 'attention',
			title: 'The settings file has a problem',
			detail: problems.join(' '),
		});
	};

	#open(key: string, report: { kind: string; severity: 'attention'; title: string; detail: string }): void {
		if (this.#reporting) return;
		this.#reporting = true;
		try {
			this.#floor.incidents.report(key, { ...report, agentId: null }, this.#now());
		} finally {
			this.#reporting = false;
		}
	}
}
