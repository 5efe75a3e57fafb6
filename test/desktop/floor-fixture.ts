/** Floors to look at: plain builders, and arbitrary ones for properties. */

import fc from 'fast-check';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import { emptyModelsView } from '../../src/shared/models-view.ts';
import type { Notice } from '../../src/shared/notice.ts';
import type { FloorSnapshot, FloorStatus, Incident } from '../../src/shared/snapshot.ts';
import { failoverViews } from '../support/failover-views.ts';
import { modelViews } from '../support/model-views.ts';
import { floorUsage } from '../support/usage-views.ts';

export const NOON = Date.UTC(2026, 4, 4, 12);

export const { failover, popup, heldTurn, consent } = failoverViews(NOON);

export const chains = modelViews(NOON);

export function agent(id: string, changes: Partial<AgentView> = {}): AgentView {
	return {
		id,
		client: 'claude-code',
		sessionId: `session-${id}`,
		name: id,
		directory: `/home/someone/${id}`,
		repository: null,
		spark: null,
		model: 'claude-sonnet-4-5',
		served: null,
		state: { kind: 'live', reason: '', needsYou: false, since: NOON, lastHeardAt: NOON },
		level: 'healthy',
		levelSince: NOON,
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
		firstSeenAt: NOON,
		demo: false,
		...changes,
	};
}

/** An agent that only a person can move on. */
export function needyAgent(id: string, changes: Partial<AgentView> = {}): AgentView {
	return agent(id, {
		state: { kind: 'waiting', reason: 'may it run Bash?', needsYou: true, since: NOON, lastHeardAt: NOON },
		...changes,
	});
}

export function incident(id: string, changes: Partial<Incident> = {}): Incident {
	return {
		id,
		kind: 'unreadable-hook',
		severity: 'urgent',
		title: `Something is wrong with ${id}`,
		detail: 'Agents go on; look at the settings.',
		agentId: null,
		openedAt: NOON,
		updatedAt: NOON,
		count: 1,
		endedAt: null,
		endReason: null,
		decisions: [],
		...changes,
	};
}

/** A notice about a thing of the same name. */
export function noticeAbout(key: string, changes: Partial<Notice> = {}): Notice {
	return {
		key,
		kind: 'needs-you',
		title: `${key} needs you`,
		body: 'may it run Bash?',
		agentId: key,
		at: NOON,
		about: [key],
		sound: false,
		...changes,
	};
}

export function status(changes: Partial<FloorStatus> = {}): FloorStatus {
	return {
		tier: 'NORMAL',
		tierReason: '',
		heartbeatSeconds: 30,
		lastBeatAt: NOON - 10_000,
		nextBeatAt: NOON + 20_000,
		lastBeatLateMs: 0,
		breakerEnabled: true,
		hardStop: false,
		hooks: {
			'claude-code': 'installed',
			codex: 'absent',
			'gemini-cli': 'absent',
			'copilot-cli': 'absent',
			opencode: 'absent',
			'qwen-code': 'absent',
			cursor: 'absent',
		},
		demo: false,
		dataDirectory: '/home/someone/.agent-floor',
		address: 'http://127.0.0.1:47100',
		version: '0.0.0',
		startedAt: NOON - 60_000,
		...changes,
	};
}

export function floor(parts: Partial<FloorSnapshot> = {}): FloorSnapshot {
	return {
		epoch: 'e1',
		sequence: 1,
		at: NOON,
		status: status(),
		agents: [],
		incidents: [],
		failover: emptyFailoverView,
		models: emptyModelsView,
		usage: floorUsage(),
		sightings: [],
		...parts,
	};
}

const text = fc.string({ unit: 'binary', maxLength: 200 });
const time = fc.integer({ min: 0, max: NOON * 2 });
const level = fc.constantFrom('healthy', 'steering', 'constrained', 'stopped');

export const anyAgent = fc
	.record({
		id: fc.uuid(),
		name: text,
		kind: fc.constantFrom('live', 'waiting', 'unverifiable', 'exited'),
		reason: text,
		needsYou: fc.boolean(),
		since: time,
		lastHeardAt: time,
		level,
		standing: level,
		levelReason: text,
		demo: fc.boolean(),
		compacting: fc.boolean(),
		ordered: fc.boolean(),
	})
	.map(({ id, kind, reason, needsYou, since, lastHeardAt, ordered, ...rest }) =>
		agent(id, {
			...rest,
			state: { kind, reason, needsYou, since, lastHeardAt },
			order: ordered ? { kind: 'hold', words: '', at: since } : null,
		}),
	);

const anyPopup = fc
	.record({
		id: fc.uuid(),
		sentence: text,
		openedAt: time,
		waiting: fc.boolean(),
		states: fc.array(fc.constantFrom('asking', 'waiting', 'switching', 'retrying'), { maxLength: 3 }),
		/** Which incident it belongs to, if that is there. */
		about: fc.nat(10),
	})
	.map(({ id, states, about, ...rest }) => ({
		about,
		popup: popup(id, { ...rest, turns: states.map((state, n) => heldTurn(`${id}-${n}`, { state })) }),
	}));

const anyConsent = fc
	.record({ id: fc.uuid(), agentName: text, tool: text, target: text, why: text, askedAt: time })
	.map(({ id, ...rest }) => consent(id, rest));

const anyChain = fc
	.record({
		id: fc.uuid(),
		make: fc.constantFrom('chain', 'open', 'halfOpen', 'exhausted', 'held', 'unaided', 'spent'),
		preferredModel: text,
		why: text,
		resumeAt: fc.option(time),
		waitUntil: fc.option(time),
	})
	.map(({ make, ...rest }) => chains[make](rest));

export const anyFloor = fc
	.record({
		agents: fc.uniqueArray(anyAgent, { selector: ({ id }) => id, maxLength: 30 }),
		incidents: fc.uniqueArray(
			fc
				.record({
					id: fc.uuid(),
					title: text,
					severity: fc.constantFrom('info', 'attention', 'urgent'),
					openedAt: time,
					endedAt: fc.option(time),
					about: fc.option(fc.nat(40)),
				})
				.map(({ id, about, ...rest }) => ({ about, incident: incident(id, rest) })),
			{ selector: (entry) => entry.incident.id, maxLength: 8 },
		),
		popups: fc.uniqueArray(anyPopup, { selector: (entry) => entry.popup.id, maxLength: 4 }),
		consents: fc.uniqueArray(anyConsent, { selector: ({ id }) => id, maxLength: 4 }),
		models: fc.uniqueArray(anyChain, { selector: ({ id }) => id, maxLength: 6 }),
		demo: fc.boolean(),
		nextBeatAt: fc.option(time),
		tier: fc.constantFrom('NORMAL', 'LOCAL-ONLY', 'READ-ONLY-REMOTE', 'REFUSING'),
		tierReason: text,
	})
	.map(({ agents, incidents, popups, consents, models, ...changes }) =>
		floor({
			agents,
			models: chains.models(models),
			failover: failover({
				popups: popups.map(({ about, popup: one }) => ({
					...one,
					incidentId: incidents[about]?.incident.id ?? 'an incident that is gone',
				})),
				consents,
			}),
			incidents: incidents.map(({ about, incident: one }) => ({
				...one,
				agentId: about === null ? null : (agents[about]?.id ?? 'an agent that is gone'),
			})),
			status: status(changes),
		}),
	);
