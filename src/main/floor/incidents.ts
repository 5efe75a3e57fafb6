/** Incidents: opened once per key, updated while they go on, ended with a reason. Popups, list and tray are views of this book. */
import type { Incident, IncidentDecision } from '../../shared/snapshot.ts';

/** Ended incidents kept for the list. */
const KEPT_ENDED = 200;
/** Decisions kept of one incident, the newest. */
const KEPT_DECISIONS = 50;
const DISMISSED = 'dismissed by the operator';

export type IncidentReport = Pick<Incident, 'kind' | 'severity' | 'title' | 'detail' | 'agentId'>;

export class IncidentBook {
	readonly #byId = new Map<string, Incident>();
	/** Key of the cause → id of the open incident. */
	readonly #open = new Map<string, string>();
	/** Id of what the operator put away → key of its cause, as long as that is not known to be gone. */
	readonly #dismissed = new Map<string, string>();
	#serial = 0;
	readonly #changed: (incident: Incident) => void;

	constructor(onChange: (incident: Incident) => void) {
		this.#changed = onChange;
	}

	/**
	 * Opens an incident for `key`, or counts one more occurrence of the open one. `isAgain: false`: what is open goes on
	 * in other words, and nothing happened again.
	 */
	report(key: string, report: IncidentReport, at: number, isAgain = true): Incident {
		const openId = this.#open.get(key);
		const open = openId === undefined ? undefined : this.#byId.get(openId);
		this.#serial += 1;
		const incident: Incident = open
			? { ...open, ...report, updatedAt: at, count: open.count + (isAgain ? 1 : 0) }
			: {
					...report,
					id: `incident-${at}-${this.#serial}`,
					openedAt: at,
					updatedAt: at,
					count: 1,
					endedAt: null,
					endReason: null,
					decisions: [],
				};
		this.#open.set(key, incident.id);
		return this.#write(incident);
	}

	/** Whether one is open for `key`. */
	isOpen(key: string): boolean {
		return this.#open.has(key);
	}

	/** The cause is gone. Nothing happens when none is open for `key`. */
	recover(key: string, at: number, reason: string, decision?: IncidentDecision): void {
		for (const [dismissed, cause] of this.#dismissed) if (cause === key) this.#dismissed.delete(dismissed);
		const id = this.#open.get(key);
		if (id !== undefined) this.#end(id, at, reason, decision);
	}

	/** Somebody, or time, decided about it. Nothing happens when it is not known. */
	decide(id: string, decision: IncidentDecision): void {
		const incident = this.#byId.get(id);
		if (incident) this.#write(withDecision(incident, decision));
	}

	/** The same for what is open for `key`. */
	decideAbout(key: string, decision: IncidentDecision): void {
		const id = this.#open.get(key);
		if (id !== undefined) this.decide(id, decision);
	}

	/** Something that was asked and is settled: it was shown elsewhere while it was open. */
	past(report: IncidentReport, openedAt: number, endedAt: number, decision: IncidentDecision): Incident {
		this.#serial += 1;
		return this.#write({
			...report,
			id: `incident-${openedAt}-${this.#serial}`,
			openedAt,
			updatedAt: endedAt,
			count: 1,
			endedAt,
			endReason: decision.words,
			decisions: [decision],
		});
	}

	/** The operator has seen it. Undefined when there is no such incident. */
	dismiss(id: string, at: number): Incident | undefined {
		const incident = this.#byId.get(id);
		if (!incident || incident.endedAt !== null) return incident;
		const [key] = [...this.#open].find(([, openId]) => openId === id) ?? [];
		if (key !== undefined) this.#dismissed.set(id, key);
		return this.#end(id, at, DISMISSED, { at, by: 'operator', words: 'Dismissed' });
	}

	/** Takes a dismissal back. Undefined: it was not dismissed, its cause is gone, or another incident tells of it. */
	takeBack(id: string, at: number): Incident | undefined {
		const incident = this.#byId.get(id);
		// Asked twice, it is open already.
		if (incident?.endedAt === null) return incident;
		const key = this.#dismissed.get(id);
		if (!incident || incident.endReason !== DISMISSED || key === undefined || this.#open.has(key))
			return undefined;
		this.#dismissed.delete(id);
		this.#open.set(key, id);
		const open = { ...incident, updatedAt: at, endedAt: null, endReason: null };
		return this.#write(withDecision(open, { at, by: 'operator', words: 'Dismissal taken back' }));
	}

	/** Puts back what was remembered. What was open then is history now: its cause is found again if it is still there. */
	restore(incidents: readonly Incident[]): void {
		for (const incident of incidents) {
			if (incident.kind === 'agent-stopped' && incident.agentId !== null && incident.endedAt === null) {
				// A sticky stop outlives the restart, and so does what tells of it.
				this.#byId.set(incident.id, incident);
				this.#open.set(`stopped:${incident.agentId}`, incident.id);
				continue;
			}
			const ended = incident.endedAt ?? incident.updatedAt;
			const endReason = incident.endReason ?? 'the floor was restarted';
			this.#byId.set(incident.id, { ...incident, endedAt: ended, endReason });
		}
	}

	all(): Incident[] {
		return [...this.#byId.values()];
	}

	#end(id: string, at: number, reason: string, decision?: IncidentDecision): Incident | undefined {
		const incident = this.#byId.get(id);
		if (!incident) return undefined;
		for (const [key, openId] of this.#open) if (openId === id) this.#open.delete(key);
		const ended = { ...incident, updatedAt: at, endedAt: at, endReason: reason };
		return this.#write(decision ? withDecision(ended, decision) : ended);
	}

	#write(incident: Incident): Incident {
		this.#byId.set(incident.id, incident);
		if (this.#byId.size > KEPT_ENDED + this.#open.size) {
			for (const [id, old] of this.#byId) {
				if (old.endedAt === null) continue;
				this.#byId.delete(id);
				this.#dismissed.delete(id);
				break;
			}
		}
		this.#changed(incident);
		return incident;
	}
}

function withDecision(incident: Incident, decision: IncidentDecision): Incident {
	return { ...incident, decisions: [...incident.decisions, decision].slice(-KEPT_DECISIONS) };
}
