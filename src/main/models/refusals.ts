/** What the breakers cannot do, in words that say what it means and what to do. */
import { ChannelError } from '../../shared/channels.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { ModelChain } from './model-desk.ts';

export function unknownChain(): ChannelError {
	return new ChannelError({
		code: 'invalid-argument',
		message: 'There is no such model chain (any more).',
		meaning: 'Nothing was done; the agents go on as before.',
		remedy: 'Look at the chains again: the settings or a state file have changed them.',
	});
}

export function nothingToHoldOn({ preferredModel }: ModelChain): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: `No fallback may stand in for ${visibleText(preferredModel)}, so it cannot be held back.`,
		meaning: 'Nothing was done; its calls go on as before.',
		remedy: 'Add a fallback to the chain in the settings, one that is not of a costlier category.',
	});
}

export function heldBack({ preferredModel }: ModelChain): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: `${visibleText(preferredModel)} is held back, so no call tests it.`,
		meaning: 'The chain stays on its fallback.',
		remedy: 'Release the hold first.',
	});
}

export function noModelNamed(): ChannelError {
	return new ChannelError({
		code: 'invalid-argument',
		message: 'No model was named, and neither the settings nor a state file have a model chain.',
		meaning: 'The loop got no model.',
		remedy: 'Name the preferred model, or add a chain to the settings.',
	});
}
