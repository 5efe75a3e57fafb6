/** One event applied to its agent: state, calls, waits, and what the ladder has to count. */
import type { Agent, ToolCall, Waiting } from './agent.ts';
import type { CircuitBreaker } from './breaker.ts';
import type { FloorEvent, ToolResult } from './events.ts';
import { refusalOfModelCall } from './standing.ts';
import { targetOf } from './tool-target.ts';
import type { Verdict } from './verdict.ts';

/** Tool calls remembered per agent. */
const KEPT_CALLS = 24;
const MESSAGE_LIMIT = 400;
/** Sources of a session without the context of the one before. */
const ANEW: ReadonlySet<string> = new Set(['startup', 'clear', 'new']);

/** Applies `event` (already known to be no duplicate). `verdict` is what the reply brought about. */
export function applyEvent(agent: Agent, event: FloorEvent, verdict: Verdict, breaker: CircuitBreaker): void {
	takeContext(agent, event);
	clearAnsweredWait(agent, event);
	const { at, subagentId } = event;
	switch (event.kind) {
		case 'session-start':
			if (event.source === 'compact') endCompaction(agent, at, breaker);
			else waitFor(agent, event, 'turn-done', 'started, no prompt yet');
			// A person began anew, with nothing of what came before: it is not counted against what comes.
			if (ANEW.has(event.source)) breaker.recordProgress(agent.id, 'prompt', at);
			break;
		case 'session-end':
			settleOpenCalls(agent, null);
			agent.exited = { reason: exitReason(agent, event.reason), at };
			agent.inTurn = false;
			agent.turn = null;
			agent.waiting = null;
			agent.subagents.clear();
			break;
		case 'prompt':
			agent.lastPromptAt = at;
			if (verdict.kind === 'block-prompt') {
				countDenial(agent, { at, tool: 'prompt', reason: verdict.reason });
				break;
			}
			agent.inTurn = true;
			// A prompt in the middle of a turn counts as its start: a person was there.
			if (subagentId === null) agent.turn = { startedAt: at, endedAt: null };
			agent.providerTrouble = null;
			settleOpenCalls(agent, subagentId);
			breaker.recordProgress(agent.id, 'prompt', at);
			break;
		case 'tool-call':
			agent.lastActedAt = at;
			agent.inTurn = true;
			// Nobody prompted it: it woke by itself, or the floor was away.
			if (subagentId === null && agent.turn?.endedAt !== null) agent.turn = { startedAt: at, endedAt: null };
			// A model that calls tools has answered: its provider works again.
			agent.providerTrouble = null;
			startCall(agent, event, verdict);
			breaker.recordToolUse(agent.id, event.tool, event.input, {
				callId: event.callId,
				actor: subagentId,
				at,
				denied: isDenied(verdict),
			});
			break;
		case 'tool-result':
			// A result whose call nobody told of (the client itself refused it): the model spoke then.
			if (!endCall(agent, event)) agent.lastActedAt = at;
			breaker.recordToolResult(agent.id, { ...event, actor: subagentId });
			if (event.changedFile !== null) fileChanged(agent, at, breaker);
			if (event.interrupted) {
				if (subagentId === null) agent.turn = null;
				waitFor(agent, event, 'interrupted', 'interrupted by a person');
			}
			break;
		case 'tool-batch':
			breaker.recordToolBatch(agent.id, event.callIds);
			break;
		case 'waiting':
			waitFor(agent, event, event.on, event.message);
			break;
		case 'turn-end':
			agent.lastActedAt = at;
			if (subagentId !== null) break;
			endTurn(agent);
			if (agent.turn?.endedAt === null) agent.turn = { ...agent.turn, endedAt: at };
			agent.providerTrouble = null;
			breaker.recordAnswer(agent.id);
			waitFor(agent, event, 'turn-done', 'finished its turn');
			break;
		case 'turn-failed':
			endTurn(agent);
			agent.turn = null;
			if (refusalOfModelCall(agent) !== null) {
				// Our own refusal, reported back: neither the provider's trouble nor the agent's error.
				waitFor(agent, event, 'turn-done', 'its model calls are refused');
				break;
			}
			if (event.blame === 'agent') {
				agent.lastActedAt = at;
				breaker.recordError(agent.id, { at, text: `${event.error} ${event.message}` });
			} else agent.providerTrouble = { error: event.error, message: clip(event.message), at };
			waitFor(agent, event, 'trouble', `its turn failed: ${event.error}`);
			break;
		case 'compact-start':
			agent.compactingSince = at;
			breaker.recordCompactStart(agent.id, at);
			break;
		case 'compact-end':
			endCompaction(agent, at, breaker);
			break;
		case 'subagent-start':
			if (subagentId !== null) agent.subagents.set(subagentId, { type: event.subagentType ?? '', since: at });
			break;
		case 'subagent-end':
			if (subagentId !== null) agent.subagents.delete(subagentId);
			break;
		case 'directory-changed':
			agent.directory = event.to;
			break;
		case 'file-changed':
			fileChanged(agent, at, breaker);
			break;
		case 'model-changed':
			agent.model = event.to;
			break;
		case 'model-call':
			takeModelCall(agent, event);
			break;
		case 'provider-trouble':
			agent.providerTrouble = { error: event.error, message: clip(event.message), at };
			break;
		case 'other':
			break;
	}
}

