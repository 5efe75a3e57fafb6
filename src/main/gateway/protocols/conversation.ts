/** What the newest part of a conversation says about the turn: its prompt, and whether the agent plans or edits. */
import type { Activity } from '../../../shared/failover-view.ts';
import type { JsonObject } from '../protocol.ts';
import { objectOf } from './json-fields.ts';

/** A piece of the conversation, newest first in every list of them. */
export type Piece =
	/** `by`: `client` is text that the agent's program put there (a system or developer message). */
	| { readonly kind: 'told'; readonly by: 'user' | 'client'; readonly text: string }
	| { readonly kind: 'tool-call'; readonly name: string };

/** How far back a conversation is read, in pieces: reminders of a mode are repeated every few turns. */
export const MOST_PIECES = 80;
/** Tool calls that count as "lately". */
const RECENT_CALLS = 8;
const LONGEST_PROMPT = 300;
/** Characters of a text that are looked at: prompts carry whole files behind their first words. */
const LONGEST_LOOK = 20_000;

/** Wording of Claude Code, Codex and Copilot CLI, and of programs built like them. */
const planModeOn =
	/plan mode (?:is |still )*active|you are (?:now )?in plan mode|^# ?plan mode|\[\[PLAN\]\]/im;
const planModeOff =
	/exited plan mode|plan mode (?:is )?(?:now )?(?:off|over|ended|inactive)|you are (?:now )?in default mode|^# ?(?:collaboration mode: )?default/im;

/** Names of editing tools over all agents; MCP tools carry their server's name in front. "TodoWrite" edits no file. */
const editTool =
	/(?:^|__|\.)(?:multi_?edit|edit|edit_?file|edit_?files|file_?edit|notebook_?edit|write|write_?file|write_?to_?file|create|create_?file|apply_?patch|apply_?diff|patch|replace|replace_?in_?file|search_?replace|str_?replace\w*|insert|insert_\w+|delete_?file|move_?file|undo_edit)$/i;

/** Parts that programs put around what a person typed. */
const wrappers: readonly string[] = [
	'system-reminder',
	'environment_context',
	'user_instructions',
	'collaboration_mode',
	'permissions instructions',
	'skills_instructions',
	'apps_instructions',
	'plugins_instructions',
	'turn_aborted',
	'local-command-caveat',
	'local-command-stdout',
	'local-command-stderr',
	'command-message',
	'current_datetime',
	'reminder',
];

/** `thinks`: the request asks for much thinking; it counts as planning only while nothing is edited. */
export function activityOf(pieces: readonly Piece[], thinks: boolean): Activity {
	for (const piece of pieces) {
		if (piece.kind !== 'told') continue;
		const head = piece.text.slice(0, LONGEST_LOOK);
		// In one text the later word holds; none is written with both but a quoted one.
		if (planModeOff.test(head)) break;
		if (planModeOn.test(head)) return 'planning';
	}
	const calls = pieces.filter((piece) => piece.kind === 'tool-call').slice(0, RECENT_CALLS);
	if (calls.some((call) => editTool.test(call.name))) return 'editing';
	return thinks ? 'planning' : 'other';
}

/** Head of the newest text a person typed, on one line; empty when there is none. Untrusted. */
export function promptOf(pieces: readonly Piece[]): string {
	for (const piece of pieces) {
		if (piece.kind !== 'told' || piece.by !== 'user') continue;
		const typed = unwrapped(piece.text.slice(0, LONGEST_LOOK)).replace(/\s+/g, ' ').trim();
		if (typed === '' || typed.startsWith('# AGENTS.md instructions')) continue;
		return typed.slice(0, LONGEST_PROMPT).toWellFormed();
	}
	return '';
}

/** Without the parts in angle brackets that programs add. One that is not closed reaches to the end. */
function unwrapped(text: string): string {
	let kept = '';
	let at = 0;
	while (at < text.length) {
		const open = text.indexOf('<', at);
		if (open === -1) break;
		const name = wrappers.find((wrapper) => text.startsWith(`${wrapper}>`, open + 1));
		if (name === undefined) {
			kept += text.slice(at, open + 1);
			at = open + 1;
			continue;
		}
		kept += text.slice(at, open);
		const close = `</${name}>`;
		const end = text.indexOf(close, open);
		at = end === -1 ? text.length : end + close.length;
	}
	return kept + text.slice(at);
}

/** What is asked of a small model beside the conversation: a title, a topic, a branch name. */
const helperTask =
	/isNewTopic|(?:title|topic|branch name|\bslug\b)[^.]{0,80}(?:conversation|session|chat|thread|message|task)|(?:conversation|session|chat|thread|message|task)[^.]{0,80}(?:\btitle|\btopic|branch name|\bslug\b)/i;
const smallModel = /haiku|(?:^|[-_/.])(?:mini|nano|flash-lite)(?:$|[-_:.])/i;
/** Tokens. Titles and topics ask for up to 512. */
const SMALL_ANSWER = 600;
/** Fields of the answers that are asked for so: `{title}`, `{isNewTopic, title}`, `{branch}`. */
const helperFields: ReadonlySet<string> = new Set(['isnewtopic', 'title', 'topic', 'branch', 'slug']);

/**
 * True for a client's helper request: no tools, a small answer, and a small model or the words of such a task. One sign
 * alone is none: a main turn taken for a helper is never held, which is worse than a title that is.
 */
export function isHelperRequest(request: {
	readonly offersTools: boolean;
	readonly maxOutputTokens: number | null;
	readonly model: string;
	/** System text. */
	readonly instructions: string;
	/** The JSON schema of the answer that is asked for, where one is. */
	readonly answerSchema: JsonObject | null;
}): boolean {
	const { offersTools, maxOutputTokens, model, instructions, answerSchema } = request;
	if (offersTools) return false;
	const isSmall = maxOutputTokens !== null && maxOutputTokens <= SMALL_ANSWER;
	if (!isSmall && !isHelperSchema(answerSchema)) return false;
	return smallModel.test(model) || helperTask.test(instructions.slice(0, 2_000));
}

function isHelperSchema(schema: JsonObject | null): boolean {
	const fields = Object.keys(objectOf(schema?.properties) ?? {});
	return fields.length > 0 && fields.every((field) => helperFields.has(field.toLowerCase()));
}
