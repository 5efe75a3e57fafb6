/** The program that calls, in a process of its own: bare sockets, so that it measures the other side and not itself. */
import { connect, type Socket } from 'node:net';

interface Target {
	readonly port: number;
	/** Before "/v1/messages". */
	readonly prefix: string;
}

export type LoadOrder =
	/** One streamed call after the other, the targets in turn. */
	| { readonly kind: 'first-content'; readonly targets: readonly Target[]; readonly times: number }
	/** Streams of 200 chunks a second, the targets in turn. */
	| {
			readonly kind: 'chunks';
			readonly targets: readonly Target[];
			readonly streams: number;
			readonly seconds: number;
			readonly rounds: number;
	  }
	/** As many small calls as go through, the targets in turn. */
	| {
			readonly kind: 'requests';
			readonly targets: readonly Target[];
			readonly connections: number;
			readonly seconds: number;
			readonly rounds: number;
	  };

/** By target. */
export interface LoadReport {
	/** ms, sorted. */
	readonly samples: number[][];
	/** Calls a second: the best round. */
	readonly rates: number[];
	readonly counts: number[];
}

const WARM_UP = 300;

process.on('message', (order: LoadOrder) => {
	void obey(order).then((report) => process.send?.(report));
});

async function obey(order: LoadOrder): Promise<LoadReport> {
	if (order.kind === 'first-content') return firstContent(order);
	return order.kind === 'chunks' ? chunks(order) : requests(order);
}

async function firstContent({ targets, times }: LoadOrder & { kind: 'first-content' }): Promise<LoadReport> {
	const lines = await Promise.all(targets.map((target) => Line.open(target)));
	const samples: number[][] = targets.map(() => []);
	for (let number = 0; number < times + WARM_UP; number += 1) {
		for (const [index, line] of lines.entries()) {
			const began = performance.now();
			let first = 0;
			await line.ask('first', true, (text) => {
				if (first === 0 && text.includes('text_delta')) first = performance.now();
			});
			if (number >= WARM_UP) samples[index]?.push(first - began);
		}
	}
	for (const line of lines) line.close();
	return report(samples);
}

async function chunks({
	targets,
	streams,
	seconds,
	rounds,
}: LoadOrder & { kind: 'chunks' }): Promise<LoadReport> {
	const samples: number[][] = targets.map(() => []);
	for (let round = 0; round < rounds; round += 1) {
		for (const [index, target] of targets.entries()) {
			const lines = await Promise.all(Array.from({ length: streams }, () => Line.open(target)));
			await Promise.all(
				lines.map((line) =>
					line.ask(String(seconds), true, (text) => {
						const now = process.hrtime.bigint();
						for (const [, sent] of text.matchAll(/@(\d+)@/g)) {
							samples[index]?.push(Number(now - BigInt(sent ?? 0)) / 1e6);
						}
					}),
				),
			);
			for (const line of lines) line.close();
		}
	}
	return report(samples);
}

async function requests({
	targets,
	connections,
	seconds,
	rounds,
}: LoadOrder & { kind: 'requests' }): Promise<LoadReport> {
	const rates = targets.map(() => 0);
	const counts = targets.map(() => 0);
	for (let round = 0; round < rounds; round += 1) {
		for (const [index, target] of targets.entries()) {
			const lines = await Promise.all(Array.from({ length: connections }, () => Line.open(target)));
			const began = performance.now();
			let done = 0;
			await Promise.all(
				lines.map(async (line) => {
					while (performance.now() - began < seconds * 1_000) {
						await line.ask('whole', false, () => {});
						done += 1;
					}
				}),
			);
			rates[index] = Math.max(rates[index] ?? 0, (done / (performance.now() - began)) * 1_000);
			counts[index] = (counts[index] ?? 0) + done;
			for (const line of lines) line.close();
		}
	}
	return { samples: [], rates, counts };
}

function report(samples: number[][]): LoadReport {
	for (const list of samples) list.sort((one, other) => one - other);
	return { samples, rates: [], counts: samples.map((list) => list.length) };
}

/** One kept connection with one call at a time. */
class Line {
	readonly #socket: Socket;
	readonly #target: Target;
	#hear: (text: string) => void = () => {};

	constructor(socket: Socket, target: Target) {
		this.#socket = socket;
		this.#target = target;
		socket.setNoDelay(true);
		socket.setEncoding('latin1');
		socket.on('data', (text: string) => this.#hear(text));
	}

	static open(target: Target): Promise<Line> {
		return new Promise((resolve, reject) => {
			const socket = connect(target.port, '127.0.0.1', () => resolve(new Line(socket, target)));
			socket.once('error', reject);
		});
	}

	/** Resolves when the answer is over: its announced length, or the last chunk. */
	ask(mode: string, isStream: boolean, onText: (text: string) => void): Promise<void> {
		const body = JSON.stringify({
			model: 'claude-sonnet-4-5',
			max_tokens: 8_000,
			stream: isStream,
			system: 'You are a careful engineer.',
			messages: [{ role: 'user', content: 'Write the parser, then its tests. '.repeat(8) }],
			tools: [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
		});
		const { port, prefix } = this.#target;
		return new Promise((resolve) => {
			let tail = '';
			let missing: number | null = null;
			this.#hear = (text) => {
				onText(text);
				if (isStream) {
					tail = (tail + text).slice(-5);
					if (tail === '0\r\n\r\n') resolve();
					return;
				}
				if (missing === null) {
					tail += text;
					const head = tail.indexOf('\r\n\r\n');
					if (head < 0) return;
					missing = Number(/content-length: (\d+)/i.exec(tail)?.[1]) - (tail.length - head - 4);
				} else missing -= text.length;
				if (missing <= 0) resolve();
			};
			this.#socket.write(
				`POST ${prefix}/v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: claude-cli/2.1.197\r\nx-claude-code-session-id: bench\r\nx-api-key: none\r\nanthropic-version: 2023-06-01\r\nx-bench: ${mode}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
			);
		});
	}

	close(): void {
		this.#socket.destroy();
	}
}
