/**
 * Cursor's tools under the names that the floor knows (Claude Code's). Names: its hooks page and hooks files that people
 * publish. Tools that others brought along come as `MCP:…`, so that none of them can pass for one of Cursor's own.
 */
import type { Payload } from './dialect.ts';
import { readPayload } from './payload.ts';
import { field, isWindowsPath, shorten, textField, toolName } from './payload-fields.ts';

export interface CursorCall {
	readonly tool: string;
	/** `undefined`: not told. */
	readonly input: unknown;
}

const names: ReadonlyMap<string, string> = new Map([
	['StrReplace', 'Edit'],
	['TabWrite', 'Edit'],
	['EditNotebook', 'NotebookEdit'],
	['TabRead', 'Read'],
]);

const FILE_NAMES = ['file_path', 'path', 'target_file'] as const;

export function knownCall(payload: Payload, directory: string | null): CursorCall {
	const name = toolName(payload);
	const input = parsed(field(payload, 'tool_input'));
	if (name === 'Shell') return { tool: isWindowsPath(directory) ? 'PowerShell' : 'Bash', input };
	if (name.startsWith('MCP:'))
		return { tool: shorten(`mcp__${name.slice(4).replaceAll(':', '__')}`, 200), input };
	return { tool: names.get(name) ?? name, input };
}

/** The file that a call writes when it succeeds, if it is known to write one. */
export function fileWrittenBy({ tool, input }: CursorCall): string | null {
	if (!['Write', 'Edit', 'NotebookEdit'].includes(tool)) return null;
	const named = FILE_NAMES.map((name) => textField(input, name));
	return named.find((path) => path !== null) ?? null;
}

/** What is told as the JSON text of an object. */
export function parsed(value: unknown): unknown {
	const read = typeof value === 'string' && /^\s*\{/.test(value) ? readPayload(Buffer.from(value)) : null;
	return read?.ok ? read.payload : value;
}
