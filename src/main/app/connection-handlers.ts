/** Which programs are on this machine, and how they are connected. */
import { dirname } from 'node:path';
import type { RequestHandlers } from '../../shared/channels.ts';
import type { Connection } from '../../shared/connection-view.ts';
import { type HookClient, hookClientSchema } from '../../shared/words.ts';
import type { Floor } from '../floor/floor.ts';
import { commandOnPath } from '../machine/commands-on-path.ts';
import type { ClientConnections } from './client-connections.ts';
import { isDirectory } from './squad-directory.ts';

export type ConnectionHandlers = Pick<RequestHandlers, 'connections:read'>;

/** What each program's command is called. */
const commands: Record<HookClient, string> = {
	'claude-code': 'claude',
	codex: 'codex',
	'gemini-cli': 'gemini',
	'copilot-cli': 'copilot',
	opencode: 'opencode',
	'qwen-code': 'qwen',
	cursor: 'cursor-agent',
};

export interface ConnectionHandlerParts {
	readonly connections: Pick<ClientConnections, 'inspect' | 'env'>;
	readonly floor: Floor;
	readonly address: () => string;
	/** When an agent of that program that has left the floor was last seen, ms. */
	readonly lastSeenOf: (client: string) => number | null;
	readonly now: () => number;
}

/** A program is looked for this often at most, ms: the path may have slow directories. */
const LOOK_EVERY_MS = 5_000;

interface Look {
	readonly at: number;
	readonly foundAt: Promise<string | null>;
}

export function createConnectionHandlers(parts: ConnectionHandlerParts): ConnectionHandlers {
	const looks = new Map<HookClient, Look>();
	const commandOf = (client: HookClient): Promise<string | null> => {
		const known = looks.get(client);
		const at = parts.now();
		if (known && Math.abs(at - known.at) < LOOK_EVERY_MS) return known.foundAt;
		const foundAt = commandOnPath(commands[client], parts.connections.env);
		looks.set(client, { at, foundAt });
		return foundAt;
	};
	return {
		'connections:read': async () => {
			const clients = await Promise.all(
				hookClientSchema.options.map(async (client) => connectionOf(client, await commandOf(client), parts)),
			);
			return {
				clients: clients.sort((a, b) => Number(b.found) - Number(a.found)),
				gatewayAddress: parts.address(),
			};
		},
	};
}

async function connectionOf(
	client: HookClient,
	command: string | null,
	{ connections, floor, lastSeenOf }: ConnectionHandlerParts,
): Promise<Connection> {
	const { status, file, problem } = await connections.inspect(client);
	// Its own directory is there: it has run on this machine.
	const home = homeOf(client, file);
	const foundAt = command ?? (isDirectory(home) ? home : '');
	const agents = floor.agents().filter((agent) => agent.client === client && !agent.demo);
	const heard = agents.map(({ lastHeardAt }) => lastHeardAt);
	return {
		client,
		found: foundAt !== '',
		foundAt,
		status,
		file,
		problem,
		lastHeardAt: heard.length === 0 ? lastSeenOf(client) : Math.max(...heard),
		agents: agents.filter(({ exited }) => exited === null).length,
	};
}

/** The directory that the program makes for itself; hooks of some stand one below it. */
function homeOf(client: HookClient, file: string): string {
	const directory = dirname(file);
	return client === 'copilot-cli' || client === 'opencode' ? dirname(directory) : directory;
}
