/** Turns, subagents, compactions, and those who never get to act. */
import { call, connector, EDITED, edit, failed, notice, ok, read, shell, untold } from '../deeds.ts';
import { type Family, fresh, nth, rounds } from '../family.ts';
import type { Deed, Step } from '../trace.ts';
import { fileText } from '../worlds.ts';
import { placeIn } from './repeats.ts';

export const turns: readonly Family[] = [
	{
		name: 'parallel-calls',
		source: 'OpenRouter agent SDK: five identical parallel calls of one turn count once',
		stuck: 'the same call three times at once, turn after turn',
		healthy: 'a call three times at once, turn after turn another one',
		clients: ['claude-code', 'codex'],
		rounds: [40, 50],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const path = nth(world.files, stuck ? 0 : round);
				const from = stuck ? 1 : 1 + 40 * Math.floor(round / world.files.length);
				return Array.from({ length: 3 }, (_, member) =>
					call(read(path, from, 40), ok(fileText(world, path, from, 40)), {
						parallel: member > 0,
						onset: stuck && round === 1 && member === 0,
					}),
				);
			});
		},
	},
	{
		name: 'subagents',
		source: 'ten subagents that each look once are no loop',
		stuck: 'one of the subagents reads one file on and on',
		healthy: 'each of the subagents reads that file once',
		clients: ['claude-code', 'codex'],
		rounds: [34, 46],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const path = random.pick(world.files);
			const ids = Array.from({ length: scene.rounds }, (_, index) => random.fork(`id ${index}`).hex(16));
			const begins: Step[] = ids.map((id) => ({ kind: 'subagent', id, ends: false }));
			return [
				...begins,
				...rounds(scene, (round) => [
					call(read(path, 1, 80), ok(fileText(world, path, 1, 80)), {
						actor: nth(ids, stuck ? 0 : round),
						onset: stuck && round === 1,
					}),
				]),
			];
		},
	},
	{
		name: 'compaction',
		source: 'anthropics/claude-code#6004',
		stuck: 'after each compaction the same files are read and the same test is run, then it compacts again',
		healthy: 'after each compaction the plan is read again, then it goes on with another file',
		clients: ['claude-code', 'codex'],
		rounds: [10, 14],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'));
			return rounds(scene, (round, noise) => {
				const first = nth(world.files, stuck ? 1 : round * 2);
				const second = nth(world.files, stuck ? 2 : round * 2 + 1);
				const part = 1 + (stuck ? 0 : 30 * Math.floor((round * 2) / world.files.length));
				const now = stuck ? place : { ...place, name: nth(world.names, round), line: place.line + round };
				return [
					{ kind: 'compaction' },
					call(read('PLAN.md'), ok(fileText(world, 'PLAN.md', 1, 20)), { onset: stuck && round === 1 }),
					call(read(first, part, 30), ok(fileText(world, first, part, 30))),
					call(read(second, part, 30), ok(fileText(world, second, part, 30))),
					call(shell(world.test), failed(world.failed(now, noise))),
				];
			});
		},
	},
	{
		name: 'announces',
		source: 'anthropics/claude-code#27281',
		stuck: 'it writes and writes, and looks at one file now and then',
		healthy: 'it writes as much, and every few minutes it does something',
		rounds: [5, 7],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const path = random.pick(world.files);
			return rounds(scene, (round, noise) => {
				const looked = stuck ? path : nth(world.files, world.files.indexOf(path) + round);
				return [
					{ kind: 'words', tokens: noise.int(1_800, 5_000), seconds: noise.int(150, 210) },
					call(read(looked, 1, 40), ok(fileText(world, looked, 1, 40)), { onset: stuck && round === 1 }),
				];
			});
		},
	},
	{
		name: 'provider-outage',
		source: 'munder-difflin#441',
		stuck: 'its own requests are refused as malformed, turn after turn',
		healthy: 'its provider is overloaded, turn after turn',
		clients: ['claude-code'],
		rounds: [14, 20],
		build: (scene) => {
			const { stuck } = scene;
			return rounds(scene, (round, random) => {
				const weather = random.pick(['server_error', 'rate_limit', 'overloaded']);
				return [
					notice('The background command has ended.'),
					{
						kind: 'turn-failed',
						error: stuck ? 'invalid_request' : weather,
						message: stuck
							? 'API Error: 400 messages: text content blocks must be non-empty'
							: 'API Error: 529 Overloaded.',
						onset: stuck && round === 1,
					},
				];
			});
		},
	},
	{
		name: 'outage-between-calls',
		source: 'munder-difflin#441, OpenSwarm#262',
		stuck: 'its provider fails now and then, and between it asks a tool that says it is switched off',
		healthy: 'its provider fails now and then, the calls between are new',
		clients: ['claude-code'],
		rounds: [18, 26],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const id = stuck ? 'main' : fresh(world.names, round);
				const trouble: Step[] = [
					{ kind: 'turn-failed', error: 'overloaded', message: 'API Error: 529 Overloaded.' },
					notice('The program tries again.'),
				];
				const outcome = stuck ? failed('The tool is switched off.') : ok(fileText(world, id, 1, 6));
				return [
					...(round % 5 === 4 ? trouble : []),
					call(connector('docs', 'fetch_page', { id }), outcome, { onset: stuck && round === 1 }),
				];
			});
		},
	},
	{
		name: 'blocked-tools',
		source: 'openclaw/openclaw#79252',
		stuck: 'tool after tool is blocked, always another one',
		healthy: 'every second tool is blocked, the others tell something new',
		rounds: [40, 56],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const isTold = random.chance(0.5);
			return rounds(scene, (round) => {
				const name = fresh(world.names, round);
				const deeds: readonly Deed[] = [
					shell(`./run ${name}`),
					read(`secrets/${name}`),
					connector('files', 'open', { name }),
				];
				const blocked = stuck || round % 2 === 0;
				const text = world.refused(name);
				const outcome = blocked ? (isTold ? failed(text) : untold) : ok(fileText(world, name, 1, 5));
				return [call(nth(deeds, round), outcome, { onset: stuck && round === 1 })];
			});
		},
	},
	{
		name: 'asked-again',
		source: 'munder-difflin#376: a person is talking to the agent',
		stuck: 'nobody asks, and it runs the same command again',
		healthy: 'a person asks for the same command again',
		rounds: [12, 18],
		build: (scene) => {
			const { world, random, stuck } = scene;
			const place = placeIn(world, random.fork('place'));
			return rounds(scene, (round, noise) => [
				stuck ? { kind: 'words', tokens: 20, seconds: 1 } : { kind: 'prompt', text: 'Once more, please.' },
				call(shell(world.test), failed(world.failed(place, noise)), { onset: stuck && round === 1 }),
			]);
		},
	},
	{
		name: 'plan-updates',
		source: 'lists of things to do',
		stuck: 'the same list is written again and again between looks at one file',
		healthy: 'the list is written with one more thing done, between edits',
		clients: ['claude-code', 'gemini-cli', 'copilot-cli'],
		rounds: [12, 18],
		build: (scene) => {
			const { world, stuck } = scene;
			return rounds(scene, (round) => {
				const done = stuck ? 1 : round;
				const items = world.names
					.slice(0, 6)
					.map((name, item) => `${item < done ? 'done: ' : ''}${name} ${done}`);
				const path = nth(world.files, stuck ? 0 : round);
				return [
					call({ does: 'plan', items }, ok('Todos have been modified successfully.')),
					call(
						edit(path, `${nth(world.names, done)}(order)`, `${nth(world.names, done)}(order, ${done})`),
						stuck ? failed('File has not been read yet.') : ok(EDITED),
						{
							onset: stuck && round === 1,
						},
					),
				];
			});
		},
	},
];
