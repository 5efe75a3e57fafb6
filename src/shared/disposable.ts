/** Something that holds a resource until told to let go. */
export interface Disposable {
	dispose(): void;
}

/** Collects disposables at the line that creates them, and lets go of all of them, last first. */
export class DisposableStore implements Disposable {
	#held: Disposable[] = [];

	/** Keeps `thing` until `dispose`, and returns it. */
	add<T extends Disposable>(thing: T): T {
		this.#held.push(thing);
		return thing;
	}

	/** Keeps a plain function. */
	onDispose(release: () => void): void {
		this.#held.push({ dispose: release });
	}

	dispose(): void {
		for (const thing of this.#held.splice(0).reverse()) thing.dispose();
	}
}
