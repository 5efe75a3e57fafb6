/** The running floor as the desktop needs it. The composition hands one in; nothing here knows how it is built. */
import type { PushChannel, PushPayload, RequestHandlers } from '../../shared/channels.ts';
import type { Disposable } from '../../shared/disposable.ts';
import type { FloorSnapshot } from '../../shared/snapshot.ts';

export interface FloorApp {
	readonly handlers: RequestHandlers;
	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): Disposable;
	snapshot(): FloorSnapshot;
	/** The machine is about to sleep: silence from here on is not inactivity. */
	noteSuspend(): void;
	noteResume(): void;
	stop(): Promise<void>;
}

export interface FloorStartOptions {
	readonly dataDirectory: string;
	readonly port?: number;
	readonly demo?: boolean;
	readonly version: string;
}

/** Rejects with an error that carries `what`, `means` and `remedy`. */
export type StartFloor = (options: FloorStartOptions) => Promise<FloorApp>;

/** Where failures go that nobody waits for. Takes the place in words and the error itself. */
export type ReportFailure = (doing: string, error: unknown) => void;
