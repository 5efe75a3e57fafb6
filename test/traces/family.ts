/** A kind of public case, built twice from the same numbers: once stuck, once healthy. */
import type { Random } from './random.ts';
import type { Step, TraceClient, TraceSet } from './trace.ts';
import type { World } from './worlds.ts';

export interface Scene {
	readonly world: World;
	/** The same for both twins. Every part of a family draws from a fork of its own. */
	readonly random: Random;
	readonly stuck: boolean;
	/** How often the body repeats, by the set: see `Family.rounds`. */
	readonly rounds: number;
}

export interface Family {
	readonly name: string;
	/** The public case, or what it stands for. */
	readonly source: string;
	/** What the stuck one does, and what the healthy one does instead. */
	readonly stuck: string;
	readonly healthy: string;
	/** Where it makes sense; without it, all four. */
	readonly clients?: readonly TraceClient[];
	/** Fewest and most rounds. */
	readonly rounds: readonly [number, number];
	/** Steps after the common beginning. Stuck: one of them is the onset. */
	readonly build: (scene: Scene) => Step[];
	/** There is no stuck look of it: only the healthy one is made. */
	readonly onlyHealthy?: boolean;
	/** Every hook is delivered twice, as with two installations. */
	readonly isToldTwice?: boolean;
	/** In this set only. */
	readonly only?: TraceSet;
}

/** `count` rounds, each with its own stream of numbers. */
export function rounds(scene: Scene, of: (round: number, random: Random) => Step[]): Step[] {
	return Array.from({ length: scene.rounds }, (_, round) =>
		of(round, scene.random.fork(`round ${round}`)),
	).flat();
}

/** `list[index]`, from the beginning again after its end. */
export function nth<T>(list: readonly T[], index: number): T {
	const found = list[index % list.length];
	if (found === undefined) throw new RangeError('an empty list has no members');
	return found;
}

/** As `nth`, but never the same name twice: `total`, then, after all others, `totalB`. */
export function fresh(names: readonly string[], index: number): string {
	const turn = Math.floor(index / names.length);
	return nth(names, index) + (turn === 0 ? '' : String.fromCharCode(65 + turn));
}
