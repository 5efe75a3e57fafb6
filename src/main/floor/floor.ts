/**
 * The floor: all agents, one ladder, one book of incidents. Events and orders go in, verdicts and records come out.
 * No timers and no I/O: the clock comes with every call, so that a replay of last night runs this very code.
 */
import type { AgentView, StopProgress } from '../../shared/agent-view.ts';
import type { Disposable } from '../../shared/disposable.ts';
import type { Settings } from '../../shared/settings.ts';
import type { UsageView } from '../../shared/usage-view.ts';
import type { Agent } from './agent.ts';
import { Agents } from './agents.ts';
import { applyEvent, fileChanged } from './apply-event.ts';
import { type AgentUsageSample, CircuitBreaker } from './breaker.ts';
import type { FloorEvent } from './events.ts';
import { beat } from './heartbeat.ts';
import { IncidentBook } from './incidents.ts';
import { reserveNotes, settleNotes } from './notes.ts';
import { RecentKeys } from './recent-keys.ts';
import type { FloorRecord, RecordListener } from './records.ts';
import { type ReadOnlyJudge, standingOf, verdictOn } from './standing.ts';
import { stateOf } from './state.ts';
import { PASS, type Verdict } from './verdict.ts';
import { nameOf, viewOf } from './view.ts';

/** Agents that ended, or were not heard of, leave the floor after this; their history stays in the store. */
const FORGET_AFTER_MS = 24 * 3_600_000;

/** What a reply has to say, and what it takes along. */
export interface Answer {
	readonly verdict: Verdict;
	readonly agentId: string | null;
	readonly noteIds: readonly string[];
}

/** What the edges saw between two beats. */
export interface Observation {
	readonly usage?: {
		readonly view: UsageView;
		readonly sample: AgentUsageSample;
		readonly model: string | null;
		/** A source was opened for the first time: what it adds may be work of earlier. */
		readonly hasEarlierWork?: boolean;
	};
	/** The newest change of a file in its work tree, on the floor's clock. */
	readonly fileChangedAt?: number;
	readonly processAlive?: boolean | null;
	/** That its directory is in. */
	readonly repository?: Agent['repository'];
}

export interface FloorOptions {
	readonly getSettings: () => Settings;
	readonly isReadOnly: ReadOnlyJudge;
}

