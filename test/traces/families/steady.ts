/** Steady work: long waits in whatever words, the same deed on many things. */
import { call, connector, ok, shell } from '../deeds.ts';
import { type Family, fresh, rounds } from '../family.ts';
import type { Deed } from '../trace.ts';

const look = (command: string): Deed => ({ does: 'look', shell: 'bash_1', command });

export const steady: readonly Family[] = [
	{
		name: 'worded-wait',
		source: 'All-Hands-AI/OpenHands#5355, waits that are not called sleep',
		stuck: '–',
		onlyHealthy: true,
		healthy: 'as many waits, job after job is done',
		rounds: [60, 80],
		build: (scene) => {
			const { world, random } = scene;
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
				const job = fresh(world.names, Math.floor(round / length));
				const done = round % length === length - 1;
				const text = done ? world.job.done : world.job.running;
				return [call(shell(wait(job)), ok(text), { seconds: 31 })];
			});
		},
	},
	{
		name: 'blocking-look',
		source: 'a build in the background, looked at by a tool that blocks',
		stuck: '–',
		onlyHealthy: true,
		healthy: 'each step of the build is looked at for ten minutes without news',
		rounds: [60, 70],
		build: (scene) => {
			const { world, random } = scene;
			const length = random.int(16, 24);
			return rounds(scene, (round) => {
				const step = fresh(world.names, Math.floor(round / length));
				return [call(look(world.build), ok(`building ${step}`), { seconds: 30 })];
			});
		},
	},
	{
		name: 'bulk-work',
		source:
			'nextlevelbuilder/goclaw#1335: the same deed on many things, each of which answers that it is done',
		stuck: '–',
		healthy: 'as many things are tagged, linted or asked for their health, and all answer the same words',
		onlyHealthy: true,
		rounds: [30, 40],
		build: (scene) => {
			const { world, random } = scene;
			const byNumber = random.chance(0.5);
			const [deed, text] = random.pick<[(name: string) => Deed, string]>([
				[
					(name) => connector('crm', 'file_contact', { contact: name, folder: 'leads' }),
					'{"success":true,"message":"The contact was filed and the index is up to date."}',
				],
				[(name) => shell(`./resize.sh /data/${name}.png`), 'Done. The image is 1024x768 now, without loss.'],
				[
					(name) => shell(`pnpm --filter pkg-${name} lint`),
					'> eslint . --max-warnings 0\n\nNo problems were found in the files that were checked. All rules are kept.',
				],
				[
					(name) => shell(`ssh ${name} curl -s localhost/healthz`),
					'{"status":"ok","db":"ok","cache":"ok","queue":"ok","disk":"ok","version":"1.2.3"}',
				],
			]);
			return rounds(scene, (round) => [
				call(deed(byNumber ? `part${round + 1}` : fresh(world.names, round)), ok(text)),
			]);
		},
	},
];
