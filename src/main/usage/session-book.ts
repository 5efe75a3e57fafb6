/** The sessions of all programs that were ever read, whose children they are, and what their files tell of them. */
import { isObject } from './formats/json-values.ts';
import type { SessionFacts } from './session-format.ts';
import type { StoredSession } from './usage-store.ts';

export interface Session {
	/** The same over restarts. */
	readonly id: number;
	readonly client: string;
	readonly sessionId: string;
	/** A demonstration: it counts for itself and for nobody else. */
	readonly isDemo: boolean;
	/** The session for which it counts as well: it is a subagent's, or the same one under another name. */
	parent: string | null;
	/** Its parent started it: it is no agent of its own. */
	isSubagent: boolean;
	directory: string | null;
	/** As its file names it, responses apart. */
	model: string | null;
	/** Of the newest response of the agent itself, and when that was, ms since the epoch. */
	lastModel: string | null;
	lastModelAt: number;
	/** Rises when work comes in that was done before its file was known. Not kept over a restart. */
	earlierWork: number;
}

export class SessionBook {
	readonly #sessions: Session[] = [];
	readonly #byKey = new Map<string, Session>();
	readonly #children = new Map<string, Set<Session>>();
	readonly #changed = new Set<Session>();

	/** The session, made known if it is not. */
	of(client: string, sessionId: string, isDemo: boolean): Session {
		const known = this.find(client, sessionId);
		if (known !== undefined) return known;
		const session = this.#add({ id: this.#sessions.length, client, sessionId, isDemo });
		this.#changed.add(session);
		return session;
	}

	find(client: string, sessionId: string): Session | undefined {
		return this.#byKey.get(keyOf(client, sessionId));
	}

	/** By its id. */
	session(id: number): Session | undefined {
		return this.#sessions[id];
	}

	all(): readonly Session[] {
		return this.#sessions;
	}

	/** Takes in what a file tells; `isOwn`: the session's own file, not a subagent's. */
	learn(session: Session, facts: SessionFacts, isOwn: boolean): void {
		const parent = facts.parentSessionId ?? facts.sessionId ?? session.sessionId;
		if (parent !== session.sessionId && parent !== session.parent) this.#setParent(session, parent);
		if (facts.parentSessionId !== undefined && session.parent !== null) session.isSubagent = true;
		if (isOwn) {
			session.directory = facts.directory ?? session.directory;
			session.model = facts.model ?? session.model;
		}
		this.#changed.add(session);
	}

	/** A response of the agent itself. */
	answered(session: Session, model: string, at: number): void {
		if (at < session.lastModelAt) return;
		session.lastModel = model;
		session.lastModelAt = at;
		this.#changed.add(session);
	}

	/** Those sessions and everybody who counts for them. */
	family(client: string, sessionIds: Iterable<string>): Set<Session> {
		const family = new Set<Session>();
		// An id may have no file of its own: paths of Gemini CLI tell a part of it, and a subagent may outlive its parent.
		const waiting = [...sessionIds].flatMap((sessionId) => {
			const session = this.find(client, sessionId);
			return session === undefined ? [...(this.#children.get(keyOf(client, sessionId)) ?? [])] : [session];
		});
		for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
			if (family.has(next)) continue;
			family.add(next);
			waiting.push(...(this.#children.get(keyOf(client, next.sessionId)) ?? []));
		}
		return family;
	}

	/** The id of the session that stands above it, and above that; its own where none does. */
	rootIdOf(session: Session): string {
		const seen = new Set<Session>();
		let root = session;
		for (let next: Session | undefined = session; next !== undefined && !seen.has(next); ) {
			seen.add(next);
			root = next;
			next = next.parent === null ? undefined : this.find(next.client, next.parent);
		}
		return root.parent ?? root.sessionId;
	}

	get hasChanges(): boolean {
		return this.#changed.size > 0;
	}

	/** What is to be stored. */
	changes(): StoredSession[] {
		return [...this.#changed].map((session) => {
			const { id, client, sessionId, earlierWork: _, ...state } = session;
			return { id, client, sessionId, state: JSON.stringify(state) };
		});
	}

	taken(): void {
		this.#changed.clear();
	}

	/** In the order of their ids, without a gap. Throws at what this book did not write. */
	restore({ id, client, sessionId, state }: StoredSession): void {
		const told: unknown = JSON.parse(state);
		if (id !== this.#sessions.length || !isObject(told))
			throw new Error(`session ${id} is not as it was stored`);
		const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
		const session = this.#add({ id, client, sessionId, isDemo: told.isDemo === true });
		const parent = text(told.parent);
		if (parent !== null) this.#setParent(session, parent);
		session.isSubagent = told.isSubagent === true;
		session.directory = text(told.directory);
		session.model = text(told.model);
		session.lastModel = text(told.lastModel);
		session.lastModelAt = typeof told.lastModelAt === 'number' ? told.lastModelAt : 0;
	}

	#add(identity: Pick<Session, 'id' | 'client' | 'sessionId' | 'isDemo'>): Session {
		const session: Session = {
			...identity,
			parent: null,
			isSubagent: false,
			directory: null,
			model: null,
			lastModel: null,
			lastModelAt: 0,
			earlierWork: 0,
		};
		this.#sessions.push(session);
		this.#byKey.set(keyOf(session.client, session.sessionId), session);
		return session;
	}

	#setParent(session: Session, parent: string): void {
		if (session.parent !== null) {
			this.#children.get(keyOf(session.client, session.parent))?.delete(session);
		}
		session.parent = parent;
		const key = keyOf(session.client, parent);
		this.#children.set(key, (this.#children.get(key) ?? new Set()).add(session));
	}
}

function keyOf(client: string, sessionId: string): string {
	return `${client} ${sessionId}`;
}
