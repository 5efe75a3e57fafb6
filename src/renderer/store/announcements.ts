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

/** Nothing for the first snapshot: what was already so is on screen, not news. */
export function announcementsBetween(before: FloorPicture, after: FloorPicture): Announcement[] {
	if (before.status.value === null) return [];
	const said = [...failoverAnnouncements(before, after), ...modelAnnouncements(before, after)];
	if (before.agents === after.agents) return said;
	said.push(...capAnnouncements(before, after));
	for (const [id, { value }] of after.agents) {
		const known = before.agents.get(id)?.value ?? null;
		if (value === null || value === known) continue;
		const announcement = announcementOf(known, value);
		if (announcement) said.push(announcement);
	}
	return said;
}

/** A cap that was reached, once: an agent's own with its name, the floor's once for all whom it meets. */
function capAnnouncements(before: FloorPicture, after: FloorPicture): Announcement[] {
	const known = reachedCaps(before);
	return [...reachedCaps(after)]
		.filter(([cap]) => !known.has(cap))
		.map(([, text]) => ({ urgency: 'polite', text }));
}

/** What is said of each cap that is passed now, by whose it is. A cap that was raised is another one. */
function reachedCaps({ agents }: FloorPicture): Map<string, string> {
	const reached = new Map<string, string>();
	for (const [id, { value }] of agents) {
		if (value === null) continue;
		const name = visibleText(value.name, { limit: NAME_LIMIT });
		for (const { arm, cap } of passedCaps(value)) {
			const own = arm === 'agent-token-cap';
			const whose = own ? name : 'The floor';
			reached.set(`${arm} ${cap} ${own ? id : ''}`, `${whose} has passed its cap of ${capWords(arm, cap)}`);
		}
	}
	return reached;
}

function announcementOf(before: AgentView | null, after: AgentView): Announcement | null {
	const name = visibleText(after.name, { limit: NAME_LIMIT });
	const standing = before?.standing ?? 'healthy';
	if (after.state.kind !== 'exited' && after.standing === 'stopped' && standing !== 'stopped') {
		if (isHeld(after)) return { urgency: 'assertive', text: `${name} is held by your order` };
		const reason = after.order ? 'by your order' : after.levelReason;
		return { urgency: 'assertive', text: sentence(`${name} is stopped`, reason) };
	}
	if (groupOf(after) === 'needs-you' && (before === null || groupOf(before) !== 'needs-you')) {
		return { urgency: 'assertive', text: sentence(`${name} waits for you`, after.state.reason) };
	}
	const level = before?.level ?? 'healthy';
	if (after.level === level) return null;
	const change = after.level === 'healthy' ? `${name} is healthy again` : `${name} is ${after.level}`;
	// That a cap was reached, and which, is announced once, by itself.
	const reason = trippedCap(after) === null ? after.levelReason : '';
	return { urgency: 'polite', text: sentence(change, reason) };
}

function sentence(what: string, why: string): string {
	return why === '' ? what : `${what}: ${visibleText(why, { limit: REASON_LIMIT })}`;
}
