/** What the edges see of the agents: their files, their usage, their processes. Bounded, and never in a hook's way. */
import type { Agent } from '../floor/agent.ts';
import type { Floor } from '../floor/floor.ts';
import { nameOf } from '../floor/view.ts';
import { isAlive } from '../machine/processes.ts';
import type { WorkTreeScanner } from '../machine/work-tree.ts';
import type { AgentUsage, SessionUsage } from '../usage/session-usage.ts';

/** A beat does not wait longer than this for slow disks; what comes later counts at the next beat, ms. */
const OBSERVE_DEADLINE_MS = 3_000;
/** After an event, usage is read once things have settled, ms. */
const USAGE_SETTLE_MS = 1_000;
const AT_ONCE = 8;

export interface ObserverOptions {
	readonly floor: Floor;
	readonly usage: SessionUsage;
	readonly workTrees: WorkTreeScanner;
	/** Of a directory, from memory. */
	readonly repositoryOf: (directory: string) => Agent['repository'];
	readonly now: () => number;
	/** Something changed that a window may want to see. */
	readonly onObserved: () => void;
	readonly onError: (where: string, error: unknown) => void;
}

export class Observers {
	readonly #options: ObserverOptions;
	readonly #settling = new Map<string, NodeJS.Timeout>();
	/** Agents of which an event came while their reading was due already: they are read once more after it. */
	readonly #again = new Set<string>();
	/** Agent → what of its transcripts cannot be read. */
	readonly #unreadable = new Map<string, string>();
	#lastRoundAt = 0;

	constructor(options: ObserverOptions) {
		this.#options = options;
	}

	/** Before a beat: looks at everybody who may have changed. Resolves at the deadline at the latest. */
	async observe(): Promise<void> {
		const since = this.#lastRoundAt;
		this.#lastRoundAt = this.#options.now();
		// One that has ended may still have spent something at the end, and its process may still be there.
		const present = this.#options.floor.agents().filter((agent) => {
			const { exited, processAlive } = agent;
			return exited === null || exited.at >= since || processAlive === true;
		});
		const round = inBatches(present, AT_ONCE, (agent) => this.#look(agent, since));
		let timer: NodeJS.Timeout | undefined;
		const deadline = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, OBSERVE_DEADLINE_MS);
		});
		await Promise.race([round, deadline]);
		clearTimeout(timer);
	}

	/** Soon after an event: fresh figures for the card. A transcript is written behind, so the last event is read after. */
	usageSoon(agentId: string): void {
		if (this.#settling.has(agentId)) {
			this.#again.add(agentId);
			return;
		}
		const timer = setTimeout(() => {
			this.#settling.delete(agentId);
			const agent = this.#options.floor.agent(agentId);
			if (agent) this.#place(agent, this.#options.now());
			if (agent) void this.#guard('usage', this.#readUsage(agent));
			if (this.#again.delete(agentId)) this.usageSoon(agentId);
		}, USAGE_SETTLE_MS);
		timer.unref();
		this.#settling.set(agentId, timer);
	}

	/** A repository was found, or is none any more. */
	readonly placeAgents = (): void => {
		const { floor, now, onObserved } = this.#options;
		for (const agent of floor.agents()) this.#place(agent, now());
		onObserved();
	};

	dispose(): void {
		for (const timer of this.#settling.values()) clearTimeout(timer);
		this.#settling.clear();
	}

	async #look(agent: Agent, since: number): Promise<void> {
		this.#place(agent, this.#options.now());
		// A long tool is silent while it writes, so whoever is in a turn counts as active.
		const active = agent.inTurn || agent.lastHeardAt >= since;
		await this.#guard('usage', this.#readUsage(agent));
		await this.#guard('process', this.#checkProcess(agent));
		if (active && !agent.demo) await this.#guard('files', this.#scanFiles(agent));
	}

	#place(agent: Agent, now: number): void {
		const repository = this.#options.repositoryOf(agent.directory);
		if (repository?.path !== agent.repository?.path)
			this.#options.floor.observe(agent.id, { repository }, now);
	}

	async #readUsage(agent: Agent): Promise<void> {
		const { usage, floor, now, onObserved } = this.#options;
		const { id, client, sessionIds, transcriptPaths } = agent;
		const read = await usage.sample(id, client, [...sessionIds], [...transcriptPaths]);
		this.#tellUnreadable(agent);
		if (!read || isSameUsage(agent, read)) return;
		const { usage: view, sample, model, baseline: hasEarlierWork } = read;
		floor.observe(agent.id, { usage: { view, sample, model, hasEarlierWork } }, now());
		onObserved();
	}

	/** Figures that are too low must not look whole. */
	#tellUnreadable(agent: Agent): void {
		const { usage, floor, now } = this.#options;
		const why = usage.problemsOf(agent.id).unreadable.join('; ');
		if (why === (this.#unreadable.get(agent.id) ?? '')) return;
		const key = `transcript:${agent.id}`;
		if (why === '') {
			this.#unreadable.delete(agent.id);
			floor.incidents.recover(key, now(), 'the transcript can be read again');
			return;
		}
		this.#unreadable.set(agent.id, why);
		floor.incidents.report(
			key,
			{
				kind: 'transcript',
				severity: 'info',
				title: `The usage of ${nameOf(agent)} cannot be read whole`,
				detail: `${why}. Its tokens and cost are at least what is shown; caps may act late. Make the file readable for you.`,
				agentId: agent.id,
			},
			now(),
		);
	}

	async #scanFiles(agent: Agent): Promise<void> {
		if (agent.directory === '') return;
		const { workTrees, floor, now } = this.#options;
		const { changedAt } = await workTrees.newestChange(agent.directory);
		if (changedAt !== null) floor.observe(agent.id, { fileChangedAt: changedAt }, now());
	}

	async #checkProcess(agent: Agent): Promise<void> {
		if (!agent.process) return;
		const processAlive = await isAlive(agent.process);
		if (processAlive !== agent.processAlive) {
			this.#options.floor.observe(agent.id, { processAlive }, this.#options.now());
		}
	}

	async #guard(where: string, work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (error) {
			// One agent's unreadable file must not cost the others their beat.
			this.#options.onError(where, error);
		}
	}
}

function isSameUsage(agent: Agent, { sample, usage }: AgentUsage): boolean {
	const known = agent.sample;
	return (
		known !== null &&
		known.input === sample.input &&
		known.output === sample.output &&
		known.cacheRead === sample.cacheRead &&
		known.cacheCreation === sample.cacheCreation &&
		known.usd === sample.usd &&
		// Midnight changes these, and nothing else.
		agent.usage?.today?.work === usage.today?.work &&
		agent.usage?.week?.work === usage.week?.work
	);
}

async function inBatches<T>(
	things: readonly T[],
	atOnce: number,
	work: (thing: T) => Promise<void>,
): Promise<void> {
	const queue = things.values();
	const worker = async (): Promise<void> => {
		for (const thing of queue) await work(thing);
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
}
