/** The words that reach a model: what was seen, how often, what would help. Facts first, no scolding. */
import type { Evidence } from '../../shared/breaker-state.ts';
import type { BreakerLevel, TripArm } from '../../shared/words.ts';
import type { Agent, Note } from './agent.ts';

/** A reply carries at most this many characters of notes (Claude Code cuts at 10 000, agent-clis.md 2.2). */
const CARRY_LIMIT = 9_000;
/** Notes kept per agent for the card. */
const KEPT_NOTES = 20;

const HELP: Readonly<Record<TripArm, string>> = {
	'repeated-tool':
		'Doing it again will most likely give the same result. Read the last output, change something that matters, try another way, or say what blocks you.',
	'error-storm':
		'The requests themselves are being rejected. Make the next step smaller or different, or say what blocks you.',
	'agent-token-cap':
		'Finish the step you are in, summarise what is done and what is left, and end your turn.',
	'cost-cap': 'Finish the step you are in, summarise what is done and what is left, and end your turn.',
	'token-cap': 'Finish the step you are in, summarise what is done and what is left, and end your turn.',
	'token-velocity': 'Write less at once: make the change you are sure of, check it, then go on.',
	'no-progress':
		'Nothing changed in the work tree and no new step was taken for a while. Take one concrete step, or say what blocks you.',
	'same-result':
		'It came back with the same result each time. Read that result, change something that matters, try another way, or say what blocks you.',
	cycle:
		'You are going round in a circle: each round told the same. Leave it, change something that matters, or say what blocks you.',
	polling:
		'What you wait for has not moved. Wait longer between two looks, do something else meanwhile, or end your turn and say what you wait for.',
	'no-new-result':
		'None of your last calls told you anything new, and no file changed. Take one concrete step, or say what blocks you.',
};

/** The note of a climb to `level`. */
export function climbNote(level: BreakerLevel, reason: string, evidence: Evidence | null): string {
	const seen = `Note from the operator's supervisor (Agent Floor): ${sentence(reason)}`;
	const help = evidence ? HELP[evidence.arm] : 'Say what blocks you.';
	if (level === 'steering') return `${seen} ${help}`;
	if (level === 'constrained') {
		const clears = evidence ? ` It is lifted when: ${sentence(evidence.clears)}` : '';
		return `${seen} Until this clears you can only read (Read, Glob, Grep, LS and read-only shell commands); anything else is refused.${clears} ${help}`;
	}
	return `${seen} You are stopped: no tool will run. End your turn now; the operator decides how to go on.`;
}

/** Said when a constraint ends, so that the model does not go on believing it cannot write. */
export function liftedNote(): string {
	return "Note from the operator's supervisor (Agent Floor): the restriction to reading is lifted, all tools work again.";
}

/** The operator's own words, marked as such. */
export function operatorNote(words: string): string {
	return `Note from the operator (through Agent Floor): ${words}`;
}

/** Puts a note in the queue. An undelivered note of the ladder is replaced: only the newest is true. */
export function queueNote(
	agent: Agent,
	note: Pick<Note, 'id' | 'text' | 'source' | 'level'>,
	at: number,
): void {
	if (note.source === 'ladder') withdrawLadderNotes(agent);
	agent.notes.push({ ...note, queuedAt: at, inFlight: false, deliveredAt: null });
	if (agent.notes.length > KEPT_NOTES) agent.notes.splice(0, agent.notes.length - KEPT_NOTES);
}

/** Takes back what the ladder wanted to say and could not: it is no longer true. */
export function withdrawLadderNotes(agent: Agent): void {
	const kept = agent.notes.filter((n) => n.source === 'operator' || n.deliveredAt !== null || n.inFlight);
	agent.notes.splice(0, agent.notes.length, ...kept);
}

/** The notes the next capable reply should carry, reserved for it, and their text; `null` when there are none. */
export function reserveNotes(agent: Agent): { ids: string[]; text: string } | null {
	const ids: string[] = [];
	const texts: string[] = [];
	let length = 0;
	for (const note of agent.notes) {
		if (note.deliveredAt !== null || note.inFlight) continue;
		if (ids.length > 0 && length + note.text.length > CARRY_LIMIT) break;
		note.inFlight = true;
		ids.push(note.id);
		texts.push(note.text);
		length += note.text.length;
	}
	return ids.length === 0 ? null : { ids, text: texts.join('\n\n') };
}

/** The reply went out (`at`) or was lost (`null`): delivered, or queued again. */
export function settleNotes(agent: Agent, ids: readonly string[], at: number | null): void {
	for (const note of agent.notes) {
		if (!ids.includes(note.id)) continue;
		note.inFlight = false;
		if (at !== null) note.deliveredAt ??= at;
	}
}

/** With a full stop, where a text has none. */
export function sentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
