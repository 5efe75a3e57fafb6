/** Shows the planner's notices and takes them away again. Electron comes in through a factory. */
import type { AskingFloor } from '../../../shared/attention.ts';
import type { Disposable } from '../../../shared/disposable.ts';
import type { ReportFailure } from '../report-failure.ts';
import { COOLDOWN_MS, type Notice, NoticePlanner } from './notice-planner.ts';

export interface NotificationHandle {
	close(): void;
}

export interface NotificationFactory {
	isSupported(): boolean;
	/** Shows at once. `onClosed` is called when the user or the system has taken it away. */
	show(
		notice: Notice,
		events: {
			readonly onClick: () => void;
			readonly onClosed: () => void;
			readonly onFailed: (error: unknown) => void;
		},
	): NotificationHandle;
}

export interface NotificationServiceOptions {
	readonly factory: NotificationFactory;
	/** True while the operator has the window before them. */
	readonly isAttended: () => boolean;
	readonly openAgent: (agentId: string | null) => void;
	readonly report: ReportFailure;
	readonly now: () => number;
	/** Asks to be given the floor again after so many ms. Returns what cancels it. */
	readonly askAgain: (afterMs: number) => () => void;
}

export class NotificationService implements Disposable {
	readonly #options: NotificationServiceOptions;
	readonly #planner = new NoticePlanner();
	/** Also keeps the objects alive: a collected notification loses its click. */
	readonly #shown = new Map<string, NotificationHandle>();
	#cancelAsking: () => void = () => {};
	#cancelRetry: () => void = () => {};

	constructor(options: NotificationServiceOptions) {
		this.#options = options;
	}

	/** Looks at the floor as it is now. */
	update(floor: AskingFloor): void {
		const { isAttended, now, askAgain } = this.#options;
		const at = now();
		const plan = this.#planner.plan(floor, at, { attended: isAttended() });
		for (const key of plan.withdraw) this.#withdraw(key);
		for (const notice of plan.show) this.#show(notice);
		this.#cancelAsking();
		this.#cancelAsking = plan.askAgainAt === null ? () => {} : askAgain(plan.askAgainAt - at);
	}

	dispose(): void {
		this.#cancelAsking();
		this.#cancelRetry();
		for (const key of [...this.#shown.keys()]) this.#withdraw(key);
	}

	#show(notice: Notice): void {
		const { factory, openAgent } = this.#options;
		if (!factory.isSupported()) return;
		this.#withdraw(notice.key);
		try {
			const handle = factory.show(notice, {
				onClick: () => openAgent(notice.agentId),
				// An older notice of the same key may close late; it must not take the newer one with it.
				onClosed: () => {
					if (this.#shown.get(notice.key) === handle) this.#shown.delete(notice.key);
				},
				onFailed: (error) => this.#failed(notice, error),
			});
			this.#shown.set(notice.key, handle);
		} catch (error) {
			this.#failed(notice, error);
		}
	}

	#failed({ key }: Notice, error: unknown): void {
		const { report, askAgain } = this.#options;
		report('showing a notification', error);
		this.#planner.notShown(key);
		this.#cancelRetry();
		this.#cancelRetry = askAgain(COOLDOWN_MS);
	}

	#withdraw(key: string): void {
		const handle = this.#shown.get(key);
		this.#shown.delete(key);
		handle?.close();
	}
}
