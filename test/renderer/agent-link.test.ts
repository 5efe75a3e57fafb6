import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkedAgent } from '../../src/renderer/store/agent-link.ts';

describe('a link to an agent', () => {
	it.each([
		['', null],
		['#', null],
		['#agent=', null],
		['#other=1', null],
		['#agent=claude-code%3As1', 'claude-code:s1'],
	])('%j names %j', (hash, agentId) => {
		expect(linkedAgent(hash)).toBe(agentId);
	});

	it('comes back whole, whatever the id is made of', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (agentId) => {
				expect(linkedAgent(`#agent=${encodeURIComponent(agentId)}`)).toBe(agentId.toWellFormed());
			}),
		);
	});
});
