/** A real floor behind the real routes, which speaks one dialect, on a clock that the test turns. */
import Fastify from 'fastify';
import { expect } from 'vitest';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import type { Dialect } from '../../src/main/hooks/dialect.ts';
import { createReadOnlyJudge } from '../../src/main/hooks/read-only/judge.ts';
import { hookRoutes } from '../../src/main/hooks/routes.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { settingsSchema } from '../../src/shared/settings.ts';
import { AT, type Recorded } from './dialect-payloads.ts';

const isReadOnly = await createReadOnlyJudge();

export class HookFloor {
	readonly floor: Floor;
	/** Events that were counted, in order. */
	readonly counted: FloorEvent[] = [];
	now = AT;
	/** Once it listens. */
	url = '';
	readonly #client: string;
	readonly #server = Fastify();
	readonly #errors: unknown[] = [];
	readonly #waiting: (() => void)[] = [];

	private constructor(client: string) {
		const settings = settingsSchema.parse({});
		this.floor = new Floor({ getSettings: () => settings, isReadOnly });
		this.#client = client;
	}

	static async start(dialect: Dialect): Promise<HookFloor> {
		const started = new HookFloor(dialect.client);
		await started.#server.register(hookRoutes, {
			floor: started.floor,
			dialects: [dialect],
			now: () => started.now,
			identifyProcess: async (pid: number) => ({ pid, startTime: 'then' }),
			onEvent: (event: FloorEvent) => {
				started.counted.push(event);
				for (const wake of started.#waiting.splice(0)) wake();
			},
			consent: () => null,
			isDemoPlaying: () => false,
			onError: (error: unknown) => started.#errors.push(error),
		});
		started.url = await started.#server.listen({ host: '127.0.0.1', port: 0 });
		return started;
	}

	/** Stops, and nothing may have gone wrong until then. */
	async stop(): Promise<void> {
		await this.#server.close();
		expect(this.#errors).toEqual([]);
	}

	async post({ event, body }: Recorded): Promise<unknown> {
		const url = `${this.url}/hooks/${this.#client}/${event}`;
		const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
		expect(response.status).toBe(200);
		return response.json();
	}

	/** Replies go out before events are counted. */
	async untilCounted(events: number): Promise<void> {
		while (this.counted.length < events) await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	/** The reply, when the event has been counted as well: once. */
	async tell(recorded: Recorded): Promise<unknown> {
		const events = this.counted.length + 1;
		const reply = await this.post(recorded);
		await this.untilCounted(events);
		expect(this.counted).toHaveLength(events);
		return reply;
	}

	/** The replies to all of them, one after the other. */
	async tellAll(recording: readonly Recorded[]): Promise<unknown[]> {
		const replies: unknown[] = [];
		for (const recorded of recording) replies.push(await this.tell(recorded));
		return replies;
	}

	/** The view of the one agent that there is. */
	onlyAgent(): AgentView {
		const agents = this.floor.views(AT);
		expect(agents).toHaveLength(1);
		const [agent] = agents;
		if (!agent) throw new Error('no agent');
		return agent;
	}

	agentOf(sessionId: string) {
		const found = this.floor.agentOfSession(this.#client, sessionId);
		if (!found) throw new Error('the agent is not on the floor');
		return found;
	}
}
