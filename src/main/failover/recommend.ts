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
	needWords,
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

/**
 * Shares of the four parts in the score; they add up to 1. What a model is made for weighs most: a wrong one spoils the
 * work. How it sits on the machine comes next: a slow one is seen at once. What became of its answers here tips the
 * scales between two that are close. Context is a hard gate already; here it only prefers room for the turns to come.
 */
const WEIGHTS = { context: 0.1, device: 0.3, task: 0.35, history: 0.25 } as const;

/** A part with what it says for and against the model. */
interface JudgedPart extends ScorePart {
	/** For the card: "fits your GPU". */
	readonly pro: readonly string[];
	/** After "though": "it is not made for planning tasks". */
	readonly contra: readonly string[];
}

export function recommend(input: RecommendInput): Recommendation {
	const options = { servers: input.servers ?? [], failed: input.failed ?? new Map<string, string>() };
	const judged = input.models.map((model) => judge(model, input, options));
	const fit = judged.filter(({ failures }) => failures.length === 0).sort(betterFirst);
	const unfit = judged.filter(({ failures }) => failures.length > 0).sort(nearerFirst);
	const best = fit[0];
	return {
		candidates: fit.map(({ candidate }) => candidate),
		excluded: unfit.map(({ candidate }) => candidate),
		recommendation: best ? recommendationText(best) : '',
		refusal: best ? '' : refusalText(unfit[0] ?? null, input.turns.length),
	};
}

/** Why this model cannot take this turn, with the cure; `null` when it can. */
export function whyNot(model: ModelFit, turn: TurnNeeds, options: GateOptions): string | null {
	return reasonsOf(gateFailures(model, [turn], options));
}

interface Judged {
	readonly candidate: Candidate;
	readonly parts: readonly JudgedPart[];
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
		parts: parts.map(({ part, score, why }) => ({ part, score, why })),
		cold: model.loaded === false,
		excluded: reasonsOf(failures),
	};
	return { candidate, parts, model, failures };
}

function reasonsOf(failures: readonly GateFailure[]): string | null {
	return failures.length === 0 ? null : failures.map(({ reason }) => reason).join(' ');
}

function contextPart(model: ModelFit, turns: readonly TurnNeeds[]): JudgedPart {
	const [largest] = turns.toSorted((left, right) => neededTokens(right) - neededTokens(left));
	const { tokens, isLeast } = surelyInUse(model);
	const share = tokens === null || tokens <= 0 ? 1 : (largest ? neededTokens(largest) : 0) / tokens;
	const room = `${isLeast ? 'at least ' : ''}${compactNumber(tokens ?? 0)} tokens`;
	return {
		part: 'context',
		// Half empty or better is as good as it gets; a full one leaves no room for the turns after this.
		score: Math.min(1, Math.max(0.5, 1.5 - share)),
		why: largest ? `holds this conversation: ${needWords(largest)}, of ${room}` : `holds ${room}`,
		pro: ['holds this conversation'],
		contra: [],
	};
}

/** The seed's order; one that nobody could measure comes last of those that may run. */
const DEVICE: Readonly<Record<DeviceFit, { readonly score: number; readonly why: string }>> = {
	COMFORTABLE: { score: 1, why: 'fits this machine' },
	TIGHT: { score: 0.6, why: 'barely fits this machine' },
	UNKNOWN: { score: 0.3, why: 'fit not known' },
	OVER: { score: 0, why: 'does not fit this machine' },
};

function devicePart({ fit, fitReason }: ModelFit): JudgedPart {
	const { score, why: usual } = DEVICE[fit];
	const why = clauseOf(fitReason) ?? usual;
	const contra = fit === 'UNKNOWN' ? 'how well it fits this machine is not known' : `it ${why}`;
	const isGood = fit === 'COMFORTABLE';
	return { part: 'device', score, why, pro: isGood ? [why] : [], contra: isGood ? [] : [contra] };
}

