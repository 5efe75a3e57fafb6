/** Inputs that differ from call to call. */
import { call, connector, ok, read, search, shell } from '../deeds.ts';
import { type Family, fresh, nth, rounds } from '../family.ts';
import { fileText } from '../worlds.ts';

const page = (number: number): string =>
	Array.from({ length: 6 }, (_, row) => `#${number * 6 + row} order ${(number * 6 + row) * 37} paid`).join(
		'\n',
	);

export const varying: readonly Family[] = [
	{
		name: 'varying-nonce',
		source: 'can1357/oh-my-pi#10895: 265 calls',
		stuck: 'one request, only its cache buster differs, the same answer',
		healthy: 'the same request with a cache buster, the answer goes on',
		rounds: [60, 265],
		build: (scene) => {
			const { random, stuck } = scene;
			const base = random.int(10_000, 90_000);
			return rounds(scene, (round, noise) => {
				const url = `https://status.example.com/v1/jobs/${base}?ts=17${noise.int(10_000_000_000, 99_999_999_999)}`;
				const text = `{"job":${base},"state":"queued","position":${stuck ? 12 : 400 - round}}`;
				return [call(connector('web', 'get', { url }), ok(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'varying-number',
		source: 'can1357/oh-my-pi#10895, a number without a telling name',
		stuck: 'one number of the command is raised for ever, the answer stays',
		healthy: 'one number of the command is raised, each answer is another one',
		rounds: [36, 60],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const path = random.pick(world.files);
			const first = random.int(60, 200);
			return rounds(scene, (round) => {
				const count = first + round * 5;
				const text = stuck ? fileText(world, path, 40, 10) : fileText(world, path, count - 10, 10);
				return [
					call(shell(`head -n ${count} ${path} | tail -n 10`), ok(text), { onset: stuck && round === 1 }),
				];
			});
		},
	},
	{
		name: 'alternating-ranges',
		source: 'everruns#2295',
		stuck: 'two ranges of one file are read in turn',
		healthy: 'range after range of one file is read',
		rounds: [46, 60],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const path = random.pick(world.files);
			return rounds(scene, (round) => {
				const from = 1 + 50 * (stuck ? round % 2 : round);
				return [
					call(read(path, from, 50), ok(fileText(world, path, from, 50)), { onset: stuck && round === 2 }),
				];
			});
		},
	},
	{
		name: 'paging',
		source: 'lists with pages',
		stuck: 'the page that is asked for is ignored: page after page is the first one',
		healthy: 'page after page is another one',
		rounds: [34, 50],
		build: (scene) => {
			const { stuck } = scene;
			return rounds(scene, (round) => [
				call(
					connector('tracker', 'list_issues', { state: 'open', page: round + 1, per_page: 6 }),
					ok(page(stuck ? 0 : round)),
					{ onset: stuck && round === 1 },
				),
			]);
		},
	},
	{
		name: 'same-answer-changes',
		source: 'nextlevelbuilder/goclaw#1335',
		stuck: 'one record is created again and again, word for word',
		healthy: 'as many records are created, which differ in a number or a name; all answer the same',
		rounds: [16, 26],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const byNumber = random.chance(0.5);
			return rounds(scene, (round) => {
				const index = stuck ? 0 : round;
				const title = byNumber ? `Chapter ${index + 1}` : `About ${fresh(world.names, index)}`;
				return [
					call(connector('tracker', 'create_issue', { title, body: 'See the plan.' }), ok('{"ok":true}'), {
						onset: stuck && round === 1,
					}),
				];
			});
		},
	},
	{
		name: 'reworded-search',
		source: 'searches worded anew that find nothing',
		stuck: 'one thing is searched for in forty wordings and never found',
		healthy: 'many things are searched for, every third is found',
		rounds: [40, 56],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const name = random.pick(world.names);
			return rounds(scene, (round) => {
				const folder = nth(['src', 'lib', 'app', '.', 'test', 'docs', 'config'], round);
				const looked = stuck ? name : nth(world.names, round);
				const pattern = nth(
					[looked, `${looked}\\(`, `\\b${looked}\\b`, `${looked}.*`, `.*${looked}`, `fn ${looked}`],
					Math.floor(round / 7),
				);
				const found = !stuck && round % 3 === 0;
				const text = found ? fileText(world, `${looked}${round}`, 10, 2) : world.nothing;
				return [call(search(pattern, folder), ok(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'sweep',
		source: 'what was removed is searched for, to be sure that it is gone',
		stuck: 'the same six names are searched for round after round, none is found',
		healthy: 'many names are searched for, none is found, as it should be',
		rounds: [50, 64],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const name = stuck ? nth(world.names, round % 6) : fresh(world.names, round);
				return [call(search(`old_${name}`, '.'), ok(world.nothing), { onset: stuck && round === 6 })];
			});
		},
	},
	{
		name: 'sampling',
		source: 'a check repeated on other seeds',
		stuck: 'the same seed again and again',
		healthy: 'ten seeds, each run says the same but for the seed',
		rounds: [10, 14],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round, noise) => {
				const seed = stuck ? 1 : round + 1;
				const text = `seed ${seed}\n${world.passed(42, noise)}`;
				return [call(shell(`${world.test} --seed=${seed}`), ok(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'no-input',
		source: 'munder-difflin#502: unknown is not equal to unknown',
		stuck: 'a tool without an input gives the same answer on and on',
		healthy: 'the same tool without an input, each answer is another one',
		rounds: [34, 44],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const task = stuck ? 'No task is ready.' : `Task ${round}: ${fresh(world.names, round)}`;
				return [call(connector('tracker', 'next_task', {}), ok(task), { onset: stuck && round === 1 })];
			});
		},
	},
];
