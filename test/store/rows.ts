/** Rows for tests; each names only what the test is about. */

import type { AgentRow, EventRow, SessionRow, TransitionRow } from '../../src/main/store/rows.ts';
import type { Evidence } from '../../src/shared/breaker-state.ts';
import type { Incident } from '../../src/shared/snapshot.ts';

export function agentRow(row: Partial<AgentRow> = {}): AgentRow {
	return {
		id: 'agent-1',
		client: 'claude-code',
		sessionId: 's-1',
		directory: '/home/dev/app',
		name: 'app',
		model: null,
		firstSeenAt: 1000,
		lastEventAt: 2000,
		level: 'healthy',
		levelSince: 1000,
		order: null,
		process: null,
		demo: false,
		state: {},
		...row,
	};
}

export function sessionRow(row: Partial<SessionRow> = {}): SessionRow {
	return {
		client: 'claude-code',
		sessionId: 's-1',
		agentId: 'agent-1',
		transcriptPath: null,
		firstSeenAt: 1000,
		lastSeenAt: 1000,
		...row,
	};
}

export function eventRow(row: Partial<EventRow> = {}): EventRow {
	const body = row.body ?? '{}';
	return {
		at: 1000,
		agentId: 'agent-1',
		client: 'claude-code',
		name: 'PreToolUse',
		dedupeKey: null,
		bytes: Buffer.byteLength(body),
		body,
		...row,
	};
}

export const evidence: Evidence = {
	arm: 'repeated-tool',
	counted: 'identical calls of Bash `npm test`',
	count: 9,
	limit: 8,
	unit: 'calls',
	since: 1000,
	lastAt: 2000,
	lastOccurrences: [{ at: 2000, text: 'npm test \ud83d' }],
	clears: 'another call',
};

export function transitionRow(row: Partial<TransitionRow> = {}): TransitionRow {
	return {
		at: 1000,
		agentId: 'agent-1',
		sessionId: 's-1',
		from: 'healthy',
		to: 'steering',
		action: 'steer',
		reason: 'the same call nine times',
		evidence,
		...row,
	};
}

export function incident(row: Partial<Incident> = {}): Incident {
	return {
		id: 'incident-1',
		kind: 'port',
		severity: 'attention',
		title: 'What happened',
		detail: 'What it means',
		agentId: null,
		openedAt: 1000,
		updatedAt: 1000,
		count: 1,
		endedAt: null,
		endReason: null,
		decisions: [],
		...row,
	};
}