/** "Fits your GPU: about 19 GB of 24 GB." → "fits your GPU": who measured it knows where it fits. */
function clauseOf(reason: string): string | null {
	const [clause, numbers] = reason.split(':', 2);
	if (!clause || numbers === undefined || clause.length > 40) return null;
	return `${clause.charAt(0).toLowerCase()}${clause.slice(1)}`;
}

function taskPart(model: ModelFit, turns: readonly TurnNeeds[]): JudgedPart {
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
		score: worst.score * UNKNOWN_SHARE ** unknown.length,
		why: [worst.why, ...unknown].join(', '),
		pro: worst.contra === null ? [worst.why] : [],
		contra: [...(worst.contra === null ? [] : [worst.contra]), ...unknown],
	};
}

/** What is left of the score for each thing that is not known of a model and that the turn needs. */
const UNKNOWN_SHARE = 0.6;

interface Task {
	readonly score: number;
	readonly why: string;
	/** As what speaks against it; `null`: it speaks for it. */
	readonly contra: string | null;
}

/** Planning needs reasoning, bulk edits need instruction (seed 003, section 3.2); not known is no better than wrong. */
function taskOf({ tags }: ModelFit, activity: Activity): Task {
	const reasons = tags.includes('reasoning');
	const instructed = tags.includes('instruction');
	if (tags.length === 0) {
		const why = 'what it is good for is not known';
		return { score: 0.4, why, contra: why };
	}
	switch (activity) {
		case 'planning':
			return reasons
				? { score: 1, why: 'handles planning tasks', contra: null }
				: { score: 0.4, why: 'not made for planning tasks', contra: 'it is not made for planning tasks' };
		case 'editing':
			return instructed
				? { score: 1, why: 'handles edits', contra: null }
				: { score: 0.5, why: 'not made for bulk edits', contra: 'it is not made for bulk edits' };
		case 'other':
			return instructed
				? { score: 0.9, why: 'follows instructions', contra: null }
				: { score: 0.8, why: 'reasons before it answers', contra: null };
	}
}

/** With one kept and one rejected answer assumed before the first: a single answer decides nothing. */
function historyPart(
	model: ModelFit,
	turns: readonly TurnNeeds[],
	acceptance: RecommendInput['acceptance'],
): JudgedPart {
	let accepted = 0;
	let total = 0;
	for (const workspace of new Set(turns.map((turn) => turn.workspace))) {
		const known = acceptance(workspace, model.id);
		accepted += known?.accepted ?? 0;
		total += known?.total ?? 0;
	}
	const why =
		total === 0
			? 'not used here yet'
			: `${accepted} of ${total} ${total === 1 ? 'answer' : 'answers'} ${accepted === 1 || total === 1 ? 'was' : 'were'} kept here`;
	const isGood = accepted * 2 >= total;
	return {
		part: 'history',
		score: (accepted + 1) / (total + 2),
		why,
		// That it is new here says nothing for it or against it.
		pro: total > 0 && isGood ? [why] : [],
		contra: isGood ? [] : [`only ${why}`],
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

/** What speaks for it stands after the colon; what speaks against it is not hidden, and not counted among that. */
function recommendationText({ candidate: { model, cold }, parts }: Judged): string {
	const [context, ...others] = parts;
	const pro = others.flatMap((part) => part.pro);
	const contra = others.flatMap((part) => part.contra);
	const reasons = (pro.length > 0 ? pro : (context?.pro ?? [])).join(', ');
	const doubts = contra.length > 0 ? `, though ${listWords(contra)}` : '';
	const load = cold ? ' It is loaded first, which takes a while.' : '';
	return `Continue locally with ${named(model)}: ${reasons}${doubts}.${load} Your conversation carries over.`;
}

function listWords(clauses: readonly string[]): string {
	const head = clauses.slice(0, -1).join(', ');
	return [head, clauses.at(-1)].filter((part) => part !== '').join(' and ');
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
