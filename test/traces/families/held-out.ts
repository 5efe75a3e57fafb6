/** Families that are in the held-out set only: nobody tunes on them. */
import {
	call,
	changed,
	connector,
	EDITED,
	edit,
	failed,
	NOT_FOUND,
	ok,
	read,
	rejected,
	shell,
} from '../deeds.ts';
import { type Family, fresh, nth, rounds } from '../family.ts';
import type { Step } from '../trace.ts';
import { fileText } from '../worlds.ts';
import { placeIn } from './repeats.ts';

export const heldOut: readonly Family[] = [
	{
		name: 'backing-off',
		source: 'retries with longer and longer waits',
		only: 'held-out',
		stuck: 'the wait grows up to a minute, the failure stays',
		healthy: 'the wait grows up to a minute, then it works, and the next service is asked',
		rounds: [22, 30],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round, noise) => {
				const service = stuck ? 'ledger' : fresh(world.names, Math.floor(round / 5));
				const wait = Math.min(60, 5 * 2 ** (round % 5));
				const up = !stuck && round % 5 === 4;
				const text = up
					? `{"service":"${service}","ready":true}`
					: `curl: (22) The requested URL returned error: 503 (request ${noise.uuid()})`;
				return [
					call(
						shell(`sleep ${wait}; curl -sf https://${service}.example.com/ready`),
						up ? ok(text) : failed(text),
						{
							seconds: wait + 1,
							onset: stuck && round === 1,
						},
					),
				];
			});
		},
	},
	{
		name: 'page-tokens',
		source: 'lists with page tokens',
		only: 'held-out',
		stuck: 'the server ignores the token: each page is the first, with another token for the next',
		healthy: 'each page is another one, with another token for the next',
		rounds: [34, 44],
		build: (scene) => {
			const { world, random, stuck } = scene;
			return rounds(scene, (round) => {
				const token = (page: number): string => random.fork(`token ${page}`).hex(24);
				const items = fileText(world, 'page', 1 + (stuck ? 0 : round * 8), 8);
				return [
					call(
						connector('mail', 'list', { label: 'inbox', ...(round > 0 && { page_token: token(round) }) }),
						ok(`${items}\nnext_page_token: ${token(round + 1)}`),
						{ onset: stuck && round === 1 },
					),
				];
			});
		},
	},
	{
		name: 'two-places',
		source: 'anomalyco/opencode#47759, with an edit in the round',
		only: 'held-out',
		stuck: 'two rejected edits and two looks in turn',
		healthy: 'edits that fit and looks at what they changed',
		rounds: [14, 18],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const done = stuck ? 0 : round;
				return [0, 1].flatMap((side): Step[] => {
					const path = nth(world.files, side + (stuck ? 0 : round));
					const before = `${fresh(world.names, done + side)}(book)`;
					return [
						call(edit(path, before, `${before}.close()`), stuck ? rejected(NOT_FOUND) : ok(EDITED), {
							onset: stuck && round === 1 && side === 0,
						}),
						call(read(path, 20, 30), ok(fileText(world, path, 20, 30, done))),
					];
				});
			});
		},
	},
	{
		name: 'subagent-ping-pong',
		source: 'two subagents, each in a loop of its own',
		only: 'held-out',
		clients: ['claude-code', 'codex'],
		stuck: 'two subagents in turn make the same two calls each',
		healthy: 'two subagents in turn, each reads on',
		rounds: [24, 32],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const ids = [random.fork('one').hex(16), random.fork('two').hex(16)];
			return [
				...ids.map((id): Step => ({ kind: 'subagent', id, ends: false })),
				...rounds(scene, (round) => {
					const path = nth(world.files, round % 2);
					const from = 1 + 40 * (stuck ? Math.floor(round / 2) % 2 : Math.floor(round / 2));
					return [
						call(read(path, from, 40), ok(fileText(world, path, from, 40)), {
							actor: nth(ids, round),
							onset: stuck && round === 4,
						}),
						call(shell(`wc -l ${path} # ${stuck ? '' : from}`), ok(`${stuck ? 412 : 412 + round} ${path}`), {
							actor: nth(ids, round),
						}),
					];
				}),
			];
		},
	},
	{
		name: 'migration-steps',
		source: 'nextlevelbuilder/goclaw#1335, through a shell',
		only: 'held-out',
		stuck: 'one migration is applied again and again',
		healthy: 'migration after migration is applied, each prints the same',
		rounds: [16, 26],
		build: (scene) => {
			const { random, stuck } = scene;
			const first = random.int(100, 300);
			return rounds(scene, (round) => {
				const file = `db/${first + (stuck ? 0 : round)}.sql`;
				return [
					call(shell(`psql -q -f ${file} && echo applied`), ok('applied'), { onset: stuck && round === 1 }),
				];
			});
		},
	},
	{
		name: 'formatter-fight',
		source: 'digitaldrywood/detent#1224, by commands',
		only: 'held-out',
		stuck: 'a formatter and a linter that undo each other, run in turn',
		healthy: 'a formatter and a linter, run after each file that a person changes',
		rounds: [20, 28],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'), 1);
			return rounds(scene, (round) => {
				const file = stuck ? place.file : nth(world.files, round);
				return [
					...(stuck ? [] : [changed(file)]),
					call(shell('make format'), ok(`formatted ${file}`), { onset: stuck && round === 1 }),
					call(shell('make lint'), failed(world.broken({ ...place, file }))),
				];
			});
		},
	},
];
