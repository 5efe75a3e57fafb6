/** Caps of single agents: whom each one meets, and which have piled up. Pure. */
import type { AgentView } from '../../../shared/agent-view.ts';
import { hookClientSchema } from '../../../shared/words.ts';

/**
 * `agent`: an agent on the floor. `rule`: a name or a directory that no agent has now; one may come. `gone`: one agent's
 * own id, and it is no longer on the floor.
 */
export type CapStanding = 'agent' | 'rule' | 'gone';

/** As the engine looks it up: by id, session id, name or directory. */
export function capStanding(key: string, agents: Iterable<AgentView>): CapStanding {
	for (const { id, sessionId, name, directory } of agents) {
		if (key === id || key === sessionId || key === name || key === directory) return 'agent';
	}
	return isOwnId(key) ? 'gone' : 'rule';
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const clientPrefix = new RegExp(`^(?:${hookClientSchema.options.join('|')}):.`);

/** "codex:0198…", or a bare session id: nobody else will ever have it. */
function isOwnId(key: string): boolean {
	return clientPrefix.test(key) || uuid.test(key);
}

/** What the caps would be with the edits: `null` takes one away. */
export function editedCaps(
	caps: Readonly<Record<string, number>>,
	edits: Readonly<Record<string, number | null>>,
): Record<string, number> {
	const all = Object.entries({ ...caps, ...edits });
	return Object.fromEntries(all.flatMap(([key, cap]) => (cap === null ? [] : [[key, cap] as const])));
}
