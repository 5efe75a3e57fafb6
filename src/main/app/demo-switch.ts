/** The demo on this floor, on or off. Its agents are marked, stored nowhere, and leave with it. */
import { type Demo, startDemo } from '../demo/demo.ts';
import type { Floor } from '../floor/floor.ts';

export interface DemoSwitchOptions {
	readonly floor: Floor;
	readonly agentToken: string;
	readonly baseUrl: () => string;
	readonly directory: string;
	readonly onChange: (playing: boolean) => void;
	readonly onError: (error: unknown) => void;
}

export class DemoSwitch {
	readonly #options: DemoSwitchOptions;
	/** Set as long as it plays or begins to: a second start joins the first. */
	#demo: Promise<Demo> | null = null;

	constructor(options: DemoSwitchOptions) {
		this.#options = options;
	}

	get isPlaying(): boolean {
		return this.#demo !== null;
	}

	/** Resolves with the number of agents that play. */
	async start(): Promise<number> {
		if (this.#demo) return (await this.#demo).agents;
		const { agentToken, baseUrl, directory, onChange, onError } = this.#options;
		this.#demo = startDemo({ agentToken, baseUrl: baseUrl(), directory, onError });
		onChange(true);
		try {
			return (await this.#demo).agents;
		} catch (error) {
			this.stop();
			throw error;
		}
	}

	/** Takes its agents off the floor, and says how many they were. Their late events find it off and are let go. */
	stop(): number {
		const { floor, onChange, onError } = this.#options;
		this.#demo?.then((demo) => demo.dispose(), onError);
		this.#demo = null;
		const agents = floor.agents().filter((agent) => agent.demo);
		for (const agent of agents) floor.remove(agent.id);
		onChange(false);
		return agents.length;
	}
}
