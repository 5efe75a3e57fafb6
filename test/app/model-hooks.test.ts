import { describe, expect, it } from 'vitest';
import { createModelHooks } from '../../src/main/app/model-hooks.ts';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import type { ModelDesk } from '../../src/main/models/model-desk.ts';
import { defaultProviders } from '../../src/shared/failover-settings.ts';
import { defaultSettings } from '../../src/shared/settings.ts';

const common = {
	at: 1_000,
	name: '',
	sessionId: 's1',
	subagentId: null,
	subagentType: null,
	directory: '/home/dev/app',
	transcriptPath: null,
	process: null,
	dedupeKey: null,
} as const;

/** What the models are told of a session's end, by a program that runs `model`. */
function told(client: string, model: string | null, end: Partial<FloorEvent>, providers = defaultProviders) {
	const floor = new Floor({
		getSettings: () => defaultSettings,
		isReadOnly: () => ({ readOnly: false, why: '' }),
	});
	const heard: Parameters<ModelDesk['observe']>[] = [];
	const hear = createModelHooks({
		models: { observe: (...said) => heard.push(said) },
		providers: () => providers,
		resetHintMs: () => null,
	});
	const event = { ...common, client, model, ...end } as FloorEvent;
	const agent = floor.apply(event);
	if (!agent) throw new Error('no agent');
	hear(event, agent);
	return heard.map(([asked, outcome]) => ({
		provider: asked.provider,
		model: asked.model,
		kind: outcome.kind,
	}));
}

const ended = { kind: 'turn-end', message: 'Done.' } as const;
const metTrouble = {
	kind: 'provider-trouble',
	error: 'rate_limit',
	message: '429, trying again',
	status: 429,
} as const;
const limited = { kind: 'turn-failed', blame: 'provider', error: 'rate_limit', message: '429' } as const;

describe('what a hook says of a model', () => {
	it.each([
		['claude-code', 'anthropic'],
		['codex', 'openai'],
	])('%s: it is about the provider that speaks its protocol', (client, provider) => {
		expect(told(client, 'some-model', ended)).toEqual([{ provider, model: 'some-model', kind: 'ok' }]);
		expect(told(client, 'some-model', limited)).toEqual([{ provider, model: 'some-model', kind: 'limited' }]);
	});

	it('a limit that the records of a program tell counts alike, also when it tries again by itself', () => {
		expect(told('claude-code', 'm', metTrouble).map(({ kind }) => kind)).toEqual(['limited']);
		expect(told('claude-code', 'm', { ...metTrouble, error: 'overloaded', status: 529 })).toEqual([]);
	});

	it.each(['copilot-cli', 'gemini-cli', 'another'])('%s calls none of the floor’s providers', (client) => {
		expect(told(client, 'some-model', limited)).toEqual([]);
	});

	it('is nothing without a model, or without a provider that could be meant', () => {
		expect(told('claude-code', null, limited)).toEqual([]);
		expect(told('codex', 'some-model', limited, defaultProviders.slice(0, 1))).toEqual([]);
	});
});
