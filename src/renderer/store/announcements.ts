/** What a screen reader is told of a change of the floor. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';
import { groupOf, isHeld } from '../../shared/attention.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { Announcement } from './announcer.ts';
import { capWords, passedCaps, trippedCap } from './caps.ts';
import { failoverAnnouncements } from './failover-announcements.ts';
import { modelAnnouncements } from './model-announcements.ts';

const NAME_LIMIT = 60;
const REASON_LIMIT = 160;

/**
 * Nothing for the first snapshot: what was already so is on screen, not news. An agent that only tells again what is
 * known says nothing either; those that did not change are passed over, whatever their number.
 */
export function announcementsBetween(before: FloorPicture, after: FloorPicture): Announcement[] {
	if (before.status.value === null) return [];
	const said = [...failoverAnnouncements(before, after), ...modelAnnouncements(before, after)];
	if (before.agents === after.agents) return said;
	const changed: AgentView[] = [];
	for (const [id, entry] of after.agents) {
		const { value } = entry;
		if (value !== null && value !== before.agents.get(id)?.value) changed.push(value);
	}
	said.push(...capAnnouncements(before, changed));
	for (const agent of changed) {
		const announcement = announcementOf(before.agents.get(agent.id)?.value ?? null, agent);
		if (announcement) said.push(announcement);
	}
	return said;
}

/** A cap that was reached, once: an agent's own with its name, the floor's once for all whom it meets. */
function capAnnouncements(before: FloorPicture, changed: readonly AgentView[]): Announcement[] {
	const reached = reachedCaps(changed);
	if (reached.size === 0) return [];
	const known = reachedCaps([...before.agents.values()].flatMap(({ value }) => value ?? []));
	return [...reached]
		.filter(([cap]) => !known.has(cap))
		.map(([, text]) => ({ urgency: 'polite', text, gist: 'over a cap' }));
}

/** What is said of each cap that is passed now, by whose it is. A cap that was raised is another one. */
function reachedCaps(agents: readonly AgentView[]): Map<string, string> {
	const reached = new Map<string, string>();
	for (const agent of agents) {
		for (const { arm, cap } of passedCaps(agent)) {
			const own = arm === 'agent-token-cap';
			const whose = own ? visibleText(agent.name, { limit: NAME_LIMIT }) : 'The floor';
			const text = `${whose} has passed its cap of ${capWords(arm, cap)}`;
			reached.set(`${arm} ${cap} ${own ? agent.id : ''}`, text);
		}
	}
	return reached;
}

function announcementOf(before: AgentView | null, after: AgentView): Announcement | null {
	const { id: agentId } = after;
	const name = visibleText(after.name, { limit: NAME_LIMIT });
	const standing = before?.standing ?? 'healthy';
	if (after.state.kind !== 'exited' && after.standing === 'stopped' && standing !== 'stopped') {
		if (isHeld(after))
			return { urgency: 'assertive', text: `${name} is held by your order`, agentId, gist: 'held' };
		const reason = after.order ? 'by your order' : after.levelReason;
		return { urgency: 'assertive', text: sentence(`${name} is stopped`, reason), agentId, gist: 'stopped' };
	}
	if (groupOf(after) === 'needs-you' && (before === null || groupOf(before) !== 'needs-you')) {
		const text = sentence(`${name} waits for you`, after.state.reason);
		return { urgency: 'assertive', text, agentId, gist: 'waiting for you' };
	}
	const level = before?.level ?? 'healthy';
	if (after.level === level) return null;
	const gist = after.level === 'healthy' ? 'healthy again' : after.level;
	// That a cap was reached, and which, is announced once, by itself.
	const reason = trippedCap(after) === null ? after.levelReason : '';
	return { urgency: 'polite', text: sentence(`${name} is ${gist}`, reason), agentId, gist };
}

function sentence(what: string, why: string): string {
	return why === '' ? what : `${what}: ${visibleText(why, { limit: REASON_LIMIT })}`;
}
