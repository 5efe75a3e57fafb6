/** What the floor records, kept: in the store, for the window, and as a wish to the process edge. */
import type { Disposable } from '../../shared/disposable.ts';
import type { Agent } from '../floor/agent.ts';
import { memoryOf } from '../floor/agent-memory.ts';
import type { FloorEvent } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import type { FloorRecord } from '../floor/records.ts';
import { nameOf } from '../floor/view.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { AgentRow } from '../store/rows.ts';
import type { ProcessEnder } from './process-ender.ts';
import type { Publisher } from './publisher.ts';

/** Agents that changed are saved this often, ms; levels and orders are saved at once. */
const SAVE_EVERY_MS = 2_000;

export interface RecorderOptions {
	readonly floor: Floor;
	readonly store: FloorStore;
	readonly publisher: Publisher;
	readonly ender: ProcessEnder;
	readonly onError: (where: string, error: unknown) => void;
}

export class Recorder implements Disposable {
	readonly #options: RecorderOptions;
	readonly #unsaved = new Set<string>();
	/** Agents that the store knows of: a new one is saved at once, so that no crash forgets that it was there. */
	readonly #saved = new Set<string>();
	readonly #saving: NodeJS.Timeout;

	constructor(options: RecorderOptions) {
		this.#options = options;
		this.#saving = setInterval(() => this.#saveChanged(), SAVE_EVERY_MS);
		this.#saving.unref();
	}

	/** An event was counted; `body` as it came. */
	event(event: FloorEvent, body: string, agentId: string): void {
		this.#unsaved.add(agentId);
		if (!this.#saved.has(agentId)) this.#saveChanged();
		const { at, client, name, dedupeKey } = event;
		this.#options.store.appendEvents([
			{ at, agentId, client, name, dedupeKey, bytes: Buffer.byteLength(body), body },
		]);
	}

	/** An agent was heard of by a way that leaves no event behind (the gateway). */
	heard(agentId: string): void {
		this.#unsaved.add(agentId);
		if (!this.#saved.has(agentId)) this.#saveChanged();
	}

	readonly record = (record: FloorRecord): void => {
		const { publisher, ender } = this.#options;
		if (record.kind === 'breaker-state') publisher.push('control:breakerState', record.state);
		else if (record.kind === 'incident') publisher.incidentChanged(record.incident);
		else if (record.kind === 'end-process') ender.end(record.agentId);
		publisher.schedule();
		this.#keep('a record', () => this.#store(record));
	};

	dispose(): void {
		clearInterval(this.#saving);
		this.#saveChanged();
	}

	#store(record: FloorRecord): void {
		const { store, floor } = this.#options;
		if (record.kind === 'incident') {
			const about = record.incident.agentId;
			if (about === null || !floor.agent(about)?.demo) store.saveIncident(record.incident);
			return;
		}
		if (record.kind === 'breaker-state' || record.kind === 'end-process') return;
		const agent = floor.agent(record.agentId);
		if (!agent || agent.demo) return;
		switch (record.kind) {
			case 'transition':
				this.#unsaved.add(agent.id);
				store.saveAgent(rowOf(agent));
				store.recordTransition(record);
				break;
			case 'operator-action':
				// Marked first: if the disk refuses now, the order is saved with the next round.
				this.#unsaved.add(agent.id);
				store.saveAgent(rowOf(agent));
				store.recordOperatorAction({ ...record, detail: null });
				break;
			case 'note': {
				const text = `${record.delivered ? 'delivered' : 'queued'}: ${record.text}`;
				store.appendRemark({ at: record.at, agentId: agent.id, kind: 'note', text });
				break;
			}
			case 'denial': {
				const text = `${record.tool}: ${record.reason}`;
				store.appendRemark({ at: record.at, agentId: agent.id, kind: 'denial', text });
				break;
			}
			case 'agent-removed':
				this.#unsaved.delete(agent.id);
				this.#saved.delete(agent.id);
				store.removeAgents([agent.id]);
				break;
			case 'trouble':
				store.appendRemark({ at: record.at, agentId: agent.id, kind: 'trouble', text: record.text });
				break;
		}
	}

	#saveChanged(): void {
		if (this.#unsaved.size === 0) return;
		const ids = [...this.#unsaved];
		const agents = ids.flatMap((id) => this.#options.floor.agent(id) ?? []);
		this.#keep('the agents', () => {
			const real = agents.filter((agent) => !agent.demo);
			this.#options.store.saveAgents(real.map(rowOf));
			for (const { id } of real) this.#saved.add(id);
			// Only what is on the disk is done with: a disk that refuses is tried again.
			for (const id of ids) this.#unsaved.delete(id);
		});
	}

	/** A disk that refuses must not stop the floor; it is reported once and shown. */
	#keep(what: string, write: () => void): void {
		try {
			write();
		} catch (error) {
			this.#options.onError(`keeping ${what}`, error);
		}
	}
}

function rowOf(agent: Agent): AgentRow {
	return {
		id: agent.id,
		client: agent.client,
		sessionId: agent.sessionId,
		directory: agent.directory,
		name: nameOf(agent),
		model: agent.model,
		firstSeenAt: agent.firstSeenAt,
		lastEventAt: agent.lastHeardAt,
		level: agent.level,
		levelSince: agent.levelSince,
		order: agent.order,
		process: agent.process,
		demo: agent.demo,
		state: memoryOf(agent),
	};
}
