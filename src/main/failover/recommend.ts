/**
 * Which local model goes on with the turns that a lost provider left behind, and why (seed 003, section 3.2). Pure and
 * from memory: nothing is probed or embedded while a person waits.
 */
import type { DeviceFit, LocalServerView, ModelFit } from '../../shared/capability.ts';
import type { Activity, Candidate, ScorePart } from '../../shared/failover-view.ts';
import { compactNumber } from '../../shared/format.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import {
	GATES,
	type GateFailure,
	type GateOptions,
	gateFailures,
	neededTokens,
	surelyInUse,
	type TurnNeeds,
} from './local-gates.ts';

/** What became of the answers of one model in one workspace: counted from its turns, kept on this machine. */
export interface Acceptance {
	readonly accepted: number;
	readonly total: number;
}

export interface RecommendInput {
	readonly models: readonly ModelFit[];
	/** A model is a candidate when it can take every one of them. */
	readonly turns: readonly TurnNeeds[];
	/** `null`: the model was never used there. */
	readonly acceptance: (workspace: string, modelId: string) => Acceptance | null;
	/** A model of a server that is known not to run is no candidate. */
	readonly servers?: readonly LocalServerView[];
	/** Models that failed in this incident, with what happened. */
	readonly failed?: ReadonlyMap<string, string>;
}

export interface Recommendation {
	/** Best first; the first is the one that is recommended. */
	readonly candidates: Candidate[];
	/** Nearest first. */
	readonly excluded: Candidate[];
	/** For the card; empty without a candidate. */
	readonly recommendation: string;
	/** Why nothing local can go on, and what would cure it; empty with a candidate. */
	readonly refusal: string;
}

/** Shares of the score. Device and task decide; what happened before tips the scales; context is a gate first. */
const WEIGHTS = { context: 0.1, device: 0.3, task: 0.35, history: 0.25 } as const;

export function recommend(input: RecommendInput): Recommendation {
	const options = { servers: input.servers ?? [], failed: input.failed ?? new Map<string, string>() };
	const judged = input.models.map((model) => judge(model, input, options));
	const fit = judged.filter(({ failures }) => failures.length === 0).sort(betterFirst);
	const unfit = judged.filter(({ failures }) => failures.length > 0).sort(nearerFirst);
	const best = fit[0];
	return {
		candidates: fit.map(({ candidate }) => candidate),
		excluded: unfit.map(({ candidate }) => candidate),
		recommendation: best ? recommendationText(best.candidate) : '',
		refusal: best ? '' : refusalText(unfit[0] ?? null, input.turns.length),
	};
}

/** Why this model cannot take this turn, with the cure; `null` when it can. */
export function whyNot(model: ModelFit, turn: TurnNeeds, options: GateOptions): string | null {
	return reasonsOf(gateFailures(model, [turn], options));
}

interface Judged {
	readonly candidate: Candidate;
	readonly model: ModelFit;
	readonly failures: readonly GateFailure[];
}

function judge(model: ModelFit, { turns, acceptance }: RecommendInput, options: GateOptions): Judged {
	const failures = gateFailures(model, turns, options);
	const parts =
		failures.length > 0
			? []
			: [
					contextPart(model, turns),
					devicePart(model),
					taskPart(model, turns),
					historyPart(model, turns, acceptance),
				];
	const sum = parts.reduce((total, { part, score }) => total + WEIGHTS[part] * score, 0);
	const candidate: Candidate = {
		modelId: model.id,
		serverId: model.serverId,
		model: model.model,
		// As people see it: what looks equal is equal, and a loaded model wins it.
		score: Math.round(sum * 100) / 100,
		parts,
		cold: model.loaded === false,
		excluded: reasonsOf(failures),
	};
	return { candidate, model, failures };
}

function reasonsOf(failures: readonly GateFailure[]): string | null {
	return failures.length === 0 ? null : failures.map(({ reason }) => reason).join(' ');
}

function contextPart(model: ModelFit, turns: readonly TurnNeeds[]): ScorePart {
	const need = Math.max(0, ...turns.map((turn) => neededTokens(turn)));
	const { tokens, isLeast } = surelyInUse(model);
	const share = tokens === null || tokens <= 0 ? 1 : need / tokens;
	return {
		part: 'context',
		// Half empty or better is as good as it gets; a full one leaves no room for the turns after this.
		score: Math.min(1, Math.max(0.5, 1.5 - share)),
		why: `holds this conversation: ${compactNumber(need)} of ${isLeast ? 'at least ' : ''}${compactNumber(tokens ?? 0)} tokens`,
	};
}

const DEVICE: Readonly<Record<DeviceFit, { readonly score: number; readonly why: string }>> = {
	COMFORTABLE: { score: 1, why: 'fits this machine' },
	TIGHT: { score: 0.6, why: 'barely fits this machine' },
	UNKNOWN: { score: 0.3, why: 'fit not known' },
	OVER: { score: 0, why: 'does not fit this machine' },
};

