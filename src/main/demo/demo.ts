/** Plays the bundled floor through the real hook server, until disposed. */
import { mkdir, rm } from 'node:fs/promises';
import type { Disposable } from '../../shared/disposable.ts';
import { DemoAgent, type DemoContext } from './demo-agent.ts';
import { demoScripts } from './demo-scripts.ts';

export interface DemoOptions {
	readonly baseUrl: string;
	readonly agentToken: string;
	/** Made for the demo, removed when it ends. */
	readonly directory: string;
	readonly onError: (error: unknown) => void;
}

export interface Demo extends Disposable {
	readonly agents: number;
}

/** Rejection reason of a pause that the end of the demo cut short. */
class DemoEnded extends Error {}

export async function startDemo(options: DemoOptions): Promise<Demo> {
	await mkdir(options.directory, { recursive: true, mode: 0o700 });
	const ending = new AbortController();
	const context: DemoContext = { ...options, pause: (ms) => pause(ms, ending.signal) };
	for (const script of demoScripts) {
		const agent = new DemoAgent(context, script.name);
		agent
			.start()
			.then(() => script.play(agent, context))
			.catch((error: unknown) => {
				if (!(error instanceof DemoEnded) && !ending.signal.aborted) options.onError(error);
			});
	}
	return {
		agents: demoScripts.length,
		dispose: () => {
			ending.abort(new DemoEnded());
			rm(options.directory, { recursive: true, force: true }).catch(options.onError);
		},
	};
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) return reject(new DemoEnded());
		const onAbort = (): void => {
			clearTimeout(timer);
			reject(new DemoEnded());
		};
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', onAbort);
			resolve();
		}, ms);
		signal.addEventListener('abort', onAbort, { once: true });
	});
}