/** The badge says who answers now, and since when. */
function takeModelCall(agent: Agent, { at, asked, served }: FloorEvent & { kind: 'model-call' }): void {
	agent.model ??= asked;
	if (served === null) return;
	const { harness, at: server, model } = served;
	const known = agent.served;
	const isSame =
		known?.harness === harness && known.at === server && known.model === model && known.asked === asked;
	agent.served = { harness, at: server, model, asked, since: isSame ? known.since : at };
}

/** A file of its work tree changed: progress, and the end of a streak of equal calls. */
export function fileChanged(agent: Agent, at: number, breaker: CircuitBreaker): void {
	agent.lastFileChangeAt = Math.max(agent.lastFileChangeAt ?? at, at);
	breaker.recordProgress(agent.id, 'file', at);
}

/** Who asked for the end is not forgotten over how the program reports it. */
function exitReason(agent: Agent, told: string): string {
	if (agent.order?.kind === 'stop') return 'stopped by you';
	if (agent.ladderStop) return 'stopped by the ladder, then its session ended';
	return `session ended (${told || 'no reason given'})`;
}

function countDenial(agent: Agent, denial: NonNullable<Agent['lastDenial']>): void {
	agent.denials += 1;
	agent.lastDenial = denial;
}

function takeContext(agent: Agent, event: FloorEvent): void {
	agent.lastHeardAt = Math.max(agent.lastHeardAt, event.at);
	if (event.directory && (agent.directory === '' || event.kind === 'session-start'))
		agent.directory = event.directory;
	if (event.transcriptPath) agent.transcriptPaths.add(event.transcriptPath);
	if (event.model) agent.model = event.model;
	// Only at its start: at the end the client may be gone already, and its parent's pid in its place.
	if (event.process && event.kind === 'session-start') {
		agent.process = event.process;
		agent.processAlive = true;
	}
	// A straggler after the end of a session is no life; a new start, prompt or call is.
	const revives = event.kind === 'session-start' || event.kind === 'prompt' || event.kind === 'tool-call';
	if (agent.exited && revives) {
		agent.exited = null;
		agent.stateSince = event.at;
	}
}

/** A wait ends when its owner does something; a subagent's event is not the agent's answer. */
function clearAnsweredWait(agent: Agent, event: FloorEvent): void {
	if (!agent.waiting || event.kind === 'waiting' || event.kind === 'other') return;
	// What ends the agent's turn, or begins its next, ends what its subagents waited for as well.
	const isTurn = event.kind === 'prompt' || event.kind === 'turn-end' || event.kind === 'turn-failed';
	const ends = isTurn && event.subagentId === null;
	if (!ends && agent.waiting.owner !== event.subagentId) return;
	agent.waiting = null;
	agent.stateSince = event.at;
}

function waitFor(agent: Agent, event: FloorEvent, on: Waiting['on'], message: string): void {
	// "Idle at the prompt" comes a minute after the turn's end and says nothing new.
	if (on === 'turn-done' && agent.waiting) return;
	agent.waiting = { on, message: clip(message), since: event.at, owner: event.subagentId };
	agent.stateSince = event.at;
}

function endTurn(agent: Agent): void {
	agent.inTurn = false;
	settleOpenCalls(agent, null);
}

function endCompaction(agent: Agent, at: number, breaker: CircuitBreaker): void {
	agent.compactingSince = null;
	breaker.recordCompactEnd(agent.id, at);
}

function isDenied(verdict: Verdict): verdict is Extract<Verdict, { kind: 'deny' | 'halt' }> {
	return verdict.kind === 'deny' || verdict.kind === 'halt';
}

function startCall(agent: Agent, event: FloorEvent & { kind: 'tool-call' }, verdict: Verdict): void {
	const known = event.callId !== null && agent.calls.some((call) => call.callId === event.callId);
	if (known) return;
	if (isDenied(verdict)) countDenial(agent, { at: event.at, tool: event.tool, reason: verdict.reason });
	remember(agent, {
		callId: event.callId,
		at: event.at,
		tool: event.tool,
		target: targetOf(event.input),
		outcome: isDenied(verdict) ? 'denied' : 'running',
		durationMs: null,
		subagentId: event.subagentId,
	});
}

/** False when the call was not known. */
function endCall(agent: Agent, event: FloorEvent & ToolResult): boolean {
	const outcome = event.failed ? 'failed' : 'ok';
	const index = agent.calls.findLastIndex((call) =>
		event.callId === null
			? call.tool === event.tool && call.outcome === 'running' && call.subagentId === event.subagentId
			: call.callId === event.callId,
	);
	const call = agent.calls[index];
	if (call) {
		const durationMs = event.durationMs ?? Math.max(0, event.at - call.at);
		agent.calls[index] = { ...call, outcome, durationMs };
		return true;
	}
	remember(agent, {
		callId: event.callId,
		at: event.at - (event.durationMs ?? 0),
		tool: event.tool,
		target: targetOf(event.input),
		outcome,
		durationMs: event.durationMs,
		subagentId: event.subagentId,
	});
	return false;
}

/** Nobody will tell how these did: the turn went on without them. */
function settleOpenCalls(agent: Agent, owner: string | null): void {
	for (const [index, call] of agent.calls.entries()) {
		if (call.outcome !== 'running' || (owner !== null && call.subagentId !== owner)) continue;
		agent.calls[index] = { ...call, outcome: 'unknown' };
	}
}

function remember(agent: Agent, call: ToolCall): void {
	agent.calls.push(call);
	if (agent.calls.length > KEPT_CALLS) agent.calls.shift();
}

function clip(text: string): string {
	return text.length > MESSAGE_LIMIT ? `${text.slice(0, MESSAGE_LIMIT)}…` : text;
}
