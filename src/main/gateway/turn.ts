/**
 * One model request from the agent to the end of its answer. Read it top to bottom: refusal, route, a try at the
 * provider or a local model, and, as long as the provider is lost, hold, decide, try again.
 */
import { ChannelError } from '../../shared/channels.ts';
import type { Failure, HeldDecision, Route } from '../failover/desk.ts';
import { askLocal } from './ask-local.ts';
import { askProvider } from './ask-provider.ts';
import type { ClientAnswer } from './client-answer.ts';
import type { GatewayOptions } from './options.ts';
import { notQueued } from './try-words.ts';
import { keptRequest, type TurnRequest } from './turn-request.ts';
import { neutral, TurnState } from './turn-state.ts';
import { askAgain } from './words.ts';

type Decision<Kind extends HeldDecision['kind']> = HeldDecision & { readonly kind: Kind };
type Step = Route | Decision<'provider' | 'local'>;

/** A turn that the outbox refused this often is given back. */
const MOST_REFUSALS = 3;

/** Resolves when the turn is over. Rejects only for a fault of the floor's own. */
export async function runTurn(
	options: GatewayOptions,
	turn: TurnRequest,
	answer: ClientAnswer,
): Promise<void> {
	const state = new TurnState(options, turn, answer);
	try {
		await run(state);
	} catch (error) {
		// Nobody may be left waiting for a turn that is gone.
		state.end({ kind: 'failed' });
		throw error;
	}
}

async function run(state: TurnState): Promise<void> {
	if (state.over || state.refuse()) return;
	let step: Step = state.options.desk.route(state.turn.facts);
	let failure: Failure | null = null;
	for (;;) {
		const came: Failure | 'next-model' | null = await take(state, step, failure);
		if (state.over || came === null) return;
		if (came === 'next-model') {
			if (state.refuse()) return;
			step = state.options.desk.route(state.turn.facts);
			// What broke off last was no connection.
			failure = null;
			continue;
		}
		failure = came;
		state.leaveSeat();
		if (state.turn.facts.isAuxiliary) return state.giveUp('auxiliary', failure);
		const next = await nextStep(state, failure);
		if (next === null) return;
		step = next;
	}
}

/** Holds the turn until there is something to try. `null`: it is over. */
async function nextStep(state: TurnState, failure: Failure): Promise<Step | null> {
	let told = failure;
	for (let refusals = 0; ; ) {
		const decision = await decide(state, told);
		if (decision === null || !mayGoOn(state, decision)) return null;
		if (decision.kind === 'give-up') {
			state.giveUp(decision.why, told);
			return null;
		}
		if (decision.kind !== 'queued') return decision;
		const reason = await queue(state, decision);
		if (reason === null || state.over) return null;
		// Whoever asked for it is told why not, and decides anew; a decision that only repeats itself ends.
		told = { ...failure, detail: `${failure.detail} ${notQueued(reason)}` };
		refusals += 1;
		if (refusals === MOST_REFUSALS) {
			state.giveUp('not-queued', told);
			return null;
		}
	}
}

/** `null`: the turn is over. `known`: how the try before failed; that stands when this one is abandoned. */
async function take(
	state: TurnState,
	step: Step,
	known: Failure | null,
): Promise<Failure | 'next-model' | null> {
	const again = { known, abandon: 'abandon' in step ? step.abandon : undefined };
	if ('ticket' in step) return askProvider(state, step.ticket, again);
	state.leaveSeat();
	if ('model' in step) return askLocal(state, step.model, step.isFirst, again);
	state.failure = step.failure;
	return step.failure;
}

/** Waits for a person or for the provider; the client is kept alive meanwhile. `null`: it has left, or was stopped. */
async function decide(state: TurnState, failure: Failure): Promise<HeldDecision | null> {
	const { answer, options } = state;
	answer.keepAlive();
	let forget = (): void => {};
	const unwanted = new Promise<null>((resolve) => {
		forget = state.onUnwanted(undefined, () => resolve(null));
	});
	const next = state
		.hold()
		.next(failure)
		.catch((error: unknown): HeldDecision => {
			options.onUnexpected('gateway: a held turn', error);
			return { kind: 'give-up', why: 'hold-over' };
		});
	const decision = await Promise.race([next, unwanted]);
	forget();
	// A decision that comes after all may carry a ticket.
	if (decision === null) void next.then((late) => mayGoOn(state, late));
	return decision;
}

/** False: the client has left, the agent was stopped meanwhile, or the client was told to ask again. */
function mayGoOn(state: TurnState, decision: HeldDecision): boolean {
	const isTry = decision.kind === 'provider' || decision.kind === 'local';
	const isOver = state.over || state.refuse() || (isTry && toldToAskAgain(state));
	if (isOver && decision.kind === 'provider') state.options.desk.settle(decision.ticket, neutral);
	return !isOver;
}

/** Thinking cannot be restarted in the same stream; the choice holds for the session, so the next request gets it. */
function toldToAskAgain(state: TurnState): boolean {
	if (!state.isThinkingOnly) return false;
	state.answer.error(askAgain(state.turn.provider));
	state.end({ kind: 'failed' });
	return true;
}

/** First into the outbox, then the answer: what the agent is told is true. Returns why it could not be queued. */
async function queue(state: TurnState, { message }: Decision<'queued'>): Promise<string | null> {
	const { options, turn, answer } = state;
	try {
		await options.enqueue(turn.facts, keptRequest(turn));
	} catch (error) {
		// A rule of the outbox is no fault of the floor's.
		if (!(error instanceof ChannelError)) options.onUnexpected('gateway: the outbox', error);
		return reasonOf(error);
	}
	answer.refuse(message);
	state.end({ kind: 'queued' });
	return null;
}

/** The floor's own errors are written for people; others are only named. */
function reasonOf(error: unknown): string {
	const isForPeople =
		error instanceof ChannelError || (error instanceof Error && error.name === 'StoreError');
	return isForPeople ? error.message : 'Agent Floor itself failed on it; look at its incidents.';
}
