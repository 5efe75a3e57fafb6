/**
 * Whose session an event of Copilot CLI belongs to. A subagent's events carry an id of its own as `sessionId`, and as
 * `parentAgentId` who set it to work, which can be a subagent as well; only some of them name the log of the session
 * (`…/session-state/<session id>/events.jsonl`), which all of it share. Measured with 1.0.102.
 */
import type { Payload } from './dialect.ts';
import { directoryId, idField, textField } from './payload-fields.ts';

/** Subagents that are remembered; the oldest are forgotten first. */
const KEPT = 2_000;

export interface CopilotOrigin {
	readonly sessionId: string;
	/** `null`: the session's own agent. */
	readonly subagentId: string | null;
}

export class CopilotSessions {
	readonly #sessionOfSubagent = new Map<string, string>();

	/** Never throws, never empty: without any id the directory stands in, or "unattributed". */
	originOf(payload: Payload): CopilotOrigin {
		const sessionId = idField(payload, 'sessionId');
		const logged = sessionOfLog(payload);
		const subagentId = idField(payload, 'agentId');
		if (subagentId === null) {
			return { sessionId: sessionId ?? logged ?? directoryId(payload), subagentId };
		}
		const parentId = idField(payload, 'parentAgentId');
		const session =
			logged ??
			this.#known(subagentId) ??
			this.#known(parentId) ??
			parentId ??
			sessionId ??
			directoryId(payload);
		this.#remember(subagentId, session);
		return { sessionId: session, subagentId };
	}

	#known(subagentId: string | null): string | undefined {
		return subagentId === null ? undefined : this.#sessionOfSubagent.get(subagentId);
	}

	#remember(subagentId: string, session: string): void {
		this.#sessionOfSubagent.delete(subagentId);
		this.#sessionOfSubagent.set(subagentId, session);
		if (this.#sessionOfSubagent.size <= KEPT) return;
		for (const oldest of this.#sessionOfSubagent.keys()) {
			this.#sessionOfSubagent.delete(oldest);
			return;
		}
	}
}

function sessionOfLog(payload: Payload): string | null {
	const steps = (textField(payload, 'transcriptPath') ?? '').split(/[\\/]+/);
	const isLog = steps.at(-1) === 'events.jsonl' && steps.at(-3) === 'session-state';
	return isLog ? idField({ name: steps.at(-2) }, 'name') : null;
}
