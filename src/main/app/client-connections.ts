/** The floor's connections to agent programs: their hooks in the user's files, looked at, planned, applied. */
import { ChannelError, type HookPlan } from '../../shared/channels.ts';
import { clientWords } from '../../shared/format.ts';
import type { FloorStatus } from '../../shared/snapshot.ts';
import { type HookClient, hookClientSchema } from '../../shared/words.ts';
import { forgetFloorAddress, writeForwardProgram } from '../hooks/install/forward-program.ts';
import { type HookPlace, hookClients } from '../hooks/install/hook-clients.ts';
import { unknownHooks } from './status-board.ts';

export interface ClientConnectionsOptions {
	readonly home: string;
	readonly env: NodeJS.ProcessEnv;
	readonly dataDirectory: string;
	readonly agentToken: string;
	/** A floor that was started to play the demo is gone when its window closes: nothing real may be tied to it. */
	readonly isDemoFloor: boolean;
	readonly baseUrl: () => string;
	readonly onStatus: (status: FloorStatus['hooks']) => void;
}

export class ClientConnections {
	readonly #options: ClientConnectionsOptions;
	#known = unknownHooks;

	constructor(options: ClientConnectionsOptions) {
		this.#options = options;
	}

	/** Hooks of programs that run commands go through it; it must say where this floor listens. */
	async writeForwarder(): Promise<void> {
		const { dataDirectory, baseUrl, agentToken } = this.#options;
		await writeForwardProgram(dataDirectory, { baseUrl: baseUrl(), agentToken }, process.platform);
	}

	/** The floor ends: no hook waits for it. */
	async withdrawForwarder(): Promise<void> {
		await forgetFloorAddress(this.#options.dataDirectory);
	}

	/** How they stand now. */
	async look(): Promise<void> {
		const plans = hookClientSchema.options.map(async (client) => {
			this.#tell(client, (await hookClients[client].plan(this.#place(client), false)).status);
		});
		await Promise.all(plans);
	}

	/** Of the programs, as far as it says where their files are. */
	get env(): NodeJS.ProcessEnv {
		return this.#options.env;
	}

	/** How a program's file stands, on any floor; nothing is planned. */
	async inspect(client: HookClient): Promise<Pick<HookPlan, 'status' | 'file' | 'problem'>> {
		const { status, file, problem } = await hookClients[client].plan(this.#place(client), false);
		return { status, file, problem };
	}

	/** Rejects with a `ChannelError` on a demo floor. */
	async plan(client: HookClient, remove: boolean): Promise<HookPlan> {
		this.#refuseOnDemoFloor(client);
		return hookClients[client].plan(this.#place(client), remove);
	}

	/** Rejects with a `ChannelError` when the file cannot be changed; it is then as it was. */
	async apply(client: HookClient, remove: boolean): Promise<HookPlan> {
		this.#refuseOnDemoFloor(client);
		const { needsForwarder, apply } = hookClients[client];
		if (needsForwarder && !remove) await this.writeForwarder();
		const plan = await apply(this.#place(client), remove);
		this.#tell(client, plan.status);
		if (plan.status !== 'unreadable') return plan;
		const name = clientWords(client);
		throw new ChannelError({
			code: 'refused-file',
			message: `${plan.file} was not changed: ${plan.problem}`,
			meaning: `${name} works on as before; it is not connected to the floor.`,
			remedy: 'Mend the file by hand, then connect again.',
		});
	}

	#refuseOnDemoFloor(client: HookClient): void {
		if (!this.#options.isDemoFloor) return;
		throw new ChannelError({
			code: 'not-possible',
			message: 'This is the demo, which ends with its window.',
			meaning: `${clientWords(client)} was not touched: its hooks would point to a floor that is gone tomorrow.`,
			remedy: 'Start your own floor with npm start, and connect there.',
		});
	}

	#tell(client: HookClient, status: HookPlan['status']): void {
		if (status === this.#known[client]) return;
		this.#known = { ...this.#known, [client]: status };
		this.#options.onStatus(this.#known);
	}

	#place(client: HookClient): HookPlace {
		const { env, home, dataDirectory, baseUrl, agentToken } = this.#options;
		const file = hookClients[client].userFile(env, home);
		return { file, inProject: false, dataDirectory, baseUrl: baseUrl(), agentToken };
	}
}
