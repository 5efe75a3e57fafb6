/** The floor that runs on a data directory, as the command line sees it. */
import {
	ChannelError,
	channelErrorSchema,
	type RequestChannel,
	type RequestInput,
	type RequestOutput,
} from '../../shared/channels.ts';
import { readServerFile, type ServerFile } from '../store/server-file.ts';

/** Whether it is a floor that runs cannot be told. */
export interface SilentFloor {
	readonly silent: Pick<ServerFile, 'url' | 'pid'>;
}

export class RunningFloor {
	readonly server: ServerFile;

	private constructor(server: ServerFile) {
		this.server = server;
	}

	/** `null` when none runs there, or it does not answer. */
	static async find(dataDirectory: string): Promise<RunningFloor | null> {
		const found = await RunningFloor.seek(dataDirectory);
		return found instanceof RunningFloor ? found : null;
	}

	/** `null` when none runs there; a `SilentFloor` when something is there that takes calls and does not answer them. */
	static async seek(dataDirectory: string): Promise<RunningFloor | SilentFloor | null> {
		const server = readServerFile(dataDirectory);
		if (!server) return null;
		const floor = new RunningFloor(server);
		try {
			await floor.request('settings:get', undefined);
			return floor;
		} catch (error) {
			// The file is of a floor that died, or of another program on its port: nobody to talk to.
			return isSilence(error) ? { silent: server } : null;
		}
	}

	/** For commands that need one: without it `err` is told what to do, and the exit code is 1. */
	static async findOrSay(dataDirectory: string, err: (text: string) => void): Promise<RunningFloor | null> {
		const floor = await RunningFloor.find(dataDirectory);
		if (!floor) err(`No floor runs on ${dataDirectory}. Start it with npm start.`);
		return floor;
	}

	/** Rejects with a `ChannelError`. */
	async request<C extends RequestChannel>(channel: C, input: RequestInput<C>): Promise<RequestOutput<C>> {
		const response = await fetch(`${this.server.url}/request/${channel}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${this.server.operatorToken}`, 'content-type': 'application/json' },
			body: JSON.stringify(input ?? null),
			signal: AbortSignal.timeout(5_000),
		});
		const answer = (await response.json()) as { ok: boolean; output?: unknown; error?: unknown };
		if (answer.ok) return answer.output as RequestOutput<C>;
		throw new ChannelError(channelErrorSchema.parse(answer.error));
	}

	/** The window's address, with the token that opens it. */
	get address(): string {
		return `${this.server.url}/?token=${this.server.operatorToken}`;
	}
}

/** Somebody took the call and said nothing. A connection that is refused, or an answer that is no floor's, is none. */
function isSilence(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (error.name === 'TimeoutError') return true;
	const { cause } = error;
	const code = cause instanceof Error && 'code' in cause ? cause.code : null;
	return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET';
}
