/**
 * Incidents as one list with a lifecycle: what is open, then what has ended. Questions that wait for an answer stand in
 * it with the incident they belong to: one cause, one row. Pure; times in ms.
 */
import { isAsking } from '../../shared/attention.ts';
import type { ConsentView, FailoverPopup, FailoverView } from '../../shared/failover-view.ts';
import type { ModelChainView } from '../../shared/models-view.ts';
import type { Incident, IncidentDecision } from '../../shared/snapshot.ts';
import { hasAllWords } from './agent-filter.ts';

/**
 * `updated`: open, and it happened again or changed. `answered`: a question that the operator has answered. `ended`: over,
 * and nobody knows whether it recovered.
 */
export type IncidentState = 'open' | 'updated' | 'recovered' | 'answered' | 'dismissed' | 'expired' | 'ended';

/** Where an incident is answered, or looked at more closely. */
export type AnswerPlace =
	| { readonly kind: 'popup' | 'consent'; readonly id: string }
	/** `chainId: null`: which chain it is about is not known. */
	| { readonly kind: 'chain'; readonly chainId: string | null };

export interface IncidentRow {
	readonly incident: Incident;
	readonly state: IncidentState;
	/** Nothing goes on before the operator does something. */
	readonly asks: boolean;
	readonly answer: AnswerPlace | null;
	/** Only the operator's answer ends it: it cannot be put away. */
	readonly isQuestion: boolean;
}

export interface IncidentSources {
	/** Those that the picture holds: they are newer than any page of the history. */
	readonly known: readonly Incident[];
	/** Ended ones that were read from the store. */
	readonly history: readonly Incident[];
	readonly failover: Pick<FailoverView, 'popups' | 'consents'>;
	readonly chains: readonly ModelChainView[];
}

export interface IncidentRows {
	/** The oldest that needs the operator first, then the rest by severity, the oldest first. */
	readonly open: readonly IncidentRow[];
	/** Newest first. */
	readonly ended: readonly IncidentRow[];
}

const severities: readonly Incident['severity'][] = ['urgent', 'attention', 'info'];

export function incidentRows({ known, history, failover, chains }: IncidentSources): IncidentRows {
	const byId = new Map([...history, ...known].map((incident) => [incident.id, incident]));
	const rows: IncidentRow[] = [];
	for (const popup of failover.popups) {
		rows.push(popupRow(popup, byId.get(popup.incidentId)));
		byId.delete(popup.incidentId);
	}
	for (const consent of failover.consents) {
		const own = [...byId.values()].find((incident) => isOfConsent(incident, consent));
		rows.push(consentRow(consent, own));
		if (own) byId.delete(own.id);
	}
	for (const incident of byId.values()) rows.push(plainRow(incident, chains));
	const open = rows.filter(({ incident }) => incident.endedAt === null);
	const ended = rows.filter(({ incident }) => incident.endedAt !== null);
	return { open: open.sort(byNeed), ended: ended.sort((a, b) => byAge(b, a)) };
}

function plainRow(incident: Incident, chains: readonly ModelChainView[]): IncidentRow {
	return {
		incident,
		state: stateOf(incident),
		asks: incident.endedAt === null && incident.severity === 'urgent',
		answer: chainPlace(incident, chains),
		isQuestion: false,
	};
}

function popupRow(popup: FailoverPopup, own: Incident | undefined): IncidentRow {
	const incident: Incident = {
		decisions: [],
		count: 1,
		severity: 'urgent',
		agentId: null,
		...own,
		id: popup.incidentId,
		kind: 'failover',
		title: own?.title ?? popup.sentence,
		detail: own?.detail ?? popup.detail,
		openedAt: own?.openedAt ?? popup.openedAt,
		updatedAt: Math.max(own?.updatedAt ?? 0, popup.updatedAt),
		// As long as it can be answered it is not over.
		endedAt: null,
		endReason: null,
	};
	const answer = { kind: 'popup', id: popup.id } as const;
	return { incident, state: stateOf(incident), asks: isAsking(popup), answer, isQuestion: true };
}

function consentRow(consent: ConsentView, own: Incident | undefined): IncidentRow {
	const place = consent.directory === '' ? '' : ` Directory: ${consent.directory}.`;
	const incident: Incident = own ?? {
		id: consent.id,
		kind: 'consent',
		severity: 'urgent',
		title: `${consent.agentName} wants your consent for ${consent.tool}`,
		detail: `${consent.why} Command: ${consent.target}${place === '' ? '' : `.${place}`}`,
		agentId: consent.agentId,
		openedAt: consent.askedAt,
		updatedAt: consent.askedAt,
		count: 1,
		endedAt: null,
		endReason: null,
		decisions: [],
	};
	const answer = { kind: 'consent', id: consent.id } as const;
	return { incident, state: stateOf(incident), asks: true, answer, isQuestion: true };
}

/** The engine's own incident of a question, if it keeps one. */
function isOfConsent({ id, kind, agentId, openedAt, endedAt }: Incident, consent: ConsentView): boolean {
	if (endedAt !== null) return false;
	return (
		id === consent.id || (kind === 'consent' && agentId === consent.agentId && openedAt === consent.askedAt)
	);
}

/** The card of a limit. An incident names its model at the head of its title. */
function chainPlace({ kind, title }: Incident, chains: readonly ModelChainView[]): AnswerPlace | null {
	if (kind !== 'rate-limit' && kind !== 'spend-limit') return null;
	const names = ({ preferredModel, spendLimit }: ModelChainView) =>
		kind === 'spend-limit' && spendLimit !== null ? spendLimit.model : preferredModel;
	const chain = chains.find((one) => title.startsWith(`${names(one)} `));
	return { kind: 'chain', chainId: chain?.id ?? null };
}

