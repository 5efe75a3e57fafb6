/** What the client of a turn is told that no model can take: which is limited, until when, and what became of the others. */
import type { ProviderSettings } from '../../shared/failover-settings.ts';
import { minuteWords, spanWords } from '../../shared/format.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { FreeModel, NoSeat, Refusal } from './model-seat.ts';
import type { ProtocolError } from './protocol.ts';
import { nameOf, shownModel } from './words.ts';

const MOST_REFUSALS = 3;
const DETAIL_LIMIT = 200;

/** Said only where the provider itself said nothing of the asked model's limit. `now`: wall clock, ms. */
export function chainLimited(
	provider: ProviderSettings,
	model: string,
	{ free, refusals, wasAsked }: NoSeat,
	now: number,
): ProtocolError {
	const retryAfterSeconds = free === null ? null : Math.max(1, Math.ceil(free.waitMs / 1000));
	const others = refusals.length > 0 ? refused(refusals) : unavailable(wasAsked);
	const then = retryAfterSeconds === null ? 'ask again later' : `ask again in ${retryAfterSeconds} s`;
	const remedy = refusals.some(({ isTooLong }) => isTooLong)
		? `Make the conversation shorter, so that it fits, or ${then}.`
		: `Nothing of the conversation is lost: ${then}.`;
	return {
		status: 429,
		kind: 'rate-limited',
		message: `${shownModel(model)} is rate-limited at ${nameOf(provider)}${until(free, now)}. ${others} ${remedy}`,
		...(retryAfterSeconds !== null && { retryAfterSeconds }),
	};
}

function until(free: FreeModel | null, now: number): string {
	if (free === null) return '';
	const { model, waitMs, isAsked } = free;
	const when = minuteWords(now + waitMs, now);
	return isAsked
		? ` until ${when} (${spanWords(waitMs)} from now)`
		: `; ${shownModel(model)} can be asked first, at ${when} (${spanWords(waitMs)} from now)`;
}

function unavailable(wasAsked: boolean): string {
	const others = 'Nothing that may stand in for it can be asked now either';
	return wasAsked ? `${others}.` : `${others}, so Agent Floor did not send this request.`;
}

function refused(refusals: readonly Refusal[]): string {
	const told = refusals.slice(0, MOST_REFUSALS).map(({ model, detail, isTooLong }) => {
		const words = visibleText(detail, { limit: DETAIL_LIMIT });
		return `${shownModel(model)} (${isTooLong ? `the prompt is too long for it; ${words}` : words})`;
	});
	const more = refusals.length - told.length;
	const last = more > 0 ? `, and ${more} more` : '';
	return `What could stand in for it refused this request: ${told.join(', ')}${last}.`;
}
