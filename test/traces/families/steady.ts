/** Steady work: long waits in whatever words, the same deed on many things. */
import { call, ok, shell } from '../deeds.ts';
import { type Family, fresh, rounds } from '../family.ts';
import type { Deed } from '../trace.ts';

const look = (command: string): Deed => ({ does: 'look', shell: 'bash_1', command });

export const steady: readonly Family[] = [
	{
		name: 'worded-wait',
		source: 'All-Hands-AI/OpenHands#5355, waits that are not called sleep',
		stuck: 'a job that never begins is waited for on and on',
		healthy: 'as many waits, job after job is done',
		rounds: [60, 80],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const length = random.int(16, 24);
			const wait = random.pick([
				(job: string) => `ping -n 31 127.0.0.1 >nul & jobs show ${job}`,
				(job: string) => `python -c "import time; time.sleep(30)"; jobs show ${job}`,
				(job: string) => `read -t 30; jobs show ${job}`,
				(job: string) => `Start-Sleep -Duration 00:00:30; jobs show ${job}`,
				(job: string) => `sleep "$PAUSE"; jobs show ${job}`,
				(job: string) => `node pause.js 30 && jobs show ${job}`,
			]);
			return rounds(scene, (round) => {
				const job = fresh(world.names, stuck ? 0 : Math.floor(round / length));
				const done = !stuck && round % length === length - 1;
				const text = stuck ? world.job.waiting : done ? world.job.done : world.job.running;
				return [call(shell(wait(job)), ok(text), { seconds: 31, onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'blocking-look',
		source: 'a build in the background, looked at by a tool that blocks',
		stuck: 'the build hangs, and is looked at on and on',
		healthy: 'each step of the build is looked at for ten minutes without news',
		rounds: [60, 70],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const length = random.int(16, 24);
			return rounds(scene, (round) => {
				const step = fresh(world.names, stuck ? 0 : Math.floor(round / length));
				return [
					call(look(world.build), ok(`building ${step}`), { seconds: 30, onset: stuck && round === 1 }),
				];
			});
		},
	},
];
