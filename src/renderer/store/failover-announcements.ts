/** What a screen reader is told of lost providers, consents and tiers. Pure. */
import { isAsking } from '../../shared/attention.ts';
import { emptyFailoverView, type FailoverPopup } from '../../shared/failover-view.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { Announcement } from './announcer.ts';
import { endOf, settledBetween } from './decisions.ts';

const SENTENCE_LIMIT = 400;
const NAME_LIMIT = 60;
const COMMAND_LIMIT = 160;

/** A question interrupts; that it is over, and a tier, wait their turn. All being well again is not announced. */
export function failoverAnnouncements(before: FloorPicture, after: FloorPicture): Announcement[] {
	return [...questions(before, after), ...ends(before, after), ...tierChange(before, after)];
}

function questions(before: FloorPicture, after: FloorPicture): Announcement[] {
	if (before.failover === after.failover) return [];
	const was = before.failover.value ?? emptyFailoverView;
	const is = after.failover.value ?? emptyFailoverView;
	const asked = is.popups.filter((popup) => {
		const known = was.popups.find(({ id }) => id === popup.id);
		return !known || (isAsking(popup) && !isAsking(known));
	});
	const consents = is.consents.filter(({ id }) => !was.consents.some((known) => known.id === id));
	return [
		...asked.map((popup): Announcement => ({ urgency: 'assertive', text: popupText(popup) })),
		...consents.map(({ agentName, tool, target }): Announcement => {
			const name = visibleText(agentName, { limit: NAME_LIMIT });
			const call = visibleText(`${tool}: ${target}`, { limit: COMMAND_LIMIT });
			return { urgency: 'assertive', text: `${name} waits for your consent to run ${call}` };
		}),
	];
}

function popupText({ sentence, recommendation, refusal }: FailoverPopup): string {
	const text = [sentence, recommendation || refusal].filter((part) => part !== '').join(' ');
	// The announcer gives every text its end.
	return visibleText(text, { limit: SENTENCE_LIMIT }).replace(/\.$/, '');
}

function ends(before: FloorPicture, after: FloorPicture): Announcement[] {
	return settledBetween(before, after, new Set()).flatMap((settled): Announcement[] => {
		if (settled.kind === 'expired-consent') {
			const name = visibleText(settled.agentName, { limit: NAME_LIMIT });
			return [{ urgency: 'polite', text: `The question of ${name} expired, nothing was answered` }];
		}
		const end = endOf(after, settled.incidentId);
		if (end === null) return [];
		const reason = visibleText(end.endReason ?? 'over', { limit: COMMAND_LIMIT });
		return [{ urgency: 'polite', text: `Over: ${visibleText(settled.sentence)} ${reason}` }];
	});
}

function tierChange(before: FloorPicture, after: FloorPicture): Announcement[] {
	const was = before.status.value;
	const is = after.status.value;
	if (was === null || is === null || is.tier === was.tier || is.tier === 'NORMAL') return [];
	const why = visibleText(is.tierReason, { limit: SENTENCE_LIMIT });
	return [{ urgency: 'polite', text: why === '' ? `Tier ${is.tier}` : `Tier ${is.tier}: ${why}` }];
}
