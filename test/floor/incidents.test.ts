import { describe, expect, it } from 'vitest';
import { IncidentBook } from '../../src/main/floor/incidents.ts';

const report = {
	kind: 'failover',
	severity: 'urgent',
	title: 'Lost',
	detail: 'once',
	agentId: null,
} as const;

describe('an incident', () => {
	it('counts what happens again, and not that it goes on in other words', () => {
		const book = new IncidentBook(() => {});
		book.report('a', report, 1);
		expect(book.report('a', report, 2).count).toBe(2);
		const calmer = book.report('a', { ...report, severity: 'attention', detail: 'nobody waits' }, 3, false);
		expect(calmer).toMatchObject({ count: 2, severity: 'attention', detail: 'nobody waits', updatedAt: 3 });
		expect(book.all()).toHaveLength(1);
	});

	it('that is told of as going on and was not open is opened', () => {
		const book = new IncidentBook(() => {});
		expect(book.report('a', report, 1, false)).toMatchObject({ count: 1, openedAt: 1, endedAt: null });
	});
});
