import { describe, expect, it } from 'vitest';
import { KEPT_OFFERS, OFFER_LIFE_MS, OfferBook } from '../../src/main/failover/offers.ts';
import type { CloudAnswer } from '../../src/main/failover/orchestrator-parts.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { comparisonSchema, improveOfferSchema } from '../../src/shared/failover-view.ts';
import { modelFit, settled, turnFacts, VirtualTime } from './orchestrator-fixture.ts';

function book() {
	const time = new VirtualTime();
	const answers: Promise<CloudAnswer>[] = [];
	const asked: string[] = [];
	const wanted: string[] = [];
	let changes = 0;
	const offers = new OfferBook({
		clock: time.clock,
		schedule: time.schedule,
		providerName: () => 'Anthropic',
		askCloud: (id) => {
			asked.push(id);
			return answers.shift() ?? new Promise(() => {});
		},
		onAsked: (facts) => wanted.push(facts.turnId),
		onChange: () => {
			changes += 1;
		},
	});
	const add = (change = {}, isBack = true, text = 'The local plan.') =>
		offers.add(turnFacts(change), modelFit('qwen3-coder:30b'), text, isBack);
	const only = () => {
		const [offer, ...others] = offers.views();
		if (!offer || others.length > 0) throw new Error(`${offers.views().length} offers.`);
		return offer;
	};
	return { time, offers, answers, asked, wanted, add, only, changes: () => changes };
}

describe('"Improve this with <cloud>?"', () => {
	it('is offered quietly, once the provider is back', () => {
		const { offers, add, only } = book();
		add({ providerId: 'anthropic' }, false);
		add({ providerId: 'openai' }, false);
		expect(offers.views()).toEqual([]);
		offers.providerBack('anthropic');
		expect(improveOfferSchema.parse(only())).toMatchObject({
			state: 'offered',
			providerName: 'Anthropic',
			cloudModel: 'claude-sonnet-4-5',
			localModel: 'qwen3-coder:30b',
			prompt: 'Plan the checkout',
		});
	});

	it('shows both answers side by side and replaces neither', async () => {
		const { offers, answers, asked, add, only } = book();
		add();
		answers.push(Promise.resolve({ kind: 'answered', model: 'claude-sonnet-4-5', text: 'The cloud plan.' }));
		const { id } = only();
		expect(comparisonSchema.parse(offers.read(id)).cloud).toBeNull();
		offers.ask(id);
		expect(only().state).toBe('asking');
		await settled();
		expect(only().state).toBe('ready');
		expect(comparisonSchema.parse(offers.read(id))).toMatchObject({
			local: { model: 'qwen3-coder:30b', text: 'The local plan.' },
			cloud: { model: 'claude-sonnet-4-5', text: 'The cloud plan.' },
		});
		expect(asked).toEqual([id]);
	});

	it('counts the wish for a better answer', () => {
		const { offers, wanted, add, only } = book();
		add({ turnId: 'turn-a' });
		offers.ask(only().id);
		expect(wanted).toEqual(['turn-a']);
	});

	it('waits in the outbox while there is no way to ask, and takes the answer later', async () => {
		const { offers, answers, add, only } = book();
		add();
		answers.push(Promise.resolve({ kind: 'waiting', problem: 'Anthropic is lost again.' }));
		const { id } = only();
		offers.ask(id);
		await settled();
		expect(only()).toMatchObject({ state: 'waiting', problem: 'Anthropic is lost again.' });
		expect(() => offers.ask(id)).toThrow(ChannelError);
		offers.cloudAnswered(id, { kind: 'answered', model: 'claude-sonnet-4-5', text: 'Later.' });
		expect(only()).toMatchObject({ state: 'ready', problem: '' });
	});

	it('takes no answer that was not asked for, and no second one', () => {
		const { offers, add, only } = book();
		add();
		const { id } = only();
		const answer = (text: string) => offers.cloudAnswered(id, { kind: 'answered', model: 'm', text });
		answer('unasked');
		expect(only().state).toBe('offered');
		offers.ask(id);
		answer('first');
		answer('second');
		offers.cloudAnswered(id, { kind: 'failed', problem: 'too late' });
		expect(offers.read(id)).toMatchObject({ offer: { state: 'ready' }, cloud: { text: 'first' } });
	});

	it('says why asking failed, and may be asked again', async () => {
		const { offers, answers, add, only } = book();
		add();
		answers.push(Promise.reject(new Error('no credentials')));
		const { id } = only();
		offers.ask(id);
		await settled();
		expect(only()).toMatchObject({
			state: 'failed',
			problem: 'The cloud could not be asked: no credentials',
		});
		answers.push(Promise.resolve({ kind: 'answered', model: 'm', text: 'Now.' }));
		offers.ask(id);
		await settled();
		expect(only()).toMatchObject({ state: 'ready', problem: '' });
	});

	it('ignores an answer to an offer that was dismissed', async () => {
		const { offers, add, only, time } = book();
		add();
		const { id } = only();
		offers.ask(id);
		offers.dismiss(id);
		offers.cloudAnswered(id, { kind: 'answered', model: 'm', text: 'Too late.' });
		expect(offers.views()).toEqual([]);
		expect(time.timers).toBe(0);
		for (const deed of [offers.ask, offers.read, offers.dismiss]) {
			expect(() => deed.call(offers, id)).toThrow(ChannelError);
		}
	});

	it('ends after a day, and tells so', async () => {
		const { time, offers, add, changes } = book();
		add();
		const before = changes();
		await time.advance(OFFER_LIFE_MS - 1);
		expect(offers.views()).toHaveLength(1);
		await time.advance(1);
		expect(offers.views()).toEqual([]);
		expect(changes()).toBe(before + 1);
		expect(time.timers).toBe(0);
	});

	it('keeps the newest few, newest first, one for a turn', () => {
		const { time, offers, add } = book();
		for (let turn = 0; turn < KEPT_OFFERS + 5; turn += 1)
			add({ turnId: `t${turn}`, prompt: `prompt ${turn}` });
		add({ turnId: 't24', prompt: 'again' });
		const prompts = offers.views().map(({ prompt }) => prompt);
		expect(prompts).toHaveLength(KEPT_OFFERS);
		expect(prompts.slice(0, 2)).toEqual(['again', 'prompt 23']);
		expect(time.timers).toBe(KEPT_OFFERS);
	});

	it('is not made for helper requests, nor where there is no text to compare', () => {
		const { offers, add } = book();
		add({ isAuxiliary: true });
		add({}, true, ' \n');
		expect(offers.views()).toEqual([]);
	});

	it('cannot be asked before the provider is back', () => {
		const { offers, add } = book();
		add({}, false);
		offers.providerBack('openai');
		expect(offers.views()).toEqual([]);
	});

	it('shows a prompt as text', () => {
		const { add, only } = book();
		add({ prompt: 'do\u202e this' });
		expect(only().prompt).not.toContain('\u202e');
	});
});
