/** Engine → one window. Nothing is sent before the page said that it listens, nor to a frame that is gone. */
import type { PushChannel, PushPayload } from '../../../shared/channels.ts';
import type { ReportFailure } from '../report-failure.ts';

/** The part of Electron's `WebContents` used here. */
export interface PushTarget {
	isDestroyed(): boolean;
	isCrashed(): boolean;
	send(channel: string, payload: unknown): void;
}

/** Pushes kept for a page that does not listen yet. What falls out leaves a gap, and a gap makes it ask for a snapshot. */
export const WAITING_LIMIT = 200;

export class PushOutlet {
	readonly #target: PushTarget;
	readonly #report: ReportFailure;
	#listening = false;
	#waiting: { readonly channel: PushChannel; readonly payload: unknown }[] = [];

	constructor(target: PushTarget, report: ReportFailure) {
		this.#target = target;
		this.#report = report;
	}

	push<C extends PushChannel>(channel: C, payload: PushPayload<C>): void {
		if (this.#listening) {
			this.#send(channel, payload);
			return;
		}
		this.#waiting.push({ channel, payload });
		if (this.#waiting.length > WAITING_LIMIT) this.#waiting.shift();
	}

	/** The page listens: what waited goes out first, in order. */
	listening(): void {
		this.#listening = true;
		for (const { channel, payload } of this.#waiting.splice(0)) this.#send(channel, payload);
	}

	/** The page is being replaced or its process is gone: wait for the next one. */
	silent(): void {
		this.#listening = false;
	}

	#send(channel: PushChannel, payload: unknown): void {
		if (this.#target.isDestroyed() || this.#target.isCrashed()) {
			this.#listening = false;
			return;
		}
		try {
			this.#target.send(channel, payload);
		} catch (error) {
			// The frame can die between the check and the send; the engine must not feel it.
			this.#listening = false;
			this.#report(`sending ${channel} to the window`, error);
		}
	}
}
