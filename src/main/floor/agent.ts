/**
 * One running program that works for the operator, as the floor remembers it. Mutable, owned by `Floor` alone;
 * everybody else gets an `AgentView`.
 */
import type { NoteView, StopProgress, ToolCallView } from '../../shared/agent-view.ts';
import type { ArmGauge, Evidence } from '../../shared/breaker-state.ts';
import type { UsageView } from '../../shared/usage-view.ts';
import type { BreakerLevel, OrderKind } from '../../shared/words.ts';
import type { AgentUsageSample } from './breaker.ts';
import type { ProcessIdentity, ServedBy, WaitingKind } from './events.ts';
import type { ForgottenSpend } from './ladder/remembered-usage.ts';
import { WorkSteps } from './spark.ts';

/** What the operator laid on the agent. Sticky until resumed. */
export interface Order {
	readonly kind: OrderKind;
	/** The operator's own words; empty when none were given. */
	readonly words: string;
	readonly at: number;
}

/** A note on its way to the model. */
export interface Note {
	readonly id: string;
	readonly text: string;
	readonly source: NoteView['source'];
	/** The rung it announces; `null` for the operator's words. */
	readonly level: BreakerLevel | null;
	readonly queuedAt: number;
	/** A reply that carries it is being sent: nobody else may carry it meanwhile. */
	inFlight: boolean;
	deliveredAt: number | null;
}

export interface Waiting {
	/** `trouble`: its turn ended in an API error. `interrupted`: a person pressed Esc. */
	readonly on: WaitingKind | 'trouble' | 'interrupted';
	readonly message: string;
	readonly since: number;
	/** Only its owner clears a wait: a subagent's life is not an answer to the agent's question. */
	readonly owner: string | null;
}

/** One turn of the agent itself, none of a subagent's. */
export interface Turn {
	readonly startedAt: number;
	/** `null`: it goes on. */
	readonly endedAt: number | null;
}

export interface ToolCall extends ToolCallView {
	readonly callId: string | null;
}

export interface Agent {
	/** Stable for the life of the program, also when its session id changes. */
	readonly id: string;
	readonly client: string;
	/** The present session. */
	sessionId: string;
	/** All its sessions, oldest first. */
	readonly sessionIds: Set<string>;
	directory: string;
	readonly transcriptPaths: Set<string>;
	/** That its directory is in; `null`: none, or not looked yet. */
	repository: { readonly path: string; readonly name: string } | null;
	model: string | null;
	/** Who answered its last call through the gateway. */
	served: (ServedBy & { readonly asked: string; readonly since: number }) | null;
	process: ProcessIdentity | null;
	/** `null`: cannot be told. */
	processAlive: boolean | null;
	readonly demo: boolean;

	readonly firstSeenAt: number;
	lastHeardAt: number;
	/** Last time the model spoke (a call, a turn's end): a note that reached it before then has been read. */
	lastActedAt: number;
	lastPromptAt: number | null;
	lastFileChangeAt: number | null;
	/** Between a prompt and the end of its turn. */
	inTurn: boolean;
	/** The turn it is in, or the last one that ended by itself; `null`: not known, failed, or cut short by a person. */
	turn: Turn | null;
	stateSince: number;
	waiting: Waiting | null;
	exited: { readonly reason: string; readonly at: number } | null;
	compactingSince: number | null;
	readonly subagents: Map<string, { readonly type: string; readonly since: number }>;

	level: BreakerLevel;
	levelSince: number;
	levelReason: string;
	evidence: Evidence | null;
	/** What every arm counts; of the floor's caps as of the last beat on which that looked different. */
	arms: readonly ArmGauge[];
	climbHeld: string;
	warnings: readonly string[];

	order: Order | null;
	/** The ladder stopped it: sticky like an order, lifted by the operator. */
	ladderStop: { readonly at: number; readonly reason: string } | null;
	stopProgress: StopProgress | null;

	readonly notes: Note[];
	denials: number;
	lastDenial: { readonly at: number; readonly tool: string; readonly reason: string } | null;
	providerTrouble: { readonly error: string; readonly message: string; readonly at: number } | null;

	/** Newest last. */
	readonly calls: ToolCall[];
	usage: UsageView | null;
	sample: AgentUsageSample | null;
	/** Its work in steps of time, for the window. */
	readonly workSteps: WorkSteps;
	/** What the operator reset counts against no cap, also after a restart of the floor. */
	forgotten: ForgottenSpend | null;
	/** The sample took in work of earlier that nobody had seen, since the last beat. */
	sampleHasEarlierWork: boolean;
	/** Baseline of the output rate: the last sample that differed. */
	rateFrom: { readonly output: number; readonly at: number } | null;
	outputTokensPerMinute: number | null;
}

/** A newborn agent: known, healthy, nothing counted. */
export function createAgent(
	identity: Pick<Agent, 'id' | 'client' | 'sessionId' | 'demo'>,
	at: number,
): Agent {
	return {
		...identity,
		sessionIds: new Set([identity.sessionId]),
		directory: '',
		transcriptPaths: new Set(),
		repository: null,
		model: null,
		served: null,
		process: null,
		processAlive: null,
		firstSeenAt: at,
		lastHeardAt: at,
		lastActedAt: at,
		lastPromptAt: null,
		lastFileChangeAt: null,
		inTurn: false,
		turn: null,
		stateSince: at,
		waiting: null,
		exited: null,
		compactingSince: null,
		subagents: new Map(),
		level: 'healthy',
		levelSince: at,
		levelReason: '',
		evidence: null,
		arms: [],
		climbHeld: '',
		warnings: [],
		order: null,
		ladderStop: null,
		stopProgress: null,
		notes: [],
		denials: 0,
		lastDenial: null,
		providerTrouble: null,
		calls: [],
		usage: null,
		sample: null,
		workSteps: new WorkSteps(),
		forgotten: null,
		sampleHasEarlierWork: false,
		rateFrom: null,
		outputTokensPerMinute: null,
	};
}
