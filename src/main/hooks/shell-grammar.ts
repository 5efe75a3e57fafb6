/** The Bash grammar, loaded once. The only file that knows how syntax trees are made and freed. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, type Node, Parser, type ParseState } from 'web-tree-sitter';
import { Refused } from './read-only/refused.ts';

/** Parses `commandLine` and hands its root to `use`; the tree is freed afterwards, so nodes must not leave `use`. */
export type ReadCommandLine = <T>(commandLine: string, use: (root: Node) => T) => T;

/** Longest command line that is parsed (UTF-16 units): the agent waits for the answer, and so do all others. */
const LONGEST = 10_000;
/** A bound on the parser's own work, in calls of its progress callback; ordinary lines of that length need about 100. */
const MOST_STEPS = 1_000;
/** Most nodes of a tree that is judged; a line of a hundred commands has about 1 000. */
const MOST_NODES = 3_000;

/** @throws when the grammar's files are missing or do not fit the parser: the installation is damaged. */
export async function loadShellGrammar(): Promise<ReadCommandLine> {
	// Resolved like any import, so that it works from the sources and from the bundle beside node_modules.
	const { resolve } = createRequire(import.meta.url);
	await Parser.init({ locateFile: (file: string) => resolve(`web-tree-sitter/${file}`) });
	const grammar = await readFile(resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm'));
	const parser = new Parser();
	parser.setLanguage(await Language.load(grammar));

	return (commandLine, use) => {
		if (commandLine.length > LONGEST)
			throw new Refused(`the command line is longer than ${LONGEST} characters`);
		// Many here-documents on one line cost the parser quadratic time and more; one is judged at most anyway.
		if ((commandLine.match(/<</g)?.length ?? 0) > 3) throw new Refused('it has more than one here-document');
		let steps = 0;
		// The first error decides; recovering from it is what can take long.
		const isEnough = ({ hasError }: ParseState): boolean => hasError || ++steps > MOST_STEPS;
		const tree = parser.parse(commandLine, null, { progressCallback: isEnough });
		if (tree === null) {
			// Otherwise the next parse would go on where this one was given up.
			parser.reset();
			throw new Refused('the command line could not be parsed');
		}
		try {
			const { rootNode } = tree;
			if (rootNode.descendantCount > MOST_NODES) throw new Refused('the command line has too many parts');
			return use(rootNode);
		} finally {
			tree.delete();
		}
	};
}
