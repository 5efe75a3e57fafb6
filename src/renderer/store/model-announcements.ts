/** What a screen reader is told of limited models. Pure. */
import { standingOf, withoutMoney } from '../../shared/attention.ts';
import { limitWords, modelName } from '../../shared/model-words.ts';
import { emptyModelsView, type ModelChainView } from '../../shared/models-view.ts';
import type { FloorPicture } from '../../shared/picture.ts';
import type { Announcement } from './announcer.ts';

/**
 * Money that ran out interrupts, since only a person helps; a limit, its end and a chain that is limited whole wait their
 * turn. A test call is not announced: its end is.
 */
export function modelAnnouncements(before: FloorPicture, after: FloorPicture): Announcement[] {
	// Another start of the engine restores what was so already.
	if (before.epoch !== after.epoch || before.models === after.models) return [];
	const was = before.models.value ?? emptyModelsView;
	const is = after.models.value ?? emptyModelsView;
	const said = is.chains.flatMap((chain) => {
		const known = was.chains.find(({ id }) => id === chain.id);
		return [...moneySaid(known, chain, after.at), ...limitSaid(known, chain, after.at)];
	});
	// A model may stand in several chains.
	return said.filter(({ text }, at) => said.findIndex((other) => other.text === text) === at);
}

function moneySaid(before: ModelChainView | undefined, after: ModelChainView, now: number): Announcement[] {
	if (after.spendLimit === null || before?.spendLimit) return [];
	return [{ urgency: 'assertive', text: limitWords(after, now) }];
}

function limitSaid(before: ModelChainView | undefined, after: ModelChainView, now: number): Announcement[] {
	const is = withoutMoney(after);
	const standing = standingOf(is);
	const was = before === undefined ? 'preferred' : standingOf(withoutMoney(before));
	if (standing === was) return [];
	const wasClosed = before === undefined || before.state === 'closed';
	if (standing === 'exhausted' || (wasClosed && after.state !== 'closed'))
		return [{ urgency: 'polite', text: limitWords(is, now) }];
	if (!wasClosed && after.state === 'closed')
		return [
			{ urgency: 'polite', text: `${modelName(after.preferredModel)} has recovered and is used again` },
		];
	if (was === 'exhausted' && after.modelInUse !== null)
		return [{ urgency: 'polite', text: `${modelName(after.modelInUse)} is free again and is used` }];
	return [];
}
