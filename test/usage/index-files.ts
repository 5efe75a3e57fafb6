/** A home directory with sessions of Claude Code, a usage index over it, and a store that outlives the index. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/main/store/database.ts';
import { UsageTables } from '../../src/main/store/usage-tables.ts';
import { claudeCode } from '../../src/main/usage/formats/claude-code.ts';
import { UsageIndex, type UsageIndexOptions } from '../../src/main/usage/usage-index.ts';
import type { UsageAmount } from '../../src/shared/usage-view.ts';
import { temporaryDirectory } from './transcript-files.ts';

/** When the rows of `assistantLine` were written. */
export const ROWS_AT = Date.parse('2026-11-30T09:20:32.128Z');

export interface Home {
	readonly directory: string;
	/** Path of a session's transcript, or of a file beside it. */
	path(name: string): string;
	write(name: string, lines: readonly string[]): string;
	/** A new index, as after a restart of the program. */
	index(options?: Partial<UsageIndexOptions>): UsageIndex;
	readonly store: UsageTables;
}

export function newHome(): Home {
	const directory = temporaryDirectory();
	const { database } = openDatabase(directory);
	onTestFinished(() => void database.close());
	const store = new UsageTables(database);
	const path = (name: string) => join(directory, '.claude', 'projects', '-w-app', name);
	return {
		directory,
		path,
		write: (name, lines) => {
			mkdirSync(dirname(path(name)), { recursive: true });
			writeFileSync(path(name), lines.map((line) => `${line}\n`).join(''));
			return path(name);
		},
		index: (options = {}) =>
			new UsageIndex({
				formats: [claudeCode],
				env: {},
				homeDirectory: directory,
				now: () => ROWS_AT + 60_000,
				...options,
			}),
		store,
	};
}

export type Counts = Pick<UsageAmount, 'input' | 'output' | 'cacheRead' | 'cacheCreation'>;

export function total(index: UsageIndex, ...sessionIds: readonly string[]): UsageAmount {
	return index.usageOf('claude-code', sessionIds).total;
}
