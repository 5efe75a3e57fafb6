/**
 * Gemini CLI's chats: `<home>/tmp/<project>/chats/session-*.jsonl`, subagents' in a folder named after their session.
 * Older versions wrote one document per session (`.json`), which a resumed session copies into a `.jsonl`.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogSink, SessionFile, SessionFormat } from '../session-format.ts';
import { GeminiChat } from './gemini-chat.ts';
import { isObject, parseJson, textOf } from './json-values.ts';

const SESSION_NAME = /^(session-.*?[^-]+)\.jsonl?$/;
/** Of the files that name a project's directory that much is read, bytes. */
const MOST_BYTES = 1024 * 1024;

export const geminiCli: SessionFormat = {
	client: 'gemini-cli',
	depth: 4,

	roots(env, homeDirectory) {
		return [join(textOf(env.GEMINI_CLI_HOME) ?? homeDirectory, '.gemini', 'tmp')];
	},

	identify(path): SessionFile | null {
		const segments = path.split(/[\\/]/);
		const name = segments.at(-1) ?? '';
		const mode = name.endsWith('.jsonl') ? 'lines' : name.endsWith('.json') ? 'document' : null;
		if (mode === null) return null;
		const session = SESSION_NAME.exec(name)?.[1];
		// The name holds the first eight characters of the id, which another session may share: the file tells all of it.
		if (segments.at(-2) === 'chats') {
			const sessionId = `${segments.at(-3) ?? ''}/${session}`;
			return session === undefined ? null : { sessionId, mode, isSubagent: false };
		}
		const parent = segments.at(-3) === 'chats' ? segments.at(-2) : undefined;
		return parent ? { sessionId: parent, mode, isSubagent: true } : null;
	},

	async open(path: string, sink: LogSink, memory: unknown) {
		const file = this.identify(path);
		if (memory === null || memory === undefined) {
			const directory = await projectDirectory(path);
			if (directory !== null) sink.about({ directory });
		}
		return new GeminiChat(
			{ sessionId: file?.sessionId ?? path, isSubagent: file?.isSubagent ?? false },
			sink,
			memory,
		);
	},
};

/** Where the project of a chat lies: its folder says so, or (before 0.5x) it is the hash of a path that is listed. */
async function projectDirectory(path: string): Promise<string | null> {
	const segments = path.split(/[\\/]/);
	const chats = segments.lastIndexOf('chats');
	const project = segments[chats - 1];
	if (chats < 3 || project === undefined) return null;
	const said = await readHead(join(segments.slice(0, chats).join('/'), '.project_root'));
	if (said !== null && said.trim() !== '') return said.trim();
	const listed = parseJson(
		(await readHead(join(segments.slice(0, chats - 2).join('/'), 'projects.json'))) ?? '',
	);
	const projects = isObject(listed) && isObject(listed.projects) ? listed.projects : {};
	const isProject = (directory: string) =>
		projects[directory] === project || createHash('sha256').update(directory).digest('hex') === project;
	return Object.keys(projects).find(isProject) ?? null;
}

/** `null`: there is no such file, or it may not be read; then the directory stays unknown. */
async function readHead(path: string): Promise<string | null> {
	let file: FileHandle | null = null;
	try {
		file = await open(path);
		const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
		return buffer.toString('utf8', 0, bytesRead);
	} catch {
		return null;
	} finally {
		await file?.close();
	}
}
