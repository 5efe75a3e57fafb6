/** Incidents: opened once per key, updated while they go on, ended with a reason. Popups, list and tray are views of this book. */
import type { Incident } from '../../shared/snapshot.ts';

/** Ended incidents kept for the list. */
const KEPT_ENDED = 200;

export type IncidentReport = Pick<Incident, 'kind' | 'severity' | 'title' | 'detail' | 'agentId'>;

export class IncidentBook {
	readonly #byId = new Map<string, Incident>();
	/** Key of the cause → id of the open incident. */
	readonly #open = new Map<string, string>();
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
	recover(key: string, at: number, reason: string): void {
		const id = this.#open.get(key);
		if (id !== undefined) this.#end(id, at, reason);
	}

	/** The operator has seen it. Undefined when there is no such incident. */
	dismiss(id: string, at: number): Incident | undefined {
		const incident = this.#byId.get(id);
		if (!incident || incident.endedAt !== null) return incident;
		return this.#end(id, at, 'dismissed by the operator');
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

	#end(id: string, at: number, reason: string): Incident | undefined {
		const incident = this.#byId.get(id);
		if (!incident) return undefined;
		for (const [key, openId] of this.#open) if (openId === id) this.#open.delete(key);
		return this.#write({ ...incident, updatedAt: at, endedAt: at, endReason: reason });
	}

	#write(incident: Incident): Incident {
		this.#byId.set(incident.id, incident);
		if (this.#byId.size > KEPT_ENDED + this.#open.size) {
			for (const [id, old] of this.#byId) {
				if (old.endedAt === null) continue;
				this.#byId.delete(id);
				break;
			}
		}
		this.#changed(incident);
		return incident;
	}
}