/** What can be said of where an incident is in its life. */
export function stateOf({
	kind,
	openedAt,
	updatedAt,
	count,
	endedAt,
	endReason,
	decisions,
}: Incident): IncidentState {
	if (endedAt === null) return count > 1 || updatedAt > openedAt ? 'updated' : 'open';
	const reason = endReason?.toLowerCase() ?? '';
	const last = decisions.at(-1)?.by;
	if (reason.startsWith('dismissed')) return 'dismissed';
	if (last === 'time' || /\bexpired\b|\bnobody answered\b/.test(reason)) return 'expired';
	// A question does not recover: it is answered, or whoever asked has left.
	if (kind === 'consent') return last === 'operator' ? 'answered' : 'ended';
	if (reason === '' || reason.includes('the floor was restarted')) return 'ended';
	return 'recovered';
}

function byNeed(a: IncidentRow, b: IncidentRow): number {
	const rank = ({ asks, incident }: IncidentRow) => (asks ? -1 : severities.indexOf(incident.severity));
	return rank(a) - rank(b) || byAge(a, b);
}

/** The oldest first; the id makes the order total. */
function byAge({ incident: a }: IncidentRow, { incident: b }: IncidentRow): number {
	return a.openedAt - b.openedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

export interface IncidentFilter {
	/** `null`: all. */
	readonly kind: string | null;
	readonly agentId: string | null;
	readonly lifecycle: 'all' | 'open' | 'ended';
	readonly words: string;
}

export const noFilter: IncidentFilter = { kind: null, agentId: null, lifecycle: 'all', words: '' };

export function isFiltered({ kind, agentId, lifecycle, words }: IncidentFilter): boolean {
	return kind !== null || agentId !== null || lifecycle !== 'all' || words.trim() !== '';
}

/** `nameOf`: what an agent is called; empty when not known. */
export function filteredRows(
	{ open, ended }: IncidentRows,
	{ kind, agentId, lifecycle, words }: IncidentFilter,
	nameOf: (agentId: string) => string,
): IncidentRows {
	const matches = ({ incident, state }: IncidentRow): boolean => {
		if (kind !== null && incident.kind !== kind) return false;
		if (agentId !== null && incident.agentId !== agentId) return false;
		const { title, detail, endReason, decisions, severity } = incident;
		const name = incident.agentId === null ? '' : nameOf(incident.agentId);
		const said = decisions.map((decision) => decision.words);
		const own = [incidentKindWords(incident.kind), severityWords[severity], state];
		return hasAllWords([title, detail, endReason ?? '', name, ...own, ...said], words);
	};
	return {
		open: lifecycle === 'ended' ? [] : open.filter(matches),
		ended: lifecycle === 'open' ? [] : ended.filter(matches),
	};
}

/** Since when nothing has needed the operator: the last end of what did, else the start of the floor; ms. */
export function quietSince({ ended }: Pick<IncidentRows, 'ended'>, startedAt: number): number {
	const ends = ended
		.filter(({ incident }) => incident.severity !== 'info')
		.map(({ incident }) => incident.endedAt ?? 0);
	return ends.reduce((latest, end) => Math.max(latest, end), startedAt);
}

export interface IncidentHistory {
	readonly incidents: readonly Incident[];
	/** There are older ones. */
	readonly more: boolean;
	/** Before when the next page is read, ms; `null`: from the newest on. */
	readonly before: number | null;
}

export const noHistory: IncidentHistory = { incidents: [], more: true, before: null };

/** With one more page. What is known twice is kept once. */
export function withPage(
	known: IncidentHistory,
	page: { readonly incidents: readonly Incident[]; readonly more: boolean },
): IncidentHistory {
	const ids = new Set(known.incidents.map(({ id }) => id));
	const fresh = page.incidents.filter(({ id }) => !ids.has(id));
	const incidents = [...known.incidents, ...fresh];
	const oldest = incidents.reduce(
		(least, { openedAt }) => Math.min(least, openedAt),
		Number.POSITIVE_INFINITY,
	);
	// Others of the same millisecond may be on the next page; where none was, it goes on below.
	const before = incidents.length === 0 ? null : oldest + (fresh.length > 0 ? 1 : 0);
	return { incidents, more: page.more, before };
}

export const severityWords: Readonly<Record<Incident['severity'], string>> = {
	urgent: 'Urgent',
	attention: 'Attention',
	info: 'For your information',
};

const kindWords: Readonly<Record<string, string>> = {
	failover: 'Lost provider',
	consent: 'Consent',
	'rate-limit': 'Rate limit',
	'spend-limit': 'Spending limit',
	'agent-stopped': 'Stopped agent',
	'unreadable-hook': 'Unreadable hook',
	'late-decision': 'Late refusal',
	'late-beat': 'Late beat',
	transcript: 'Unreadable log',
	'hook-problem': 'Hook problem',
	'model-file': 'State file of models',
	storage: 'Storage',
	settings: 'Settings file',
};

/** What kind of incident it is; a kind that is not known keeps its own name. */
export function incidentKindWords(kind: string): string {
	const known = Object.hasOwn(kindWords, kind) ? kindWords[kind] : undefined;
	if (known !== undefined) return known;
	const words = kind.replaceAll('-', ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

export const deciderWords: Readonly<Record<IncidentDecision['by'], string>> = {
	operator: 'by you',
	engine: 'by the engine',
	time: 'by time',
};
