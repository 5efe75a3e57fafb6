/** One call again and again. */
import { call, changed, edit, failed, NOT_FOUND, ok, read, rejected, shell } from '../deeds.ts';
import { type Family, fresh, nth, rounds } from '../family.ts';
import type { Random } from '../random.ts';
import { fileText, type Place, type World } from '../worlds.ts';

export function placeIn(world: World, random: Random, failing = random.int(1, 4)): Place {
	return {
		file: random.pick(world.files),
		line: random.int(8, 240),
		name: random.pick(world.names),
		failing,
	};
}

export const repeats: readonly Family[] = [
	{
		name: 'same-call',
		source: 'openclaw/openclaw#70546, gemini-cli PR#16954',
		stuck: 'one command, the same answer each time',
		healthy: 'the same command, and one number in a long answer goes on',
		rounds: [22, 40],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const total = random.int(300, 900);
			const first = random.int(20, 60);
			return rounds(scene, (round) => {
				const done = first + (stuck ? 0 : round * 7);
				const text = `${world.files.slice(0, 5).join('\n')}\nmigrated ${done} of ${total} rows\nno errors`;
				return [call(shell('./scripts/status.sh'), ok(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'same-failure',
		source: 'OpenHands stuck detector, "3 times the same error"',
		stuck: 'one failing command, the same error each time',
		healthy:
			'the same command fails each time at another thing, which is then put right outside the work tree',
		rounds: [18, 30],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const missing = random.some(world.names, world.names.length);
			return rounds(scene, (round) => {
				const name = fresh(missing, stuck ? 0 : round);
				const text = `Error: secret "${name}" is not set in the environment`;
				return [call(shell('./scripts/deploy-check.sh'), failed(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'churning-failure',
		source: 'digitaldrywood/detent#1782, traceroost/core PR#215',
		stuck: 'the same failure, its temporary path, time, process id and duration differ',
		healthy: 'as churning, but each time another thing is at fault',
		rounds: [18, 30],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const order = random.some(world.names, world.names.length);
			const place = placeIn(world, random.fork('place'), 1);
			return rounds(scene, (round, noise) => {
				const name = stuck ? place.name : fresh(order, round);
				const file = stuck ? place.file : nth(world.files, round);
				const text = [
					`[${noise.int(9, 18)}:${noise.int(10, 59)}:${noise.int(10, 59)}] worker pid ${noise.int(1_000, 60_000)} started in /tmp/run-${noise.hex(8)}/`,
					world.failed({ ...place, name, file }, noise),
					`exited after ${noise.int(200, 9_000)}ms`,
				].join('\n');
				return [call(shell(`${world.test} --once`), failed(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'empty-answers',
		source: 'All-Hands-AI/OpenHands PR#10750',
		stuck: 'one command that prints nothing, again and again',
		healthy: 'as many different commands that print nothing, as mkdir and git add do',
		rounds: [16, 26],
		build: (scene) => {
			const { world, stuck } = scene;
			const quiet = (path: string, round: number): string =>
				nth(
					[`git add ${path}`, `mkdir -p build/${path}`, `cp ${path} build/${path}`, `chmod 644 ${path}`],
					round,
				);
			return rounds(scene, (round) => {
				const command = stuck ? 'git diff --stat' : quiet(nth(world.files, Math.floor(round / 4)), round);
				return [call(shell(command), ok(''), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'rejected-edit',
		source: 'edits whose text is not found, seen with every program',
		stuck: 'the same edit is rejected, the file is read, and so on',
		healthy: 'an edit is rejected, the file is read, and the next edit is another one that fits',
		rounds: [12, 20],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const path = random.pick(world.files);
			return rounds(scene, (round) => {
				const applied = stuck ? 0 : round;
				const before = `${nth(world.names, applied)}(order)`;
				const change = edit(path, before, `${nth(world.names, applied + 3)}(order, ${applied})`);
				const fits = !stuck && round % 2 === 1;
				return [
					call(change, fits ? ok('') : rejected(NOT_FOUND), { onset: stuck && round === 1 }),
					call(read(path, 1, 12), ok(fileText(world, path, 1, 12, applied))),
				];
			});
		},
	},
	{
		name: 'long-answers',
		source: 'answers longer than anybody keeps',
		stuck: 'a long answer, only the time in its middle differs',
		healthy: 'a long answer, one count in its middle goes on',
		rounds: [18, 24],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const half = fileText(world, 'namespace', 1, 900);
			const first = random.int(100, 400);
			return rounds(scene, (round, noise) => {
				const time = `2026-11-30T${noise.int(10, 18)}:${noise.int(10, 59)}:${noise.int(10, 59)}Z`;
				const text = `${half}\n${time} synced ${first + (stuck ? 0 : round)} objects\n${half}`;
				return [call(shell('kubectl get all -A -o wide'), ok(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'slow-failure',
		source: 'digitaldrywood/detent#1782: fifteen failed runs in four hours, each the same',
		stuck: 'a run of six to nine minutes that fails the same way each time',
		healthy: 'runs as long, each fails at another thing',
		rounds: [12, 16],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'), 1);
			return rounds(scene, (round, noise) => {
				const name = stuck ? place.name : fresh(world.names, round);
				return [
					call(shell('./scripts/full-run.sh'), failed(world.failed({ ...place, name }, noise)), {
						seconds: noise.int(360, 540),
						onset: stuck && round === 1,
					}),
				];
			});
		},
	},
	{
		name: 'reworded-command',
		source: 'one command in other clothes',
		stuck: 'the same failing command, with cd before it, 2>&1 or a pipe behind it',
		healthy: 'worded as differently, a file changed before each',
		rounds: [34, 46],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'), 1);
			const wordings = [
				(test: string) => test,
				(test: string) => `${test} 2>&1`,
				(test: string) => `cd /home/dev/app && ${test}`,
				(test: string) => `${test} 2>&1 | tail -20`,
				(test: string) => `CI=1 ${test}`,
			];
			return rounds(scene, (round, noise) => {
				const wording = random.fork(`wording ${round}`).pick(wordings);
				return [
					...(stuck ? [] : [changed(place.file)]),
					call(shell(wording(world.test)), failed(world.failed(place, noise)), {
						onset: stuck && round === 5,
					}),
				];
			});
		},
	},
	{
		name: 'benchmark-runs',
		source: 'a benchmark is run a few times for each variant; durations mean something there',
		stuck: 'run on and on, nothing was changed',
		healthy: 'run three or four times, then the program is changed',
		rounds: [6, 9],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round, random) => {
				const runs = Array.from({ length: 4 }, (_, run) => {
					const noise = random.fork(run);
					const text = `${world.build}\n  Time (mean ± σ):  ${noise.between(1, 3).toFixed(3)} s ± ${noise.between(0.01, 0.09).toFixed(3)} s\n  10 runs`;
					return call(shell('hyperfine --runs 10 ./bin/app'), ok(text), {
						onset: stuck && round === 1 && run === 0,
					});
				});
				const path = nth(world.files, round);
				const change = edit(path, `${nth(world.names, round)}()`, `${nth(world.names, round + 1)}()`);
				return [...runs, call(change, stuck ? rejected(NOT_FOUND) : ok(''))];
			});
		},
	},
	{
		name: 'rebuild',
		source: 'a person edits while the agent builds and looks',
		stuck: 'the same build on and on, only its duration differs',
		healthy: 'the same build with the same outcome, a file of the work tree changed before each',
		rounds: [16, 28],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const modules = random.int(80, 400);
			return rounds(scene, (round, noise) => [
				...(stuck ? [] : [changed(nth(world.files, round))]),
				call(shell(world.build), ok(world.built(modules, noise)), { onset: stuck && round === 1 }),
			]);
		},
	},
	{
		name: 'told-twice',
		source: 'hooks of two installations: each call is told twice',
		clients: ['claude-code', 'codex'],
		isToldTwice: true,
		stuck: 'one call with the same answer on and on',
		healthy: 'the same call with the same answer three times, then another one',
		rounds: [24, 36],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const index = stuck ? 0 : Math.floor(round / 3);
				const path = nth(world.files, index);
				return [call(shell(`wc -l ${path}`), ok(`${100 + index} ${path}`), { onset: stuck && round === 1 })];
			});
		},
	},
];
