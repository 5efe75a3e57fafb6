/** A turn's call of its provider. */
import type { CallOutcome, CallTicket } from '../failover/call.ts';
import type { Failure } from '../failover/desk.ts';
import { isRedirect } from './answer-form.ts';
import type { AttemptEnd } from './attempt-contract.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { modelMark } from './model-name.ts';
import { bodyForModel } from './model-request.ts';
import type { ProviderWords } from './provider-words.ts';
import { isOwnAddress, targetOf } from './target.ts';
import { notStreamed } from './try-words.ts';
import { type Again, neutral, type TurnState } from './turn-state.ts';
import { limitedLabel, loop, nameOf, restartLabel, standInLabel } from './words.ts';

const SILENT: ReadonlySet<string> = new Set(['empty_answer', 'unreadable_answer']);

/** `null`: the turn is over. `next-model`: that one was limited, another may take it. The ticket is settled exactly once. */
export async function askProvider(
	state: TurnState,
	ticket: CallTicket,
	{ known, abandon }: Again,
): Promise<Failure | 'next-model' | null> {
	const { answer, turn, options, times, said } = state;
	const { facts, protocol } = turn;
	// Read anew at every try: the operator may have corrected the address while the turn was held.
	const { providers, failover } = options.settings();
	const provider = providers.find(({ id }) => id === facts.providerId);
	if (provider === undefined || isOwnAddress(provider.baseUrl, options.ownPort())) {
		options.desk.settle(ticket, neutral);
		if (provider === undefined) state.giveUp('provider-gone', known ?? nothingKnown);
		else {
			answer.error(loop(provider));
			state.end({ kind: 'failed' });
		}
		return null;
	}
	const seat = state.seat.take();
	if (seat.kind === 'none') {
		options.desk.settle(ticket, neutral);
		state.nothingStandsIn(seat);
		return null;
	}
	const { model, isStandIn } = seat;
	const marks = [...modelMark(model), 'x-agent-floor-served-by', 'cloud'];
	let isSettled = false;
	const settle = (outcome: CallOutcome): void => {
		if (!isSettled) state.tell(() => options.desk.settle(ticket, outcome));
		isSettled = true;
	};
	// Others wait for this one: a provider that answers has passed its trial, however long the answer is.
	const passTrial = (): void => {
		if (ticket.isTrial) settle({ ...neutral, kind: 'ok', status: 200 });
	};
	answer.waitSilently();
	const end = await state.attempt({
		request: {
			target: targetOf(provider.baseUrl, turn.path),
			method: 'POST',
			headers: requestHeaders(turn.headers, isStandIn),
			body: isStandIn ? bodyForModel(turn.plain, model) : turn.body,
			headersTimeoutMs: times.headersTimeoutMs,
			idleTimeoutMs: times.idleTimeoutMs,
		},
		name: nameOf(provider),
		asked: { harness: 'cloud', at: provider.id, model },
		marks,
		relay: {
			localModel: null,
			label: isStandIn && answer.begun && failover.labelAnswers ? standInLabel(facts.model, model) : '',
		},
		// What broke off before this try was a connection, or a model that reached its limit.
		restartLabel:
			isStandIn && known === null
				? limitedLabel(facts.model, model)
				: restartLabel(isStandIn || state.wasStoodIn ? model : null, provider),
		// Anthropic's streams carry pings; OpenAI's are silent while a model thinks.
		silence: {
			limitMs: times.streamSilenceMs,
			from: protocol.id === 'anthropic-messages' ? 'head' : 'content',
		},
		abandon,
		onGoodHead: passTrial,
		onAnswering: () => {
			state.tellServed('cloud', provider.id, model);
			state.seat.answering();
			passTrial();
		},
	});
	settle(end.kind === 'unwanted' ? neutral : end.outcome);
	// Thinking cannot be restarted: the client hears of the limit, asks again, and gets the next model then.
	const goesOn = state.seat.settle(end) && !state.isThinkingOnly;
	if (state.over) return null;
	if (end.kind === 'unwanted') return known;
	const isGood = end.outcome.kind === 'ok';
	// What a stand-in says of a request that was not made for it is of no use to the client.
	if (!isStandIn || !goesOn) hear(said, end);
	if (!isStandIn && goesOn) hear(state.limitSaid, end);
	if (goesOn) {
		const next = state.seat.take();
		if (next.kind === 'ask') return 'next-model';
		state.nothingStandsIn(next);
		return null;
	}
	const failure = state.failed(end);
	if (failure) return failure;
	if (end.kind === 'whole' && isGood && !answer.begun) {
		state.tellServed('cloud', provider.id, model);
		answer.whole(end.head.status, [...responseHeaders(end.head.headers), ...marks], end.body);
	} else if (end.kind !== 'delivered' && !said.pass(answer)) {
		// Our own doing (no file handles, a header that cannot be sent): said as it is.
		answer.error({
			status: 502,
			kind: 'unavailable',
			message: `${end.detail || notStreamed(provider)} Ask again.`,
		});
	}
	state.end(isGood ? { kind: 'answered', harness: 'cloud', at: provider.id, model } : { kind: 'failed' });
	return null;
}

const nothingKnown: Failure = { cause: 'provider-error', outcome: neutral, detail: '', cutMidAnswer: false };

function hear(words: ProviderWords, end: AttemptEnd): void {
	if (end.kind === 'whole' && end.outcome.kind !== 'ok' && saysSomething(end)) words.hear(end.head, end.body);
	if (end.kind === 'broken' && end.error && end.head) words.hearEvent(end.head, end.error);
}

/** A 200 that is empty or broken off would look like an answer, and a redirect would lead the client past the floor. */
function saysSomething({ answer, head }: AttemptEnd & { readonly kind: 'whole' }): boolean {
	return !isRedirect(head.status) && !SILENT.has(answer?.error?.type ?? '');
}
