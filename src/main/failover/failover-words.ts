/** The sentences of failover: what happened, what it means for the agents, what comes next. They blame nobody. */
import { ChannelError } from '../../shared/channels.ts';
import type { FailureCause } from '../../shared/failover-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { Failure, TurnEnd } from './desk.ts';
import { sentence } from './sentence.ts';

/** The one sentence of the popup (seed 003, section 3.3). */
export function lossSentence(failure: Pick<Failure, 'cause' | 'outcome'>, provider: string): string {
	return sentence(lossWords(failure, provider));
}

function lossWords({ cause, outcome }: Pick<Failure, 'cause' | 'outcome'>, provider: string): string {
	switch (cause) {
		case 'network-lost':
			return `Network lost: ${provider} can't be reached.`;
		case 'breaker-open':
			return `${provider} is in trouble: calls to it are paused.`;
		case 'stream-cut':
			return `Answer cut off: the connection to ${provider} broke.`;
		case 'provider-error':
			return outcome.kind === 'timeout'
				? `${provider} does not answer.`
				: `${provider} can't answer: it reports an error${marks(outcome)}.`;
	}
}

function marks({ status, code }: Failure['outcome']): string {
	const parts = [status === null || status < 300 ? '' : String(status), visibleText(code, { limit: 60 })];
	const said = parts.filter((part) => part !== '').join(' ');
	return said === '' ? '' : ` (${said})`;
}

/** How specific a cause is: what is known of a failure is not overwritten by "calls are paused" that follows from it. */
export function isMoreSpecific(cause: FailureCause, than: FailureCause): boolean {
	return cause !== 'breaker-open' || than === 'breaker-open';
}

/** For the agent whose turn goes to the outbox, in its protocol's error form. */
export function queuedMessage(provider: string): string {
	return sentence(
		`${provider} can't be reached, and the operator queued this turn: it is in the outbox of Agent Floor and is sent when ${provider} answers again. Nothing was answered in its place and nothing of the conversation is lost. You can stop here; the answer will be shown in Agent Floor, or ask again later.`,
	);
}

/** Why a popup closed, when its last turn ended. */
export function whyEnded(end: TurnEnd): string {
	return end.kind === 'answered' && end.harness === 'local' ? continuedOn(end.model) : endWords[end.kind];
}

const endWords: Readonly<Record<TurnEnd['kind'], string>> = {
	barred: 'its agent was stopped',
	answered: 'the turn was answered',
	refused: 'the turn was refused',
	queued: 'queued for retry',
	failed: 'the turn was given back to its agent',
	'client-left': 'the agent left',
};

/** Why a popup closed, when a local model answers. */
export function continuedOn(model: string): string {
	return `continued on ${model}`;
}

/** Why a popup closed, or an incident ended. */
export const goneWords = 'the provider was taken out of the settings';
export const newAddressWords = 'the address of the provider was changed';

export function sessionsWords(count: number): string {
	return count === 1 ? '1 session goes on' : `${count} sessions go on`;
}

export function popupGone(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'This question is closed.',
		meaning: 'No turn waits for it any more; nothing was changed.',
		remedy: 'Look at the agent: its turn was answered, queued or given back to it.',
	});
}

export function modelGone(model: string): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: `The local model "${visibleText(model, { limit: 80 })}" is not there any more.`,
		meaning: 'The held turns still wait; nothing was switched.',
		remedy: 'Choose another model, or start its server and look again.',
	});
}

export function modelUnfit(model: string, reason: string): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: `${visibleText(model, { limit: 80 })} cannot take the held turn. ${reason}`,
		meaning: 'The held turns still wait; nothing was switched.',
		remedy: 'Choose another model, cure what is missing, or queue the turns for retry.',
	});
}

export function agentNotHeld(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'No turn of this agent waits here.',
		meaning: 'Turns of other agents still wait; nothing was changed.',
		remedy: 'Look at the agent: its turn was answered, queued or given back to it.',
	});
}

export function localForbidden(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'The settings say to wait for the provider.',
		meaning: 'The held turns still wait; nothing was switched.',
		remedy: 'Set "failover.policy" to "ask" or "local", then choose a model.',
	});
}

export function offerGone(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'This offer is gone.',
		meaning: 'The local answer stands as it is; nothing was replaced.',
		remedy: 'Ask the agent itself if you want the answer of another model.',
	});
}

export function offerBusy(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'The cloud was asked already.',
		meaning: 'Its answer will be shown beside the local one.',
		remedy: 'Wait for it, or dismiss the offer.',
	});
}
