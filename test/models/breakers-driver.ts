/** Model breakers with a clock in hand, and everything that they told. */
import { ModelBreakers } from '../../src/main/models/model-breakers.ts';
import type { ModelChoice, ModelEvent, ModelOutcome, ModelTicket } from '../../src/main/models/model-desk.ts';
import { type ModelsSettings, modelsSettingsSchema } from '../../src/shared/models-settings.ts';
import type { ModelCaller, ModelChainView, ModelReport } from '../../src/shared/models-view.ts';

export const MINUTE = 60_000;
export const SONNET = 'claude-sonnet-5';
export const MINI = 'gpt-5.4-mini';
export const MINI_5 = 'gpt-5-mini';
/** 2026-11-30T16:00:00Z. */
export const START = Date.UTC(2026, 10, 30, 16);

export const ok: ModelOutcome = { kind: 'ok' };
export const other: ModelOutcome = { kind: 'other' };

export function limited(retryAfterMs: number | null = null, said = '429'): ModelOutcome {
	return { kind: 'limited', retryAfterMs, said };
}

export type SettingsInput = Parameters<typeof modelsSettingsSchema.parse>[0] & object;

export class BreakersDriver {
	now = START;
	random = 0;
	settings: ModelsSettings;
	readonly events: ModelEvent[] = [];
	changes = 0;
	readonly breakers: ModelBreakers;

	constructor(settings: object = {}) {
		this.settings = modelsSettingsSchema.parse(settings);
		this.breakers = new ModelBreakers({
			settings: () => this.settings,
			now: () => this.now,
			random: () => this.random,
		});
		this.breakers.onEvent((event) => this.events.push(event));
		this.breakers.onChange(() => {
			this.changes += 1;
		});
	}

	configure(settings: object): void {
		this.settings = modelsSettingsSchema.parse(settings);
	}

	wait(ms: number): this {
		this.now += ms;
		return this;
	}

	choose(model: string = SONNET, tried: readonly string[] = [], provider = 'anthropic'): ModelChoice | null {
		return this.breakers.choose({ provider, model, holder: 'agent', tried: new Set(tried) });
	}

	/** The ticket of a call that is let through; throws where it is not. */
	ticket(model: string = SONNET, tried: readonly string[] = [], provider = 'anthropic'): ModelTicket {
		const choice = this.choose(model, tried, provider);
		if (choice?.kind !== 'use') throw new Error(`no ticket: ${JSON.stringify(choice)}`);
		return choice.ticket;
	}

	/** One whole turn; returns the model that took it. */
	turn(outcome: ModelOutcome, model: string = SONNET): string {
		const ticket = this.ticket(model);
		this.breakers.settle(ticket, outcome);
		return ticket.model;
	}

	/** What a loop is told to use. */
	current(caller: Partial<ModelCaller> = {}): string | null {
		return this.breakers.current({ directory: '/repo', ...caller }).model;
	}

	report(outcome: ModelReport['outcome'], more: Partial<ModelReport> = {}) {
		return this.breakers.report({ directory: '/repo', outcome, ...more });
	}

	get kinds(): string[] {
		return this.events.map(({ kind }) => kind);
	}

	get chains(): ModelChainView[] {
		return this.breakers.view().chains;
	}

	chain(preferredModel: string = SONNET): ModelChainView {
		const found = this.chains.find((chain) => chain.preferredModel === preferredModel);
		if (found === undefined) throw new Error(`no chain of ${preferredModel}`);
		return found;
	}
}
