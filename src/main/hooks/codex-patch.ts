/** The files of a patch of Codex's `apply_patch`. Format: codex-rs/apply-patch/apply_patch_tool_instructions.md. */

export interface PatchedFile {
	readonly change: 'add' | 'update' | 'delete';
	/** Where it ends up, as the patch says it: mostly relative to the agent's directory. */
	readonly path: string;
}

const HEADER = /^\*\*\* (Add|Update|Delete) File: ([^\n]+)/;
const MOVE = /^\*\*\* Move to: ([^\n]+)/;
/** A patch of more files than this is cut; nobody reads on. */
const MOST_FILES = 200;

/** In order. Lines of content begin with `+`, `-` or a blank, so none of them can look like a header. */
export function filesOfPatch(patch: string): PatchedFile[] {
	const files: PatchedFile[] = [];
	for (const line of patch.split('\n')) {
		const { 1: change, 2: path } = HEADER.exec(line) ?? [];
		const { 1: target } = MOVE.exec(line) ?? [];
		const last = files.at(-1);
		if (change !== undefined && path !== undefined) {
			if (files.length === MOST_FILES) break;
			files.push({ change: changeOf(change), path: path.trim() });
		} else if (target !== undefined && last?.change === 'update') {
			files[files.length - 1] = { ...last, path: target.trim() };
		}
	}
	return files;
}

function changeOf(word: string): PatchedFile['change'] {
	if (word === 'Add') return 'add';
	return word === 'Delete' ? 'delete' : 'update';
}
