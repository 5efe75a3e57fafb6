/** Copilot CLI's event logs: `<home>/session-state/<session>/events.jsonl`, one for a session and its subagents. */
import { join } from 'node:path';
import type { LogSink, SessionFormat } from '../session-format.ts';
import { CopilotEvents } from './copilot-events.ts';
import { textOf } from './json-values.ts';

export const copilotCli: SessionFormat = {
	client: 'copilot-cli',
	depth: 2,

	roots(env, homeDirectory) {
		return [join(textOf(env.COPILOT_HOME) ?? join(homeDirectory, '.copilot'), 'session-state')];
	},

	identify(path) {
		const [folder, sessionId, name] = path.split(/[\\/]/).slice(-3);
		if (folder !== 'session-state' || name !== 'events.jsonl' || !sessionId) return null;
		return { sessionId, mode: 'lines', isSubagent: false };
	},

	open(path: string, sink: LogSink, memory: unknown) {
		const sessionId = this.identify(path)?.sessionId ?? path;
		return Promise.resolve(new CopilotEvents(sessionId, sink, memory));
	},
};
