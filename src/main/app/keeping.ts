/** Everything the floor keeps on disk, opened together: the claim, tokens, settings, the database, `server.json`. */
import type { Disposable } from '../../shared/disposable.ts';
import type { Agent } from '../floor/agent.ts';
import { StartError } from '../server/start-error.ts';
import { prepareDataDirectory } from '../store/data-directory.ts';
import { openDatabase } from '../store/database.ts';
import { claimDataDirectory } from '../store/directory-claim.ts';
import { FloorStore } from '../store/floor-store.ts';
import { removeServerFile, type ServerFile, writeServerFile } from '../store/server-file.ts';
import { SettingsFile } from '../store/settings-file.ts';
import { StoreError } from '../store/store-error.ts';
import { loadToken } from '../store/tokens.ts';
import type { FoundProblem } from './troubles.ts';

type StorageListener = (problem: string | null) => void;

export interface Keeping extends Disposable {
	readonly store: FloorStore;
	readonly settings: SettingsFile;
	readonly tokens: { readonly agentToken: string; readonly operatorToken: string };
	/** What was found wrong and set aside at the start. */
	readonly problems: readonly FoundProblem[];
	/** Told when the disk refuses (a sentence), and when it takes writes again (`null`). */
	onTrouble(listener: StorageListener): Disposable;
	/** The agents of earlier runs. What cannot be read stays in the database and is reported. */
	remembered(
		read: (memory: unknown) => Agent | null,
		report: (where: string, error: unknown) => void,
	): Agent[];
	/** Tells other programs where this floor is. */
	announce(server: ServerFile): void;
	withdraw(): void;
	prune(now: number): Promise<unknown>;
}

/** Rejects with a `StartError`: already running (with its address), or the directory cannot be used. */
export async function openKeeping(directory: string): Promise<Keeping> {
	let lock: Disposable | null = null;
	try {
		prepareDataDirectory(directory);
		const claim = await claimDataDirectory(directory);
		if (!claim.claimed) throw alreadyRunning(directory, claim.running);
		lock = claim.lock;
		return await open(directory, lock);
	} catch (error) {
		lock?.dispose();
		throw error instanceof StoreError ? notUsable(directory, error) : error;
	}
}

async function open(directory: string, lock: Disposable): Promise<Keeping> {
	const listeners = new Set<StorageListener>();
	const opened = openDatabase(directory);
	const store = new FloorStore(opened.database, ({ error, dropped }) => {
		const lost = dropped > 0 ? ` ${dropped} events were lost.` : '';
		const problem = error ? `${error.message} ${error.remedy}${lost}` : null;
		for (const listener of listeners) listener(problem);
	});
	const settings = await SettingsFile.open(directory);
	let announced: ServerFile | null = null;
	return {
		store,
		settings,
		tokens: {
			agentToken: loadToken(directory, 'agent-token'),
			operatorToken: loadToken(directory, 'operator-token'),
		},
		problems:
			opened.setAside === null
				? []
				: [
						{
							kind: 'database-set-aside',
							title: 'The database was damaged and has been set aside',
							detail: opened.problem,
						},
					],
		onTrouble: (listener) => {
			listeners.add(listener);
			return { dispose: () => listeners.delete(listener) };
		},
		remembered: (read, report) =>
			store.loadAgents().flatMap((row) => {
				const agent = read(row.state);
				if (!agent) report('reading what was remembered', new Error(`agent ${row.id} cannot be read`));
				return agent ?? [];
			}),
		announce: (server) => {
			writeServerFile(directory, server);
			announced = server;
		},
		withdraw: () => {
			if (announced) removeServerFile(directory, announced);
		},
		prune: (now) => store.prune({ now, ...settings.current.retention }),
		dispose: () => {
			settings.dispose();
			store.dispose();
			lock.dispose();
		},
	};
}

function alreadyRunning(directory: string, running: ServerFile): StartError {
	return new StartError({
		code: 'already-running',
		what: `A floor already runs on ${directory} (pid ${running.pid}).`,
		means: 'A second one was not started; this is the one that watches your agents.',
		remedy: 'Use it, or start another floor with another --data directory.',
		address: `${running.url}/?token=${running.operatorToken}`,
	});
}

function notUsable(directory: string, error: StoreError): StartError {
	return new StartError({
		code: 'data-directory',
		what: error.message,
		means: `The floor cannot keep its data in ${directory} and did not start; agents work on without it.`,
		remedy: error.remedy,
	});
}
