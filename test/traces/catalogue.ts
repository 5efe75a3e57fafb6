/** All families, and the traces made of them. */
import { call, EDITED, edit, ok, read, search, shell } from './deeds.ts';
import { cycles } from './families/cycles.ts';
import { edits } from './families/edits.ts';
import { heldOut } from './families/held-out.ts';
import { repeats } from './families/repeats.ts';
import { steady } from './families/steady.ts';
import { turns } from './families/turns.ts';
import { varying } from './families/varying.ts';
import { waiting } from './families/waiting.ts';
import { type Family, nth } from './family.ts';
import { Random } from './random.ts';
import { render } from './render.ts';
import type { Step, Trace, TraceClient, TraceSet } from './trace.ts';
import { fileText, type World, worldFor } from './worlds.ts';

export const families: readonly Family[] = [
	...repeats,
	...edits,
	...cycles,
	...varying,
	...waiting,
	...turns,
	...heldOut,
	...steady,
];

/** Families that are in `set`. */
export function familiesOf(set: TraceSet): readonly Family[] {
	return families.filter(({ only }) => only === undefined || only === set);
}

const CLIENTS: readonly TraceClient[] = ['claude-code', 'codex', 'gemini-cli', 'copilot-cli'];

export interface Wanted {
	readonly family: Family;
	readonly set: TraceSet;
	/** From 0. One seed gives a pair of twins. */
	readonly seed: number;
	readonly stuck: boolean;
}

/** The same for the same arguments, always. */
export function traceOf({ family, set, seed, stuck }: Wanted): Trace {
	const random = new Random(`${family.name} ${set} ${seed}`);
	const client = nth(family.clients ?? CLIENTS, seed);
	const world = worldFor(set, random.fork('world'));
	const [fewest, most] = family.rounds;
	const scene = {
		world,
		random: random.fork('scene'),
		stuck,
		rounds: random.fork('rounds').int(fewest, most),
	};
	const steps = [...beginning(world, random.fork('beginning')), ...family.build(scene)];
	return render(steps, {
		label: { family: family.name, set, seed, client, stuck },
		random: random.fork('times'),
		deliveries: family.isToldTwice ? 2 : 1,
	});
}

/** What every session begins with: it is asked for something, looks around and makes a first change. */
function beginning(world: World, random: Random): Step[] {
	const files = random.some(world.files, random.int(3, 6));
	const name = random.pick(world.names);
	const looked = files.map((path) => call(read(path, 200, 90), ok(fileText(world, path, 200, 14))));
	const [path = 'README.md'] = files;
	return [
		{ kind: 'prompt', text: `Please look into ${name}.` },
		call(shell('git log --oneline -5'), ok(fileText(world, 'log', 1, 5))),
		...looked,
		call(search(`${name}_begin`, '.'), ok(fileText(world, name, 5, 3))),
		call(edit(path, `${name}_begin()`, `${name}_start()`), ok(EDITED)),
	];
}
