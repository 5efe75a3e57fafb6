/** Several known calls in turn. */
import { call, connector, ok, read, search, shell } from '../deeds.ts';
import { type Family, fresh, nth, rounds, type Scene } from '../family.ts';
import type { Call, Step } from '../trace.ts';
import { fileText } from '../worlds.ts';

type Make = (round: number) => Pick<Call, 'deed' | 'outcome'>;

/** Calls that are the same each round while stuck, and have another answer each round while healthy. */
function makers({ world, random, stuck }: Scene): Make[] {
	const file = random.pick(world.files);
	const other = nth(world.files, world.files.indexOf(file) + 1);
	const name = random.pick(world.names);
	const news = (round: number): number => (stuck ? 0 : round);
	return [
		(round) => ({
			deed: shell('kubectl get pods'),
			outcome: ok(`NAME     READY   STATUS\napp-7f   ${news(round)}/40   Running`),
		}),
		(round) => ({ deed: read(file), outcome: ok(fileText(world, file, 1, 20, news(round))) }),
		(round) => ({
			deed: search(name, 'logs'),
			outcome: ok(`logs/app.log: ${name} order ${100 + news(round)} took too long`),
		}),
		(round) => ({
			deed: shell(`git diff --stat ${other}`),
			outcome: ok(` ${other} | ${2 + news(round)} ++`),
		}),
	];
}

function cycle(period: number, isChanging: (member: number) => boolean): (scene: Scene) => Step[] {
	return (scene) => {
		const members = scene.random.fork('order').some(makers(scene), period);
		return rounds(scene, (round) =>
			members.map((make, member) => {
				const { deed, outcome } = make(isChanging(member) ? round : 0);
				return call(deed, outcome, { onset: scene.stuck && round === 1 && member === 0 });
			}),
		);
	};
}

export const cycles: readonly Family[] = [
	{
		name: 'cycle-of-2',
		source: 'anomalyco/opencode#47759',
		stuck: 'A, B, A, B with the same answers',
		healthy: 'A, B, A, B, and B has another answer each time',
		rounds: [24, 34],
		build: cycle(2, (member) => member === 1),
	},
	{
		name: 'cycle-of-3',
		source: 'opencode PR#47845',
		stuck: 'A, B, C in turn with the same answers',
		healthy: 'A, B, C in turn, and C has another answer each time',
		rounds: [18, 26],
		build: cycle(3, (member) => member === 2),
	},
	{
		name: 'cycle-of-4',
		source: 'opencode PR#47845',
		stuck: 'A, B, C, D in turn with the same answers',
		healthy: 'A, B, C, D in turn, and all but A have other answers each time',
		rounds: [16, 22],
		build: cycle(4, (member) => member > 0),
	},
	{
		name: 'any-order',
		source: 'openclaw/openclaw ping-pong, without a fixed order',
		stuck: 'three known calls in any order, all answers known',
		healthy: 'three calls in any order, most answers new',
		rounds: [48, 64],
		build: (scene) => {
			const members = makers(scene).slice(0, 3);
			const seen = new Set<number>();
			return rounds(scene, (round, random) => {
				// All three come first, then any of them.
				const member = round < members.length ? round : random.int(0, members.length - 1);
				const isOnset = scene.stuck && seen.size === members.length;
				seen.add(member);
				const { deed, outcome } = nth(members, member)(round);
				return [call(deed, outcome, { onset: isOnset })];
			});
		},
	},
	{
		name: 'interleaved',
		source: 'zeroclaw-labs/zeroclaw PR#7681',
		stuck: 'the same call, and one other, new call now and then, 43 in all',
		healthy: 'as interleaved, the answer of the same call is another one each time',
		rounds: [43, 43],
		build: (scene) => {
			const { world, stuck } = scene;
			const [looks] = makers(scene);
			if (!looks) return [];
			return rounds(scene, (round) => {
				if (round % 6 === 5) {
					const path = nth(world.files, Math.floor(round / 6));
					return [call(read(path, 1, 30), ok(fileText(world, path, 1, 30)))];
				}
				const { deed, outcome } = looks(round);
				return [call(deed, outcome, { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'long-round',
		source: 'long research that only reads',
		stuck: 'the same six to nine files are read round after round',
		healthy: 'as many different files and parts of files are read',
		rounds: [9, 12],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const size = random.int(6, 9);
			return rounds(scene, (round) =>
				Array.from({ length: size }, (_, member) => {
					const index = stuck ? member : round * size + member;
					const path = nth(world.files, index);
					const from = 1 + 60 * Math.floor(index / world.files.length);
					return call(read(path, from, 60), ok(fileText(world, path, from, 60)), {
						onset: stuck && round === 1 && member === 0,
					});
				}),
			);
		},
	},
	{
		name: 'slow-research',
		source: 'long research that thinks between looks',
		stuck: 'the same six pages, one a minute, round after round',
		healthy: 'page after page, one a minute, no file is changed for half an hour',
		rounds: [36, 44],
		build: (scene) => {
			const { world, random, stuck } = scene;
			return rounds(scene, (round, noise) => {
				const name = stuck ? nth(world.names, round % 6) : fresh(world.names, round);
				const url = `https://docs.example.com/${random.fork('site').hex(6)}/${name}`;
				return [
					{ kind: 'words', tokens: noise.int(300, 900), seconds: noise.int(35, 60) },
					call(connector('web', 'get', { url }), ok(fileText(world, name, 1, 10)), {
						onset: stuck && round === 6,
					}),
				];
			});
		},
	},
];
