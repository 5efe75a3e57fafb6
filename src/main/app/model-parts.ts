/** The model breakers, built once and connected: settings, clock, incidents, hooks. */
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import { resetHintMs } from '../../shared/reset-time.ts';
import type { FloorEvent } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import { ModelBreakers } from '../models/model-breakers.ts';
import type { SettingsFile } from '../store/settings-file.ts';
import { createModelHooks } from './model-hooks.ts';
import { ModelIncidents } from './model-incidents.ts';
import { clockOfThisMachine } from './timers.ts';

export interface ModelPartsOptions {
	readonly floor: Floor;
	readonly settings: SettingsFile;
	/** A window may want to see it. */
	readonly onChange: () => void;
}

export class ModelParts implements Disposable {
	readonly breakers: ModelBreakers;
	readonly #held = new DisposableStore();
	readonly #floor: Floor;
	readonly #hear: ReturnType<typeof createModelHooks>;

	constructor({ floor, settings, onChange }: ModelPartsOptions) {
		this.#floor = floor;
		const now = anchoredClock();
		this.breakers = new ModelBreakers({ settings: () => settings.current.models, now, random: Math.random });
		this.#held.add(this.breakers.onChange(onChange));
		this.#held.add(this.breakers.onEvent(new ModelIncidents(floor.incidents).hear));
		this.#hear = createModelHooks({
			models: this.breakers,
			// Every client that sends hooks so far speaks to Anthropic.
			providerOf: () =>
				settings.current.providers.find(({ protocols }) => protocols.includes('anthropic-messages'))?.id ??
				null,
			resetHintMs: (text) => resetHintMs(text, now()),
		});
	}

	/** A hook came; it was counted for that agent. */
	hookCounted(event: FloorEvent, agentId: string): void {
		const agent = this.#floor.agent(agentId);
		if (agent && !agent.demo) this.#hear(event, agent);
	}

	dispose(): void {
		this.#held.dispose();
	}
}

/** The wall clock at the start, and from then on the steady one: a wall clock that is set is no time that passed. */
function anchoredClock(): () => number {
	const { wall, steady } = clockOfThisMachine();
	const offset = wall() - steady();
	return () => offset + steady();
}
