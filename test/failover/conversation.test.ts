/** What names one conversation. */
import { describe, expect, it } from 'vitest';
import { conversationOf, sessionOfConversation } from '../../src/main/failover/desk.ts';
import { turnFacts } from './orchestrator-fixture.ts';

describe('a conversation', () => {
	it('of an attributed session stays the same from input to input', () => {
		const [one, other] = ['a', 'b'].map((inputHash) => conversationOf(turnFacts({ inputHash })));
		expect(one).toBe(other);
	});

	it('of a caller that names no session is that of its input alone: the next one may be another program', () => {
		const of = (inputHash: string): string => conversationOf(turnFacts({ inputHash, isAttributed: false }));
		expect(of('a')).toBe(of('a'));
		expect(of('a')).not.toBe(of('b'));
		expect(sessionOfConversation(of('a'))).toBe(turnFacts().sessionKey);
	});
});
