/** A turn's call of a local model. */
import type { ModelFit } from '../../shared/capability.ts';
import type { Failure } from '../failover/desk.ts';
import type { AttemptEnd } from './attempt-contract.ts';
import { countsTokens, localRequest } from './local-request.ts';
import { modelMark } from './model-name.ts';
import { localSilent } from './try-words.ts';
import { keptRequest } from './turn-request.ts';
import { type Again, neutral, type TurnState } from './turn-state.ts';
import { localLabel, noTokenCount, restartLabel } from './words.ts';

/** `null`: the turn is over. `isFirst`: the first local answer of its session is labelled. */
export async function askLocal(
	state: TurnState,
	model: ModelFit,
	isFirst: boolean,
	{ known, abandon }: Again,
): Promise<Failure | null> {
	const { answer, turn, options, times } = state;
	const { facts, protocol, provider, readsAnswer } = turn;
	if (!readsAnswer && !countsTokens(model)) {
		answer.error(noTokenCount);
		state.end({ kind: 'failed' });
		return null;
	}
	const { localServers: servers, failover } = options.settings();
	// A whole answer has no sign of life before its end.
	const headersTimeoutMs = facts.isStream ? times.localSilenceMs : times.headersTimeoutMs;
	const local = localRequest({
		servers,
		ownPort: options.ownPort(),
		environment: options.environment,
		protocol,
		model,
		path: turn.path,
		json: turn.json,
		estimatedTokens: facts.estimatedTokens,
		isStream: facts.isStream,
		headersTimeoutMs,
		idleTimeoutMs: times.localSilenceMs,
	});
	if (!local.ok) return localFailed(state, model, local.problem);
	// Loading a model and reading a long prompt take their time.
	answer.keepAlive();
	const problem = await warmed(state, model, abandon);
	if (state.over || state.refuse()) return null;
	if (abandon?.aborted) return known;
	if (problem !== null) return localFailed(state, model, problem);
	const relay = {
		localModel: model.model,
		label: isFirst && failover.labelAnswers ? localLabel(model, provider) : '',
	};
	const marks = [...modelMark(model.model), 'x-agent-floor-served-by', 'local'];
	const end = await state.attempt({
		request: local.request,
		name: `The local model ${model.name}`,
		asked: { harness: 'local', at: model.serverId, model: model.model },
		marks,
		relay,
		restartLabel: restartLabel(model.name, provider),
		silence: { limitMs: times.localSilenceMs, from: 'head' },
		abandon,
		onAnswering: () => state.tellServed('local', model.serverId, model.model),
	});
	if (state.over) return null;
	if (end.kind === 'unwanted') return known;
	const silences: Readonly<Record<string, number>> = {
		UND_ERR_HEADERS_TIMEOUT: headersTimeoutMs,
		UND_ERR_BODY_TIMEOUT: times.localSilenceMs,
	};
	const silentMs = silences[end.outcome.code];
	if (silentMs !== undefined) return localFailed(state, model, localSilent(model, silentMs));
	if (end.outcome.kind !== 'ok' || end.kind === 'broken') return localFailed(state, model, detailOf(end));
	if (end.kind === 'whole') {
		if (answer.begun) return localFailed(state, model, `${model.name} did not stream its answer.`);
		state.tellServed('local', model.serverId, model.model);
		const body = readsAnswer ? protocol.labelAnswer(end.body, relay) : end.body;
		answer.whole(200, ['content-type', 'application/json', ...marks], body);
	}
	if (!facts.isAuxiliary) {
		options.turns.keep(facts.turnId, keptRequest(turn));
		options.desk.answeredLocally(facts, model, end.kind === 'whole' ? (end.answer?.text ?? '') : end.text);
	}
	state.end({ kind: 'answered', harness: 'local', at: model.serverId, model: model.model });
	return null;
}

/** Loads the model; why it cannot be loaded, in words. `null`: it is loaded, or nobody waits for it any more. */
async function warmed(
	state: TurnState,
	model: ModelFit,
	abandon: AbortSignal | undefined,
): Promise<string | null> {
	let forget = (): void => {};
	const unwanted = new Promise<null>((resolve) => {
		forget = state.onUnwanted(abandon, () => resolve(null));
	});
	const loaded = state.options.warm(model).then(
		() => null,
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
	const problem = await Promise.race([loaded, unwanted]);
	forget();
	return problem;
}

/** The provider's failure stays the one that counts; without one in this turn, nobody is blamed. */
function localFailed(state: TurnState, model: ModelFit, detail: string): Failure {
	if (!state.turn.facts.isAuxiliary) state.hold().localFailed(model.id, detail);
	const { failure, isCut: cutMidAnswer } = state;
	if (failure) return { ...failure, cutMidAnswer };
	return {
		cause: 'provider-error',
		outcome: { ...neutral, code: 'local_model_failed' },
		detail,
		cutMidAnswer,
	};
}

function detailOf(end: AttemptEnd): string {
	return end.kind === 'whole' || end.kind === 'broken' ? end.detail : 'Its answer could not be read.';
}
