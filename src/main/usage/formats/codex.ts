/**
 * Codex's rollouts: `<home>/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, later in `<home>/archived_sessions`.
 * Compressed ones (`.jsonl.zst`, written by Codex itself where its `local_thread_store_compression` is on; it is not,
 * unless somebody asks for it) are not read.
 */
import { join } from 'node:path';
import type { LogSink, SessionFile, SessionFormat } from '../session-format.ts';
import { parentOf } from './codex-parent.ts';
import { CodexRollout } from './codex-rollout.ts';
import { textOf } from './json-values.ts';

const ROLLOUT = /^rollout-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-(.+)\.jsonl$/;

export const codex: SessionFormat = {
	client: 'codex',
	depth: 4,

	roots(env, homeDirectory) {
		const home = textOf(env.CODEX_HOME) ?? join(homeDirectory, '.codex');
		return [join(home, 'sessions'), join(home, 'archived_sessions')];
	},

	identify(path): SessionFile | null {
		const sessionId = ROLLOUT.exec(path.split(/[\\/]/).at(-1) ?? '')?.[1];
		// Whether it is a subagent's is told in its first line.
		return sessionId === undefined ? null : { sessionId, mode: 'lines', isSubagent: false };
	},

	async open(path: string, sink: LogSink, memory: unknown) {
		const sessionId = this.identify(path)?.sessionId ?? null;
		return new CodexRollout(sessionId, sink, memory, await parentOf(path, memory));
	},
};
