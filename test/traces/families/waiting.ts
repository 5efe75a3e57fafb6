/** Waiting for something that runs elsewhere. */
import { call, connector, failed, ok, shell } from '../deeds.ts';
import { type Family, fresh, rounds } from '../family.ts';
import type { Deed, Step } from '../trace.ts';

const look = (command: string): Deed => ({ does: 'look', shell: 'bash_1', command });

export const waiting: readonly Family[] = [
	{
		name: 'slow-wait',
		source: 'All-Hands-AI/OpenHands#762, #5355',
		stuck: '–',
		healthy: 'a long job is looked at every five minutes, a dozen times, with the same answer',
		onlyHealthy: true,
		rounds: [9, 14],
		build: (scene) => {
			const { world, random } = scene;
			const job = random.int(10_000, 99_999);
			return rounds(scene, (round) => {
				const { running, done } = world.job;
				const text = round === scene.rounds - 1 ? done : running;
				return [call(shell(world.waitFor(300, job)), ok(text), { seconds: 301 })];
			});
		},
	},
	{
		name: 'short-wait',
		source: 'All-Hands-AI/OpenHands#5355: waiting killed',
		stuck: 'a job that never begins is asked for on and on',
		healthy: 'a job is asked for every half minute until it is done, then the next job',
		rounds: [60, 80],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const first = random.int(10_000, 99_999);
			const length = random.int(16, 24);
			return rounds(scene, (round) => {
				const job = stuck ? first : first + Math.floor(round / length);
				const done = !stuck && round % length === length - 1;
				const text = stuck ? world.job.waiting : done ? world.job.done : world.job.running;
				return [
					call(shell(world.waitFor(20, job)), ok(text), {
						seconds: 21,
						onset: stuck && round === 1,
					}),
				];
			});
		},
	},
	{
		name: 'background-look',
		source: 'openclaw/openclaw#16808: 1 535 polls',
		stuck: 'a command in the background is looked at on and on, it prints nothing new',
		healthy: 'a command in the background is looked at, it prints something new now and then',
		rounds: [60, 90],
		build: (scene) => {
			const { random, stuck } = scene;
			const total = random.int(40, 90);
			return rounds(scene, (round) => {
				const done = stuck ? 3 : 3 + Math.floor(round / 5);
				return [
					call(look('npm run seed'), ok(`seeding table ${done} of ${total}`), {
						onset: stuck && round === 1,
					}),
				];
			});
		},
	},
	{
		name: 'metrics',
		source: 'watching figures: numbers are the news',
		stuck: 'the figures stay, only the time beside them differs',
		healthy: 'the figures move a little each time',
		rounds: [20, 34],
		build: (scene) => {
			const { random, stuck } = scene;
			const base = random.int(200, 900);
			return rounds(scene, (round, noise) => {
				const shown = stuck ? base : base + round * 3 + noise.int(0, 2);
				const time = `${noise.int(9, 18)}:${noise.int(10, 59)}:${noise.int(10, 59)}`;
				const text = `${time} requests ${shown} errors 0 p99 ${stuck ? 41 : 40 + (round % 7)}`;
				return [call(shell('./scripts/metrics.sh --last 1m'), ok(text), { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'server-start',
		source: 'servers that are slow to start',
		stuck: 'the server never starts, and is asked on and on',
		healthy: 'one server after the other is started, and asked three times in vain before it answers',
		rounds: [6, 9],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round, random) => {
				const tries = 4;
				const name = stuck ? 'gateway' : fresh(world.names, round);
				const port = 3000 + (stuck ? 0 : round);
				return Array.from({ length: tries }, (_, attempt) => {
					const up = !stuck && attempt === tries - 1;
					const noise = random.fork(attempt).int(0, 9);
					const text = up
						? `{"service":"${name}","status":"up"}`
						: `curl: (7) Failed to connect to localhost port ${port} after ${noise} ms: Connection refused`;
					return call(
						shell(`sleep 2; curl -s localhost:${port}/health # ${name}`),
						up ? ok(text) : failed(text),
						{
							onset: stuck && round === 0 && attempt === 1,
						},
					);
				});
			});
		},
	},
	{
		name: 'long-tool',
		source: 'a long tool in flight is activity',
		stuck: 'its tool ends at once, then it writes for ten minutes and calls nothing',
		healthy: 'its tool, an agent of its own, runs and writes for ten minutes',
		rounds: [3, 3],
		build: (scene) => {
			const { stuck } = scene;
			return rounds(scene, (round, random) => {
				const tokens = random.int(4_000, 9_000);
				const seconds = random.int(560, 760);
				const deed = connector('agents', 'delegate', { task: `part ${round + 1}` });
				const result = ok(`Part ${round + 1} is done.`);
				const alone: Step = { kind: 'words', tokens, seconds: seconds - 4 };
				return stuck
					? [call(deed, result, { seconds: 4, onset: round === 0 }), alone]
					: [call(deed, result, { seconds, tokensMeanwhile: tokens })];
			});
		},
	},
];
