/** The floor's connection to Claude Code: its hooks in the user's settings file, looked at, planned, applied. */
import { ChannelError, type HookPlan } from '../../shared/channels.ts';
import {
	applyClaudeHooks,
	type ClaudeHookTarget,
	planClaudeHooks,
	userSettingsFile,
} from '../hooks/install/install.ts';

export interface ClaudeConnectionOptions {
	readonly home: string;
	readonly env: NodeJS.ProcessEnv;
	readonly agentToken: string;
	/** A floor that was started to play the demo is gone when its window closes: nothing real may be tied to it. */
	readonly isDemoFloor: boolean;
	readonly baseUrl: () => string;
	readonly onStatus: (status: HookPlan['status']) => void;
}

export class ClaudeConnection {
	readonly #options: ClaudeConnectionOptions;
	#known: HookPlan['status'] | null = null;

	constructor(options: ClaudeConnectionOptions) {
		this.#options = options;
	}

	/** How it stands now. */
	async look(): Promise<void> {
		this.#tell((await planClaudeHooks(this.#target(), false)).status);
	}

	/** Rejects with a `ChannelError` on a demo floor. */
	async plan(remove: boolean): Promise<HookPlan> {
		this.#refuseOnDemoFloor();
		return planClaudeHooks(this.#target(), remove);
	}

	/** Rejects with a `ChannelError` when the file cannot be changed; it is then as it was. */
	async apply(remove: boolean): Promise<HookPlan> {
		this.#refuseOnDemoFloor();
		const plan = await applyClaudeHooks(this.#target(), remove);
		this.#tell(plan.status);
		if (plan.status !== 'unreadable') return plan;
		throw new ChannelError({
			code: 'refused-file',
			message: `${plan.file} was not changed: ${plan.problem}`,
			meaning: 'Claude Code works on as before; it is not connected to the floor.',
			remedy: 'Mend the file by hand, then connect again.',
		});
	}

	#refuseOnDemoFloor(): void {
		if (!this.#options.isDemoFloor) return;
		throw new ChannelError({
			code: 'not-possible',
			message: 'This is the demo, which ends with its window.',
			meaning: 'Claude Code was not touched: its hooks would point to a floor that is gone tomorrow.',
			remedy: 'Start your own floor with npm start, and connect there.',
		});
	}

	#tell(status: HookPlan['status']): void {
		if (status === this.#known) return;
		this.#known = status;
		this.#options.onStatus(status);
	}

	#target(): ClaudeHookTarget {
		const { env, home, baseUrl, agentToken } = this.#options;
		return { file: userSettingsFile(env, home), baseUrl: baseUrl(), agentToken };
	}
}
