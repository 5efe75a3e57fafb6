/** Shows the engine's notices on the desktop and takes them away again. Electron comes in through a factory. */
import type { Disposable } from '../../../shared/disposable.ts';
import type { Notice, Notices } from '../../../shared/notice.ts';
import type { ReportFailure } from '../report-failure.ts';

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
	/** True while the window has the focus and shows what the notice is about. */
	readonly isInView: (notice: Notice) => boolean;
	readonly openAgent: (agentId: string | null) => void;
	/** The notice of this key was not shown: the engine tells it again. */
	readonly failed: (key: string) => void;
	readonly report: ReportFailure;
}

export class NotificationService implements Disposable {
	readonly #options: NotificationServiceOptions;
	/** Also keeps the objects alive: a collected notification loses its click. */
	readonly #shown = new Map<string, NotificationHandle>();

	constructor(options: NotificationServiceOptions) {
		this.#options = options;
	}

	/** What the engine tells. */
	take({ show, withdraw }: Notices): void {
		for (const key of withdraw) this.#withdraw(key);
		for (const notice of show) this.#show(notice);
	}

	dispose(): void {
		for (const key of [...this.#shown.keys()]) this.#withdraw(key);
	}

	#show(notice: Notice): void {
		const { factory, isInView, openAgent } = this.#options;
		this.#withdraw(notice.key);
		if (!factory.isSupported() || isInView(notice)) return;
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
		this.#options.report('showing a notification', error);
		this.#options.failed(key);
	}

	#withdraw(key: string): void {
		const handle = this.#shown.get(key);
		this.#shown.delete(key);
		handle?.close();
	}
}
