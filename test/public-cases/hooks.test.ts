/** Faults of hooks that users of neighbouring programs reported, told by each program through the real routes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steer } from '../../src/main/floor/orders.ts';
import { recordingOf } from '../hooks/dialect-payloads.ts';
import { VERDICT_KINDS, verdictOf } from '../hooks/reply-contract.ts';
import { EveryProgram, rows } from './every-program.ts';

let floor: EveryProgram;

beforeAll(async () => {
	floor = await EveryProgram.start();
});

afterAll(async () => {
	await floor.stop();
	expect(floor.errors).toEqual([]);
});

describe('what arrives', () => {
	it.each(rows)(
		'anthropics/claude-code 30170: %s is seen although nobody told of its start (H1)',
		async (_, program) => {
			const session = floor.session(program);
			await session.tell(program.call('c', 'ls'));
			expect(session.view()).toMatchObject({ name: 'app', state: { kind: 'live' }, doing: { target: 'ls' } });
		},
	);

	it.each(rows)(
		'anthropics/claude-code 70455: %s has its answer to what it only tells before any work is done (H5)',
		async (client, program) => {
			const dialect = floor.dialects.find((one) => one.client === client);
			const { promise, resolve } = Promise.withResolvers<void>();
			floor.processes = promise;
			const session = floor.session(program);
			const observing = [program.end, program.permission('ls'), program.turnEnd('')].filter(
				({ event }) => dialect?.answers(event) === false,
			);
			expect(observing.length).toBeGreaterThan(0);
			const before = floor.counted.length;
			for (const one of observing) expect(await floor.post(client, session.payload(one), 4711)).toEqual({});
			expect(floor.counted).toHaveLength(before);
			resolve();
			await floor.untilCounted(before + observing.length);
		},
	);

	it.each([
		['claude-code', ['basic', 'loop', 'rate-limited']],
		['codex', ['basic', 'patch', 'permission', 'interrupted']],
		['gemini-cli', ['basic', 'tools']],
		['copilot-cli', ['basic', 'permission', 'subagents']],
		['opencode', ['basic', 'permission', 'subagents']],
	])(
		'anthropics/claude-code 90725, github/copilot-cli 2013: no reply to %s touches the input of a tool (H7, H17)',
		(client, recordings) => {
			const dialect = floor.dialects.find((one) => one.client === client);
			const events = new Set(
				recordings.flatMap((name) => recordingOf(client, name).map(({ event }) => event)),
			);
			const replies = [...events].flatMap((event) =>
				VERDICT_KINDS.map((kind) => JSON.stringify(dialect?.reply(event, verdictOf(kind)))),
			);
			expect(replies.some((reply) => reply.includes('TEXT'))).toBe(true);
			for (const reply of replies) expect(reply).not.toMatch(/input"|args"|arguments"/i);
		},
	);

	it.each(rows)('munder-difflin 502: calls of %s without an input are not equal (U5)', async (_, program) => {
		const session = floor.session(program);
		for (let call = 0; call < 9; call += 1) await session.run(undefined, 'ok');
		floor.floor.beat(floor.now);
		expect(session.view().level).toBe('healthy');
		expect(session.view().lastTools[0]).toMatchObject({ tool: 'Bash', target: '', outcome: 'ok' });
	});
});

describe('the state of an agent', () => {
	const failing = rows.filter(([, { trouble }]) => trouble !== null);
	it.each(failing)(
		'anthropics/claude-code 35620, dev-3.0 1274: a turn of %s that fails at the provider is over (H9)',
		async (_, program) => {
			for (const error of ['overloaded', 'rate_limited', 'what nobody knows yet']) {
				const session = floor.session(program);
				await session.prompt();
				await session.tell(program.call('c', 'ls'));
				if (program.trouble) await session.tell(program.trouble(error, 'Sorry, you hit a limit.'));
				expect(session.view()).toMatchObject({
					state: { kind: 'waiting', needsYou: true },
					doing: null,
					providerTrouble: { message: expect.stringContaining('Sorry') },
				});
				await session.prompt('go on');
				expect(session.view()).toMatchObject({ state: { kind: 'live' }, providerTrouble: null });
				await session.tell(program.end);
			}
		},
	);

	const banners = [
		"You've hit your session limit · resets 3:40pm (Europe/Berlin)",
		'API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}',
		'{"code":"rate_limited","message":"Please retry after 2733 seconds"}',
		'529 Overloaded. 402 quota_exceeded. Credit balance is too low',
		'connect ECONNREFUSED 127.0.0.1:443; usage limit reached|1790000000',
	];
	it.each(rows)(
		'claude-auto-retry 50: a prompt, an output or an answer of %s that quotes a limit is none (H43)',
		async (_, program) => {
			const session = floor.session(program);
			const incidents = floor.floor.incidents.all().length;
			for (const banner of banners) {
				await session.prompt(banner);
				await session.run(`echo '${banner}'`, banner);
				expect(session.view()).toMatchObject({ state: { kind: 'live' }, providerTrouble: null });
				await session.tell(program.turnEnd(banner));
				expect(session.view()).toMatchObject({
					state: { kind: 'waiting', needsYou: false, reason: 'finished its turn' },
					providerTrouble: null,
				});
			}
			expect(floor.floor.incidents.all()).toHaveLength(incidents);
		},
	);

	const interruptible = rows.filter(([, { interrupted }]) => interrupted !== null);
	it.each(interruptible)(
		'Claude-Code-Agent-Monitor 196: Esc leaves %s at its prompt, not at work (U25)',
		async (_, program) => {
			const session = floor.session(program);
			await session.prompt();
			await session.tell(program.call('c', 'make'));
			if (program.interrupted) await session.tell(program.interrupted('c', 'make'));
			expect(session.view()).toMatchObject({ state: { kind: 'waiting', needsYou: false }, doing: null });
		},
	);

	it('Claude-Code-Agent-Monitor 196: Esc while it thinks is known when it says that it is idle (U25, U21)', async () => {
		const [[, program] = [undefined, undefined]] = rows;
		if (!program) throw new Error('no program');
		const session = floor.session(program);
		await session.prompt();
		const body = { notification_type: 'idle_prompt', message: 'Claude is waiting for your input' };
		await session.tell({ event: 'Notification', body });
		expect(session.view().state).toMatchObject({ kind: 'waiting', needsYou: false });
	});

	it.each(rows.filter(([, { subagent }]) => subagent !== null))(
		'Claude-Code-Agent-Monitor 238: what a subagent of %s does is no answer to its agent’s question (U27)',
		async (_, program) => {
			const session = floor.session(program);
			await session.prompt();
			await session.tell(program.permission('rm -r build'));
			const { event, body } = program.call('of the subagent', 'ls');
			await session.tell({ event, body: { ...body, ...program.subagent } });
			expect(session.view().state).toMatchObject({ kind: 'waiting', needsYou: true });
			await session.tell(program.end);
		},
	);

	it.each(rows)(
		'utensils/claudette 594, nimbalyst 635: the count for %s goes with what answers it (U49, U95)',
		async (_, program) => {
			const asking = () => floor.needsYou().agents.length;
			for (const answer of [
				program.result('c', 'rm -r build', ''),
				program.turnEnd('then not'),
				program.prompt('no, do this'),
				program.end,
			]) {
				const session = floor.session(program);
				const before = asking();
				await session.prompt();
				await session.tell(program.call('c', 'rm -r build'));
				await session.tell(program.permission('rm -r build'));
				expect(asking()).toBe(before + 1);
				await session.tell(answer);
				expect(asking()).toBe(before);
			}
		},
	);

	it.each(rows)(
		'munder-difflin 113: a note for %s is no answer to its prompt, and waits until it can be read (U45)',
		async (_, program) => {
			const session = floor.session(program);
			await session.prompt();
			await session.tell(program.call('c', 'rm -r build'));
			steer(floor.floor, session.view().id, 'leave the build alone', floor.now);
			expect(await session.tell(program.permission('rm -r build'))).toEqual({});
			expect(session.view().notes).toMatchObject([{ deliveredAt: null }]);
			expect(session.view().state).toMatchObject({ kind: 'waiting', needsYou: true });
			const replies = [
				await session.tell(program.result('c', 'rm -r build', '')),
				await session.tell(program.call('d', 'ls')),
				await session.tell(program.result('d', 'ls', '')),
			];
			expect(JSON.stringify(replies)).toContain('leave the build alone');
			expect(session.view().notes).toMatchObject([{ deliveredAt: expect.any(Number) }]);
		},
	);
});