function devicePart({ fit, fitReason }: ModelFit): ScorePart {
	const { score, why } = DEVICE[fit];
	return { part: 'device', score, why: clauseOf(fitReason) ?? why };
}

/** "Fits your GPU: about 19 GB of 24 GB." → "fits your GPU": who measured it knows where it fits. */
function clauseOf(reason: string): string | null {
	const [clause, numbers] = reason.split(':', 2);
	if (!clause || numbers === undefined || clause.length > 40) return null;
	return `${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
}

function taskPart(model: ModelFit, turns: readonly TurnNeeds[]): ScorePart {
	const tasks =
		turns.length === 0 ? [taskOf(model, 'other')] : turns.map((turn) => taskOf(model, turn.activity));
	const worst = tasks.reduce((least, task) => (task.score < least.score ? task : least));
	const unknown = [
		...(model.tools === null && turns.some(({ offersTools }) => offersTools)
			? ['whether it can call tools is not known']
			: []),
		...(model.serverKind === 'openai' && turns.some(({ protocol }) => protocol !== 'openai-chat')
			? ["whether its server speaks this agent's protocol is not known"]
			: []),
	];
	return {
		part: 'task',
		score: worst.score * 0.6 ** unknown.length,
		why: [worst.why, ...unknown].join(', '),
	};
}

/** Planning needs reasoning, bulk edits need instruction. */
function taskOf({ tags }: ModelFit, activity: Activity): { readonly score: number; readonly why: string } {
	const reasons = tags.includes('reasoning');
	const instructed = tags.includes('instruction');
	if (tags.length === 0) return { score: 0.4, why: 'what it is good for is not known' };
	switch (activity) {
		case 'planning':
			return reasons
				? { score: 1, why: 'handles planning tasks' }
				: { score: 0.4, why: 'not made for planning tasks' };
		case 'editing':
			return instructed ? { score: 1, why: 'handles edits' } : { score: 0.5, why: 'not made for bulk edits' };
		case 'other':
			return instructed
				? { score: 0.9, why: 'follows instructions' }
				: { score: 0.8, why: 'reasons before it answers' };
	}
}

/** With one kept and one rejected answer assumed before the first: a single answer decides nothing. */
function historyPart(
	model: ModelFit,
	turns: readonly TurnNeeds[],
	acceptance: RecommendInput['acceptance'],
): ScorePart {
	let accepted = 0;
	let total = 0;
	for (const workspace of new Set(turns.map((turn) => turn.workspace))) {
		const known = acceptance(workspace, model.id);
		accepted += known?.accepted ?? 0;
		total += known?.total ?? 0;
	}
	return {
		part: 'history',
		score: (accepted + 1) / (total + 2),
		why:
			total === 0
				? 'not used here yet'
				: `${accepted} of ${total} ${total === 1 ? 'answer was' : 'answers were'} kept here`,
	};
}

/** Loaded before not known before cold, then by name: the same models give the same order whatever order they come in. */
function betterFirst(left: Judged, right: Judged): number {
	return (
		right.candidate.score - left.candidate.score ||
		warmth(right.model) - warmth(left.model) ||
		byId(left.model, right.model)
	);
}

function warmth({ loaded }: ModelFit): number {
	return loaded === null ? 1 : loaded ? 2 : 0;
}

function nearerFirst(left: Judged, right: Judged): number {
	return (
		left.failures.length - right.failures.length ||
		distance(left) - distance(right) ||
		byId(left.model, right.model)
	);
}

function distance({ failures }: Judged): number {
	return Math.max(...failures.map(({ gate }) => GATES.indexOf(gate)));
}

function byId({ id: left }: ModelFit, { id: right }: ModelFit): number {
	return left < right ? -1 : left > right ? 1 : 0;
}

function recommendationText({ model, parts, cold }: Candidate): string {
	const clause = (wanted: ScorePart['part']): string | undefined =>
		parts.find(({ part }) => part === wanted)?.why;
	const history = parts.find(({ part }) => part === 'history');
	const clauses = [clause('device'), clause('task')];
	if (history?.why.includes(' kept here')) clauses.push(history.why);
	const load = cold ? ' It is loaded first, which takes a while.' : '';
	return `Continue locally with ${named(model)}: ${clauses.join(', ')}.${load} Your conversation carries over.`;
}

function refusalText(nearest: Judged | null, turns: number): string {
	const what = turns > 1 ? `these ${turns} turns` : 'this turn';
	if (nearest === null) {
		return `No local model can take ${what}: none was found on this machine. Start a local server with a model, queue ${turns > 1 ? 'them' : 'it'} for retry, or wait for the network.`;
	}
	const { candidate } = nearest;
	return `No local model can take ${what} as things are. The nearest is ${named(candidate.model)}: ${candidate.excluded ?? ''} Until then, queue ${turns > 1 ? 'them' : 'it'} for retry or wait for the network.`;
}

function named(model: string): string {
	return visibleText(model, { limit: 80 });
}