export class Floor {
	readonly incidents = new IncidentBook((incident) => this.#record({ kind: 'incident', incident }));
	readonly breaker: CircuitBreaker;
	readonly #agents = new Agents();
	readonly #seen = new RecentKeys(20_000);
	readonly #dirty = new Set<string>();
	readonly #removed = new Set<string>();
	/** The state of each agent as it was last told: time alone changes it too, and nothing else would tell. */
	readonly #told = new Map<string, string>();
	readonly #listeners = new Set<RecordListener>();
	readonly #options: FloorOptions;
	#serial = 0;
	#lastBeatAt: number | null = null;

	constructor(options: FloorOptions) {
		this.#options = options;
		this.breaker = new CircuitBreaker(() => options.getSettings().breaker);
	}

	/** Hears every record from now on. */
	onRecord(listener: RecordListener): Disposable {
		this.#listeners.add(listener);
		return { dispose: () => this.#listeners.delete(listener) };
	}

	/** The reply to an event, from memory. Notes it takes along are reserved until `settle`. */
	answer(event: FloorEvent, canCarryNote: boolean): Answer {
		const agent = this.#agents.ofSession(event.client, event.sessionId);
		if (!agent) return { verdict: PASS, agentId: null, noteIds: [] };
		const verdict = verdictOn(agent, event, this.#options.isReadOnly);
		const notes = canCarryNote ? reserveNotes(agent) : null;
		if (!notes) return { verdict, agentId: agent.id, noteIds: [] };
		const carrying: Verdict =
			verdict.kind === 'pass' || verdict.kind === 'note'
				? { kind: 'note', text: notes.text }
				: { ...verdict, reason: `${verdict.reason}\n\n${notes.text}` };
		return { verdict: carrying, agentId: agent.id, noteIds: notes.ids };
	}

	/** The reply went out at `at`, or never did (`null`). */
	settle(answer: Answer, at: number | null): void {
		if (answer.agentId === null || answer.noteIds.length === 0) return;
		const agent = this.#agents.get(answer.agentId);
		if (!agent) return;
		settleNotes(agent, answer.noteIds, at);
		this.#dirty.add(agent.id);
		if (at === null) return;
		for (const note of agent.notes) {
			if (!answer.noteIds.includes(note.id)) continue;
			this.#record({ kind: 'note', agentId: agent.id, at, text: note.text, delivered: true });
		}
	}

	/** Counts an event. `verdict` is what its reply said. Returns the agent, or null for a second delivery. */
	apply(event: FloorEvent, verdict: Verdict = PASS, demo = false): Agent | null {
		if (event.dedupeKey !== null && !this.#seen.add(event.dedupeKey)) return null;
		const { agent } = this.#agents.of(event, demo);
		const denials = agent.denials;
		applyEvent(agent, event, verdict, this.breaker);
		this.#dirty.add(agent.id);
		if (agent.denials > denials && agent.lastDenial) {
			this.#record({ kind: 'denial', agentId: agent.id, ...agent.lastDenial });
		}
		if (event.kind === 'turn-failed') {
			const text = `${event.error}: ${event.message}`;
			this.#record({ kind: 'trouble', agentId: agent.id, at: event.at, text });
		}
		return agent;
	}

	/** Takes in what the edges saw. Unknown agents are ignored. */
	observe(agentId: string, observation: Observation, now: number): void {
		const agent = this.#agents.get(agentId);
		if (!agent) return;
		const { usage, fileChangedAt, processAlive } = observation;
		if (usage) {
			if (usage.hasEarlierWork) {
				agent.sampleHasEarlierWork = true;
				agent.rateFrom = null;
			}
			takeUsage(agent, usage.view, usage.sample, now);
			agent.workSteps.sample(usage.view.work, now, usage.hasEarlierWork === true);
			agent.model = usage.model ?? agent.model;
		}
		if (observation.repository !== undefined) agent.repository = observation.repository;
		if (fileChangedAt !== undefined && fileChangedAt > (agent.lastFileChangeAt ?? agent.firstSeenAt - 1)) {
			fileChanged(agent, fileChangedAt, this.breaker);
		}
		if (processAlive !== undefined) {
			agent.processAlive = processAlive;
			if (processAlive === false && !agent.exited) {
				agent.exited = { reason: this.#exitReason(agent), at: now };
				agent.inTurn = false;
				agent.turn = null;
				agent.waiting = null;
			}
		}
		this.#dirty.add(agentId);
	}

	/** One round of the heartbeat. */
	beat(now: number): void {
		const changed = beat(this.#agents.all(), this.breaker, {
			now,
			previousBeatAt: this.#lastBeatAt,
			settings: this.#options.getSettings().breaker,
			record: (record) => this.#record(record),
			nextId: () => this.nextId('note'),
		});
		this.#lastBeatAt = now;
		for (const id of changed) this.#dirty.add(id);
		for (const agent of [...this.#agents.all()]) {
			if (JSON.stringify(stateOf(agent, now)) !== this.#told.get(agent.id)) this.#dirty.add(agent.id);
			if (agent.ladderStop?.at === now) this.#stoppedByLadder(agent, now);
			if (now - agent.lastHeardAt > FORGET_AFTER_MS && agent.order === null && !agent.ladderStop)
				this.remove(agent.id);
		}
	}

	/** The machine slept: that was nobody's inactivity, and streaks do not reach across it. */
	noteSleep(milliseconds: number, now: number): void {
		for (const agent of this.#agents.all()) {
			agent.lastHeardAt = Math.min(now, agent.lastHeardAt + milliseconds);
			this.breaker.recordProgress(agent.id, 'file', now);
			this.#dirty.add(agent.id);
		}
	}

	agent(id: string): Agent | undefined {
		return this.#agents.get(id);
	}

	agentOfSession(client: string, sessionId: string): Agent | undefined {
		return this.#agents.ofSession(client, sessionId);
	}

	agents(): Agent[] {
		return [...this.#agents.all()];
	}

	get lastBeatAt(): number | null {
		return this.#lastBeatAt;
	}

	/** Puts back what was remembered from an earlier run. */
	restore(agents: readonly Agent[]): void {
		for (const agent of agents) {
			this.#agents.add(agent);
			this.breaker.restore(agent.id, agent.level, agent.forgotten);
			this.#dirty.add(agent.id);
		}
	}

	/** Takes an agent off the floor. Its history stays in the store. */
	remove(agentId: string): void {
		this.#record({ kind: 'agent-removed', agentId });
		this.#agents.remove(agentId);
		this.breaker.forget(agentId);
		this.#dirty.delete(agentId);
		this.#told.delete(agentId);
		this.#removed.add(agentId);
	}

	setStopProgress(agentId: string, progress: StopProgress): void {
		const agent = this.#agents.get(agentId);
		if (!agent) return;
		agent.stopProgress = progress;
		if (progress.phase === 'stopped') agent.processAlive = false;
		this.#dirty.add(agentId);
	}

	views(now: number): AgentView[] {
		return [...this.#agents.all()].map((agent) => viewOf(agent, now));
	}

	/**
	 * What changed since it was last taken, as whole views: at most `most` agents, those that are steered, held or need
	 * somebody first. `more`: others are left for the next call.
	 */
	takeChanges(
		now: number,
		most = Number.POSITIVE_INFINITY,
	): { agents: AgentView[]; removedAgentIds: string[]; more: boolean } {
		const agents: AgentView[] = [];
		for (const id of this.#changedFirst(most, now)) {
			this.#dirty.delete(id);
			const agent = this.#agents.get(id);
			if (!agent) continue;
			const view = viewOf(agent, now);
			this.#told.set(id, JSON.stringify(view.state));
			agents.push(view);
		}
		const removedAgentIds = [...this.#removed];
		this.#removed.clear();
		return { agents, removedAgentIds, more: this.#dirty.size > 0 };
	}

	#changedFirst(most: number, now: number): string[] {
		const ids = [...this.#dirty];
		if (ids.length <= most) return ids;
		const asks = (id: string): boolean => {
			const agent = this.#agents.get(id);
			return agent !== undefined && (standingOf(agent) !== 'healthy' || stateOf(agent, now).needsYou);
		};
		return [...ids.filter(asks), ...ids.filter((id) => !asks(id))].slice(0, most);
	}

	/** Marks an agent as changed (orders do, from their own file). */
	touch(agentId: string): void {
		this.#dirty.add(agentId);
	}

	record(record: FloorRecord): void {
		this.#record(record);
	}

	nextId(prefix: string): string {
		this.#serial += 1;
		return `${prefix}-${this.#serial}`;
	}

	#exitReason(agent: Agent): string {
		if (agent.order?.kind === 'stop') return 'stopped by you';
		if (agent.ladderStop) return 'stopped by the ladder, then its process ended';
		return agent.stopProgress === null ? 'its process is gone; it did not say why' : 'stopped by you';
	}

	#stoppedByLadder(agent: Agent, now: number): void {
		this.incidents.report(
			`stopped:${agent.id}`,
			{
				kind: 'agent-stopped',
				severity: 'urgent',
				title: `${nameOf(agent)} was stopped by the ladder`,
				detail: `${agent.levelReason}. Its tool calls and prompts are refused until you resume it.`,
				agentId: agent.id,
			},
			now,
		);
		if (this.#options.getSettings().stop.endProcess) {
			this.#record({ kind: 'end-process', agentId: agent.id, at: now });
		}
	}

	#record(record: FloorRecord): void {
		for (const listener of this.#listeners) listener(record);
	}
}

/** Spans shorter than this give no rate worth showing, ms. */
const RATE_MIN_SPAN_MS = 20_000;

function takeUsage(agent: Agent, view: UsageView, sample: AgentUsageSample, now: number): void {
	agent.usage = view;
	agent.sample = sample;
	const from = agent.rateFrom;
	if (!from || sample.output < from.output) agent.rateFrom = { output: sample.output, at: now };
	else if (now - from.at >= RATE_MIN_SPAN_MS) {
		agent.outputTokensPerMinute = Math.round(((sample.output - from.output) / (now - from.at)) * 60_000);
		agent.rateFrom = { output: sample.output, at: now };
	}
}
