/**
 * Who is on the floor. An agent comes to life on its first event of any kind; its identity survives a rotated
 * session id of the same process, and never leaks from one session to another.
 */
import { type Agent, createAgent } from './agent.ts';
import type { FloorEvent, ProcessIdentity } from './events.ts';

/** Sources of a session that continues a program which is already on the floor (agent-clis.md 2.5, SessionStart). */
const ROTATING_SOURCES: ReadonlySet<string> = new Set(['clear', 'resume', 'compact', 'fork', 'new']);
/** Programs of which one process serves many sessions at a time: their sessions never become one agent. */
const MANY_SESSIONS: ReadonlySet<string> = new Set(['opencode', 'cursor']);
/** Programs of which one process has one session, always: another id of an idle one is its next session. */
const ONE_SESSION: ReadonlySet<string> = new Set(['claude-code']);
/** Events by which a session shows itself whose start was not told. At a session's end the process may be another. */
const FIRST_SIGNS: ReadonlySet<FloorEvent['kind']> = new Set(['session-start', 'prompt', 'tool-call']);

export class Agents {
	readonly #byId = new Map<string, Agent>();
	/** `client` + session id → agent id. */
	readonly #bySession = new Map<string, string>();

	get(id: string): Agent | undefined {
		return this.#byId.get(id);
	}

	all(): IterableIterator<Agent> {
		return this.#byId.values();
	}

	/** The agent of a session, if it is known. */
	ofSession(client: string, sessionId: string): Agent | undefined {
		return this.#byId.get(this.#bySession.get(sessionKey(client, sessionId)) ?? '');
	}

	/** The agent an event belongs to; born here when nobody knows it. */
	of(event: FloorEvent, demo: boolean): { agent: Agent; born: boolean } {
		const known = this.ofSession(event.client, event.sessionId);
		if (known) return { agent: known, born: false };
		const rotated = this.#rotatedFrom(event);
		if (rotated) {
			rotated.sessionId = event.sessionId;
			rotated.sessionIds.add(event.sessionId);
			this.#bySession.set(sessionKey(event.client, event.sessionId), rotated.id);
			return { agent: rotated, born: false };
		}
		const id = `${event.client}:${event.sessionId}`;
		const agent = createAgent({ id, client: event.client, sessionId: event.sessionId, demo }, event.at);
		this.add(agent);
		return { agent, born: true };
	}

	/** Puts a remembered agent back (restart). */
	add(agent: Agent): void {
		this.#byId.set(agent.id, agent);
		for (const sessionId of agent.sessionIds) {
			this.#bySession.set(sessionKey(agent.client, sessionId), agent.id);
		}
	}

	remove(id: string): void {
		const agent = this.#byId.get(id);
		if (!agent) return;
		this.#byId.delete(id);
		for (const sessionId of agent.sessionIds) this.#bySession.delete(sessionKey(agent.client, sessionId));
	}

	/** Only a positively equal process (pid and start time) makes two sessions one agent. */
	#rotatedFrom(event: FloorEvent): Agent | undefined {
		const { client, process } = event;
		if (!process || process.startTime === null || MANY_SESSIONS.has(client)) return undefined;
		if (!FIRST_SIGNS.has(event.kind)) return undefined;
		const isToldSo = event.kind === 'session-start' && ROTATING_SOURCES.has(event.source);
		for (const agent of this.#byId.values()) {
			if (agent.client !== client || !isSameProcess(agent.process, process)) continue;
			if (isToldSo || hasEnded(agent) || (ONE_SESSION.has(client) && !agent.inTurn)) return agent;
		}
		return undefined;
	}
}

/** Its session ended, by its own word, and its process did not. */
function hasEnded(agent: Agent): boolean {
	return agent.exited !== null && agent.processAlive !== false;
}

function sessionKey(client: string, sessionId: string): string {
	return `${client}\u0000${sessionId}`;
}

function isSameProcess(one: ProcessIdentity | null, other: ProcessIdentity): boolean {
	return one !== null && one.pid === other.pid && one.startTime === other.startTime;
}
