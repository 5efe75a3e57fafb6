/** Ends an agent's process tree when that was asked for, and says truthfully how far it got. */
import type { StopProgress } from '../../shared/agent-view.ts';
import type { Floor } from '../floor/floor.ts';
import { endProcessTree } from '../machine/end-process-tree.ts';

const POLL_MS = 200;

export interface ProcessEnderOptions {
	readonly floor: Floor;
	readonly graceSeconds: () => number;
	readonly now: () => number;
	readonly onChange: () => void;
	readonly onError: (where: string, error: unknown) => void;
}

export class ProcessEnder {
	readonly #options: ProcessEnderOptions;
	readonly #ending = new Set<string>();

	constructor(options: ProcessEnderOptions) {
		this.#options = options;
	}

	/** Begins at once; progress is seen on the agent. A second wish while one is under way is the same wish. */
	end(agentId: string): void {
		if (this.#ending.has(agentId)) return;
		this.#ending.add(agentId);
		this.#end(agentId)
			.catch((error: unknown) => this.#options.onError('ending a process tree', error))
			.finally(() => this.#ending.delete(agentId));
	}

	async #end(agentId: string): Promise<void> {
		const agent = this.#options.floor.agent(agentId);
		if (!agent) return;
		// Without a start time the pid may be somebody else's by now: never end what is not positively known.
		if (!agent.process || agent.process.startTime === null) return this.#say(agentId, 'process-unknown', []);
		this.#say(agentId, 'stopping', [agent.process.pid]);
		// Resumed meanwhile: the wish is taken back, and the process stays.
		const isStillWanted = (): boolean => agent.order?.kind === 'stop' || agent.ladderStop !== null;
		const ended = await endProcessTree(agent.process, {
			isStillWanted,
			graceMs: this.#options.graceSeconds() * 1000,
			pollMs: POLL_MS,
			onProgress: (pids) => {
				if (isStillWanted()) this.#say(agentId, 'stopping', pids);
			},
		});
		if (!isStillWanted()) return;
		this.#say(agentId, ended.phase, ended.pids);
		if (ended.phase === 'stopped') {
			this.#options.floor.observe(agentId, { processAlive: false }, this.#options.now());
			this.#options.onChange();
		}
	}

	#say(agentId: string, phase: StopProgress['phase'], pids: readonly number[]): void {
		const { floor, now, onChange } = this.#options;
		floor.setStopProgress(agentId, { phase, pids: [...pids], checkedAt: now() });
		onChange();
	}
}
