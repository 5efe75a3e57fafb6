/** Claude Code's transcripts: `<projects>/<directory>/<session>.jsonl`, and their subagents' beside them. */
import { join } from 'node:path';
import type { LineReader, LogSink, SessionFile, SessionFormat } from '../session-format.ts';
import { mayTell, readLine } from './claude-code-line.ts';
import { isObject, parseJson, textOf } from './json-values.ts';
import { type RowBytesReader, readRowBytes } from './rows.ts';

const directoryMark = Buffer.from('cwd":');
/** Rows that name the directory are short; longer ones are left alone for it, bytes. */
const SHORT_ROW = 64 * 1024;

export const claudeCode: SessionFormat = {
	client: 'claude-code',
	depth: 8,

	roots(env, homeDirectory) {
		const moved = textOf(env.CLAUDE_CONFIG_DIR);
		if (moved !== null) return movedTo(moved).map((directory) => join(directory, 'projects'));
		const configuration = textOf(env.XDG_CONFIG_HOME) ?? join(homeDirectory, '.config');
		return [join(homeDirectory, '.claude', 'projects'), join(configuration, 'claude', 'projects')];
	},

	identify(path): SessionFile | null {
		const segments = belowProjects(path);
		const name = segments.at(-1) ?? '';
		if (!name.endsWith('.jsonl') || segments.includes('tool-results')) return null;
		const folder = segments.lastIndexOf('subagents');
		const parent = folder > 0 ? segments[folder - 1] : undefined;
		if (parent) return { sessionId: parent, mode: 'lines', isSubagent: true };
		// Versions before 2.1 put them into the project's directory; the rows name the parent.
		const sessionId = name.slice(0, -'.jsonl'.length);
		return { sessionId, mode: 'lines', isSubagent: sessionId.startsWith('agent-') };
	},

	subagents(path) {
		return path.endsWith('.jsonl') ? join(path.slice(0, -'.jsonl'.length), 'subagents') : null;
	},

	open(path, sink, memory) {
		const segments = belowProjects(path);
		const isLoneSubagent = segments.at(-1)?.startsWith('agent-') === true && !segments.includes('subagents');
		return Promise.resolve(new TranscriptReader(sink, isLoneSubagent, memory));
	},
};

/** Other readers of these files take several directories, separated by commas; Claude Code takes the text as it stands. */
function movedTo(told: string): string[] {
	const several = told
		.split(',')
		.map((directory) => directory.trim())
		.filter((directory) => directory !== '');
	return [...new Set([told, ...several])];
}

/** What the folders above the projects are called does not matter. */
function belowProjects(path: string): string[] {
	const segments = path.split(/[\\/]/);
	return segments.slice(segments.lastIndexOf('projects') + 1);
}

class TranscriptReader implements LineReader, RowBytesReader {
	readonly #sink: LogSink;
	readonly #isLoneSubagent: boolean;
	/** The directory in which the session began was told; later ones are only visits. */
	#knowsDirectory: boolean;

	constructor(sink: LogSink, isLoneSubagent: boolean, memory: unknown) {
		this.#sink = sink;
		this.#isLoneSubagent = isLoneSubagent;
		this.#knowsDirectory = isObject(memory) && memory.knowsDirectory === true;
	}

	line(line: Buffer): void {
		if (!this.#knowsDirectory) this.#readFacts(line);
		readRowBytes(line, this, this.#sink);
	}

	memory(): unknown {
		return this.#knowsDirectory ? { knowsDirectory: true } : null;
	}

	mayTell(line: Buffer): boolean {
		return mayTell(line);
	}

	rowBytes(bytes: Buffer): boolean {
		const read = readLine(bytes);
		if (read.kind === 'response') {
			this.#sink.response(read.report);
			for (let count = 0; count < read.invalidNumbers; count += 1) this.#sink.unreadable('number');
		} else if (read.kind === 'trouble') this.#sink.trouble(read.trouble);
		return read.kind !== 'invalid';
	}

	#readFacts(line: Buffer): void {
		if (line.length > SHORT_ROW || !line.includes(directoryMark)) return;
		const row = parseJson(line.toString('utf8'));
		if (!isObject(row)) return;
		const directory = textOf(row.cwd);
		if (directory === null) return;
		this.#knowsDirectory = true;
		const parent = this.#isLoneSubagent ? textOf(row.sessionId) : null;
		this.#sink.about({ directory, ...(parent === null ? {} : { parentSessionId: parent }) });
	}
}
