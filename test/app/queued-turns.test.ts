import { describe, expect, it } from 'vitest';
import { QueuedTurns } from '../../src/main/app/queued-turns.ts';
import type { FailoverDesk, TurnEnd, TurnFacts } from '../../src/main/failover/desk.ts';
import type { OutboxEntry } from '../../src/main/failover/outbox-entry.ts';
import { newEntry } from '../../src/main/failover/outbox-entry.ts';
import { turnFacts } from '../failover/orchestrator-fixture.ts';

const facts = turnFacts({ inputHash: 'hash-1' });

function entryOf({ sessionKey, inputHash, providerId }: TurnFacts): OutboxEntry {
	return newEntry(
		'cloud_turn',
		{
			provider_id: providerId,
			protocol: 'anthropic-messages',
			path: '/v1/messages',
			body: '{}',
			input_hash: inputHash,
			session_key: sessionKey,
			agent_id: null,
			agent_name: 'app',
			model: 'm',
			purpose: 'retry',
		},
		'7b1d8c1e-6f0a-4a53-9d3a-2b6a3a0c9d11',
		0,
	);
}

function place(queued: boolean) {
	const told: string[] = [];
	const held: string[] = [];
	const desk: FailoverDesk = {
		route: () => ({ to: 'provider', ticket: { providerId: 'anthropic', era: 0, isTrial: false, serial: 1 } }),
		settle: () => {},
		hold: () => {
			held.push('held');
			return {
				next: () => new Promise(() => {}),
				answering: () => {},
				localFailed: () => {},
				release: () => {},
			};
		},
		ended: (_facts, end) => told.push(`ended ${end.kind}`),
		answeredLocally: () => {},
	};
	const turns = new QueuedTurns({
		isQueued: () => queued,
		superseded: (conversation, hash, answered) => told.push(`news ${conversation} ${hash} ${answered}`),
		drain: (reason, providerId) => told.push(`drain ${providerId}: ${reason}`),
		providerName: () => 'Anthropic',
	});
	const end = (how: TurnEnd, of = facts): void =>
		turns.hear({ kind: 'turn-ended', at: 0, facts: of, end: how });
	return { turns, counter: turns.desk(desk), end, told, held };
}

describe('a queued turn whose agent asks the same again', () => {
	it('is not sent while that call is under way, and goes on when it came to nothing', () => {
		const { turns, counter, end, told } = place(true);
		expect(turns.obstacleOf(entryOf(facts))).toBeNull();
		counter.route(facts);
		counter.route({ ...facts, turnId: 'second' });
		expect(turns.obstacleOf(entryOf(facts))).toMatch(/asking the same again/);
		expect(turns.obstacleOf(entryOf({ ...facts, inputHash: 'another' }))).toBeNull();
		end({ kind: 'client-left' });
		expect(turns.obstacleOf(entryOf(facts))).not.toBeNull();
		end({ kind: 'failed' });
		expect(turns.obstacleOf(entryOf(facts))).toBeNull();
		expect(told.filter((line) => line.startsWith('drain'))).toEqual([
			'drain anthropic: its agent asked in vain',
		]);
	});

	it('is done when that call was answered by the cloud', () => {
		const { counter, end, told } = place(true);
		counter.route(facts);
		end({ kind: 'answered', harness: 'cloud', at: 'anthropic', model: 'm' });
		expect(told).toEqual(['news session-1 hash-1 false', 'news session-1 hash-1 true']);
	});

	it('is told at once that it is queued: nobody is asked about it twice', async () => {
		const { counter, held, told } = place(true);
		const turn = counter.hold(facts);
		const failure = {
			cause: 'network-lost' as const,
			outcome: { kind: 'lost' as const, status: null, code: 'X', latencyMs: null, retryAfterMs: null },
			detail: '',
			cutMidAnswer: false,
		};
		expect(await turn.next(failure)).toMatchObject({
			kind: 'queued',
			message: expect.stringContaining('Anthropic'),
		});
		turn.release({ kind: 'queued' });
		turn.release({ kind: 'queued' });
		expect([held, told]).toEqual([[], ['ended queued']]);
	});

	it('that is not queued, or is a helper request, is held as ever', () => {
		const { counter, held } = place(false);
		counter.hold(facts);
		place(true).counter.hold({ ...facts, isAuxiliary: true });
		expect(held).toEqual(['held']);
	});

	it('in a subagent is another conversation', () => {
		const { turns, counter } = place(true);
		counter.route({ ...facts, subagentId: 'sub' });
		expect(turns.obstacleOf(entryOf(facts))).toBeNull();
	});
});
