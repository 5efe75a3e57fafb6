/** Edits with something in between. */
import {
	call,
	changed,
	EDITED,
	edit,
	failed,
	NOT_FOUND,
	ok,
	read,
	rejected,
	shell,
	write,
} from '../deeds.ts';
import { type Family, nth, rounds } from '../family.ts';
import { fileText } from '../worlds.ts';
import { placeIn } from './repeats.ts';

export const edits: readonly Family[] = [
	{
		name: 'test-after-edit',
		source: 'traceroost/core PR#215',
		stuck: 'every edit is rejected, and the test fails as before',
		healthy: 'every edit changes the file, and the test still fails as before',
		rounds: [12, 20],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'));
			return rounds(scene, (round, noise) => {
				const change = edit(
					place.file,
					`line ${stuck ? 7 : round}`,
					`${nth(world.names, stuck ? 1 : round)}()`,
				);
				return [
					call(change, stuck ? rejected(NOT_FOUND) : ok(EDITED)),
					call(shell(world.test), failed(world.failed(place, noise)), { onset: stuck && round === 1 }),
				];
			});
		},
	},
	{
		name: 'test-after-command',
		source: 'traceroost/core PR#215, files changed by commands',
		stuck: 'a command that changes nothing, then the same test',
		healthy: 'a command that changes files (sed -i), then the same test with the same outcome',
		rounds: [12, 20],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'));
			return rounds(scene, (round, noise) => {
				const name = nth(world.names, stuck ? 0 : round);
				const command = `sed -i 's/${name}/${nth(world.names, stuck ? 2 : round + 2)}/' ${place.file}`;
				return [
					call(shell(command), ok('')),
					...(stuck ? [] : [changed(place.file)]),
					call(shell(world.test), failed(world.failed(place, noise)), { onset: stuck && round === 1 }),
				];
			});
		},
	},
	{
		name: 'flip-flop',
		source: 'digitaldrywood/detent#1224: the same diff again is no progress',
		stuck: 'one edit and its opposite in turn, the test fails the same two ways',
		healthy: 'as many edits of the same file, each another one, the test fails the same two ways',
		rounds: [14, 22],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'));
			const other = { ...place, name: nth(world.names, world.names.indexOf(place.name) + 1) };
			return rounds(scene, (round, noise) => {
				const side = round % 2;
				const step = stuck ? side : round;
				const change = edit(
					place.file,
					`return ${step === 0 ? 'a' : `v${step}`};`,
					`return ${stuck ? (side === 0 ? 'v1' : 'a') : `v${step + 1}`};`,
				);
				return [
					call(change, ok(EDITED)),
					call(shell(world.test), failed(world.failed(side === 0 ? place : other, noise)), {
						onset: stuck && round === 2,
					}),
				];
			});
		},
	},
	{
		name: 'same-write',
		source: 'digitaldrywood/detent#1224',
		stuck: 'one file is written with the same text again and again, and checked',
		healthy: 'as many files are written, and checked with the same outcome',
		rounds: [14, 22],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const name = random.pick(world.names);
			return rounds(scene, (round, noise) => {
				const path = stuck ? `gen/${name}.txt` : `gen/${nth(world.names, round)}${round}.txt`;
				return [
					call(write(path, fileText(world, stuck ? 'gen' : path, 1, 8)), ok('')),
					call(shell(world.check), ok(`checked, no problems (${noise.int(200, 900)} ms)`), {
						onset: stuck && round === 1,
					}),
				];
			});
		},
	},
	{
		name: 'refactor',
		source: 'the same check after each file of a refactoring',
		stuck: 'the same three edits again and again, all rejected, the check says the same',
		healthy: 'every file is edited once, the check says the same (nothing) each time',
		rounds: [10, 16],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const change = (offset: number) => {
					const path = nth(world.files, stuck ? offset : round * 2 + offset);
					const name = nth(world.names, stuck ? offset : round + offset);
					const before = `${name}(order)`;
					return call(
						edit(path, before, `${name}(order, ${stuck ? 0 : round})`),
						stuck ? rejected(NOT_FOUND) : ok(EDITED),
					);
				};
				return [change(0), change(1), call(shell(world.check), ok(''), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'status-between-steps',
		source: 'git status, ls and grep between steps',
		stuck: 'git status between the same two looks',
		healthy: 'git status, which says the same each time, between different looks',
		rounds: [10, 16],
		build: (scene) => {
			const { world, stuck } = scene;
			const status = 'On branch main\nnothing to commit, working tree clean';
			return rounds(scene, (round) => {
				const looked = nth(world.files, stuck ? 0 : round);
				const part = stuck ? 1 : 1 + 40 * Math.floor(round / world.files.length);
				const name = nth(world.names, stuck ? 1 : round);
				return [
					call(shell('git status'), ok(status), { onset: stuck && round === 1 }),
					call(read(looked, part, 40), ok(fileText(world, looked, part, 40))),
					call(
						shell(`git log --oneline -3 -- ${looked} | grep -v ${name}`),
						ok(`${fileText(world, name, 3, 3)}`),
					),
				];
			});
		},
	},
];
