/** Builders for tests and screenshots: a quiet agent and a quiet floor, changed where the case needs it. */

import type { AgentView } from '../../src/shared/agent-view.ts';
import type { Evidence } from '../../src/shared/breaker-state.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import { emptyModelsView } from '../../src/shared/models-view.ts';
import type { FloorDelta, FloorSnapshot, FloorStatus, Incident } from '../../src/shared/snapshot.ts';
import { hookClientSchema } from '../../src/shared/words.ts';
import { floorUsage } from '../support/usage-views.ts';

/** The time at which the fixtures are "now", ms. */
export const NOW = Date.UTC(2026, 10, 30, 14, 0, 0);

export function anAgent(id: string, change: Partial<AgentView> = {}): AgentView {
	return {
		id,
		client: 'claude-code',
		sessionId: `session-${id}`,
		name: id,
		directory: `/home/ada/code/${id}`,
		repository: null,
		spark: null,
		model: 'claude-sonnet-4-5',
		served: null,
		state: { kind: 'live', reason: '', needsYou: false, since: NOW - 60_000, lastHeardAt: NOW - 2000 },
		level: 'healthy',
		levelSince: NOW - 600_000,
		levelReason: '',
		evidence: null,
		arms: [],
		climbHeld: '',
		standing: 'healthy',
		order: null,
		stopProgress: null,
		usage: null,
		outputTokensPerMinute: null,
		warnings: [],
		doing: null,
		lastTools: [],
		notes: [],
		denials: { count: 0, last: null },
		providerTrouble: null,
		compacting: false,
		subagents: [],
		process: null,
		firstSeenAt: NOW - 600_000,
		demo: false,
		...change,
	};
}

export function aState(
	kind: AgentView['state']['kind'],
	change: Partial<AgentView['state']> = {},
): AgentView['state'] {
	return { kind, reason: '', needsYou: false, since: NOW - 60_000, lastHeardAt: NOW - 60_000, ...change };
}

/** Of every program the floor knows; those not named have no hooks. */
export function hooksOf(known: Partial<FloorStatus['hooks']>): FloorStatus['hooks'] {
	const absent = Object.fromEntries(hookClientSchema.options.map((client) => [client, 'absent']));
	return { ...(absent as FloorStatus['hooks']), ...known };
}

export function aStatus(change: Partial<FloorStatus> = {}): FloorStatus {
	return {
		tier: 'NORMAL',
		tierReason: '',
		heartbeatSeconds: 30,
		lastBeatAt: NOW - 12_000,
		nextBeatAt: NOW + 18_000,
		lastBeatLateMs: 0,
		breakerEnabled: true,
		hardStop: false,
		hooks: hooksOf({ 'claude-code': 'installed' }),
		demo: false,
		dataDirectory: '/home/ada/.local/share/agent-floor',
		address: 'http://127.0.0.1:47100',
		version: '0.1.0',
		startedAt: NOW - 3_600_000,
		...change,
	};
}

/** Of an agent that has passed its own cap. */
export function aPassedCap(change: Partial<Evidence> = {}): Evidence {
	return {
		arm: 'agent-token-cap',
		counted: 'work tokens of this agent',
		count: 512_300,
		limit: 500_000,
		unit: 'tokens',
		since: NOW - 60_000,
		lastAt: NOW,
		lastOccurrences: [],
		clears: 'It spends nothing for a beat.',
		...change,
	};
}

export function aSnapshot(agents: AgentView[], change: Partial<FloorSnapshot> = {}): FloorSnapshot {
	return {
		epoch: 'first',
		sequence: 10,
		at: NOW,
		status: aStatus(),
		agents,
		incidents: [],
		failover: emptyFailoverView,
		models: emptyModelsView,
		usage: floorUsage(),
		sightings: [],
		...change,
	};
}

export function aDelta(sequence: number, change: Partial<FloorDelta> = {}): FloorDelta {
	return { epoch: 'first', sequence, at: NOW + sequence, ...change };
}

export function anIncident(id: string, change: Partial<Incident> = {}): Incident {
	return {
		id,
		kind: 'late-beat',
		severity: 'attention',
		title: 'A beat came 14 s late',
		detail: 'Levels were judged late. If it goes on, close what keeps this machine busy.',
		agentId: null,
		openedAt: NOW - 120_000,
		updatedAt: NOW - 20_000,
		count: 1,
		endedAt: null,
		endReason: null,
		decisions: [],
		...change,
	};
}
