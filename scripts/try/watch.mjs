import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks at the floor while a program runs. */
export class Watch {
	levels = new Set();
	/** The process of the agent is the one that we started, or came of it. */
	isOurs = false;
	#floor;
	#going = true;
	#done = Promise.resolve();

	constructor(floor) {
		this.#floor = floor;
	}

	start(startedPid) {
		this.#done = this.#look(startedPid);
	}

	async stop() {
		this.#going = false;
		await this.#done;
	}

	async #look(startedPid) {
		while (this.#going) {
			const { agents } = await this.#floor.snapshot();
			for (const { level, process: seen } of agents) {
				this.levels.add(level);
				if (seen && !this.isOurs) this.isOurs = isWithin(seen.pid, startedPid);
			}
			await sleep(100);
		}
	}
}

/** Whether `pid` is `ancestor` or one of its descendants. */
function isWithin(pid, ancestor) {
	for (let at = pid, steps = 0; at > 1 && steps < 20; steps += 1) {
		if (at === ancestor) return true;
		at = Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(at)]).stdout.toString());
	}
	return false;
}
