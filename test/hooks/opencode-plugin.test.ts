/** The plugin for opencode in a process of its own, against a real floor, a strange one, and none. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { order, resume, steer } from '../../src/main/floor/orders.ts';
import type { ForwardDeadlines } from '../../src/main/hooks/install/forward-deadlines.ts';
import { writeForwardProgram } from '../../src/main/hooks/install/forward-program.ts';
import { opencodePlugin } from '../../src/main/hooks/install/opencode-plugin.ts';
import { createOpencodeDialect } from '../../src/main/hooks/opencode.ts';
import { AT } from './dialect-payloads.ts';
import { HookFloor } from './hook-floor.ts';
import { OpencodeProcess, type Outcome } from './opencode-process.ts';

let place: string;
let floor: HookFloor;
let opencode: OpencodeProcess | null = null;
let server: Server | null = null;

beforeEach(async () => {
	place = await mkdtemp(join(tmpdir(), 'agent-floor-opencode-'));
	floor = await HookFloor.start(createOpencodeDialect());
});

afterEach(async () => {
	await opencode?.stop();
	server?.close();
	[opencode, server] = [null, null];
	await floor.stop();
	await rm(place, { recursive: true, force: true });
});

const SHORT: ForwardDeadlines = { consent: 0.2, gate: 0.3, end: 0.2, others: 0.2 };

const listenAt = (baseUrl: string) =>
	writeForwardProgram(join(place, 'data'), { baseUrl, agentToken: 'token-1' }, process.platform);

async function start(
	deadlines?: ForwardDeadlines,
	quietSeconds?: number,
	copies = 1,
): Promise<OpencodeProcess> {
	const text = opencodePlugin(join(place, 'data'), process.platform, deadlines, quietSeconds);
	const files = Array.from({ length: copies }, (_, index) => join(place, `agent-floor-${index}.mjs`));
	for (const file of files) await writeFile(file, text);
	// Where a runtime goes through proxies by itself, the plugin does not.
	const proxy = 'http://127.0.0.1:9';
	const env = { HTTP_PROXY: proxy, http_proxy: proxy, NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' };
	opencode = await OpencodeProcess.start(
		'/w/app',
		files.map((file) => pathToFileURL(file).href),
		env,
	);
	return opencode;
}

const created = { info: { id: 'ses_1', directory: '/w/app' } };
const child = { info: { id: 'ses_2', parentID: 'ses_1', agent: 'general' } };
const call = (tool: string, callID: string, sessionID = 'ses_1') => ({ tool, sessionID, callID });
const begins = (of: OpencodeProcess, tool: string, callID: string, args: unknown, sessionID?: string) =>
	of.call('tool.execute.before', call(tool, callID, sessionID), { args });
const ends = (of: OpencodeProcess, tool: string, callID: string, result: unknown) =>
	of.call('tool.execute.after', { ...call(tool, callID), args: {} }, result);
const prompt = (of: OpencodeProcess, text: string) =>
	of.call(
		'chat.message',
		{ sessionID: 'ses_1' },
		{
			message: { id: 'msg_1', model: { modelID: 'm-1' } },
			parts: [{ id: 'prt_100', type: 'text', text }],
		},
	);
const failure = (id: string, error: string) => ({
	part: {
		id,
		type: 'tool',
		tool: 'edit',
		sessionID: 'ses_1',
		callID: id,
		state: { status: 'error', input: {}, error },
	},
});

async function started(): Promise<OpencodeProcess> {
	await listenAt(floor.url);
	const running = await start();
	await running.event('session.created', created);
	await prompt(running, 'go');
	await floor.untilCounted(2);
	return running;
}

const agent = () => floor.agentOf('ses_1');

/** All that a plugin can hear in one short session; nothing of it may be changed or thrown. */
async function expectUntouched(running: OpencodeProcess): Promise<void> {
	const outcomes: Outcome[] = [];
	outcomes.push(await running.event('session.created', created));
	const asked = await prompt(running, 'go');
	expect(asked.output.parts).toHaveLength(1);
	outcomes.push(asked, await begins(running, 'bash', 'c1', { command: 'rm -rf /' }));
	const result = { output: 'done', metadata: { exit: 0 } };
	const ended = await ends(running, 'bash', 'c1', result);
	expect(ended.output).toEqual(result);
	outcomes.push(ended, await running.event('message.part.updated', failure('prt_1', 'no such file')));
	outcomes.push(await running.call('experimental.chat.messages.transform', {}, { messages: [] }));
	outcomes.push(await running.event('session.idle', { sessionID: 'ses_1' }), await running.call('dispose'));
	for (const { error, asked: wishes } of outcomes) expect([error, wishes]).toEqual([null, []]);
}

describe('with a floor', () => {
	it('the session is on it with its directory and its process, told once and in order', async () => {
		const running = await started();
		expect(agent()).toMatchObject({ directory: '/w/app', process: { pid: running.pid }, model: 'm-1' });
		await begins(running, 'bash', 'c1', { command: 'npm t' });
		await ends(running, 'bash', 'c1', { output: 'no', metadata: { exit: 1 } });
		await running.event('message.part.updated', failure('prt_1', 'not found'));
		await running.event('message.part.updated', failure('prt_1', 'not found'));
		await running.event('session.idle', { sessionID: 'ses_1' });
		await running.call('dispose');
		// Stragglers of an instance that is gone.
		await running.event('session.updated', created);
		await floor.untilCounted(7);
		expect(floor.counted.map((event) => event.name)).toEqual([
			'session.seen',
			'chat.message',
			'tool.execute.before',
			'tool.execute.after',
			'tool.execute.error',
			'session.idle',
			'session.end',
		]);
	});

	it('a refusal is thrown with the reason, and is no error of the agent’s', async () => {
		const running = await started();
		order(floor.floor, agent().id, 'constrain', 'tests only', AT);
		const { error, asked } = await begins(running, 'write', 'c1', { filePath: '/w/app/a', content: '' });
		expect(error).toContain('limits this agent to reading');
		expect(asked).toEqual([]);
		await running.event('message.part.updated', { part: { ...failure('c1', 'refused').part, callID: 'c1' } });
		expect((await begins(running, 'read', 'c2', { filePath: '/w/app/a' })).error).toBeNull();
		await floor.untilCounted(4);
		expect(floor.counted.map((event) => event.name).slice(2)).toEqual([
			'tool.execute.before',
			'tool.execute.before',
		]);
	});

	it('a note goes along with the next result, whatever its form', async () => {
		const running = await started();
		for (const [result, read] of [
			[{ output: 'done' }, (output: Outcome['output']) => output.output],
			[{ content: [] }, (output: Outcome['output']) => JSON.stringify(output.content)],
		] as const) {
			steer(floor.floor, agent().id, 'look at the log', AT);
			expect(read((await ends(running, 'bash', 'c1', { ...result })).output)).toContain('look at the log');
			expect(JSON.stringify((await ends(running, 'bash', 'c2', { ...result })).output)).not.toContain('log');
		}
	});

	it('a note for a tool that failed is in its error from then on, once', async () => {
		const running = await started();
		steer(floor.floor, agent().id, 'look at the log', AT);
		// Not waited for: opencode does not wait for its events either.
		void running.event('message.part.updated', failure('prt_1', 'not found'));
		const messages = [
			{ parts: [failure('prt_1', 'not found').part, { id: 'prt_2', type: 'text', text: 'x' }] },
		];
		for (const _ of [1, 2]) {
			const { output } = await running.call('experimental.chat.messages.transform', {}, { messages });
			expect(JSON.stringify(output).split('look at the log')).toHaveLength(2);
			expect(JSON.stringify(output)).toContain('not found\\n\\n');
		}
	});

	it('a note for a prompt is one more part of it', async () => {
		const running = await started();
		steer(floor.floor, agent().id, 'look at the log', AT);
		const { output } = await prompt(running, 'go on');
		expect(output.parts).toEqual([
			{ id: 'prt_100', type: 'text', text: 'go on' },
			{ id: 'prt_1zz', type: 'text', text: expect.stringContaining('look at the log'), synthetic: true },
		]);
	});

	it('a stop refuses tools and prompts, ends the turn of the whole session, and says why', async () => {
		const running = await started();
		await running.event('session.created', child);
		order(floor.floor, agent().id, 'stop', '', AT);
		const reason = expect.stringContaining('stopped this agent');
		const { error, asked } = await begins(running, 'read', 'c1', {}, 'ses_2');
		expect(error).toEqual(reason);
		expect(asked).toEqual([
			['toast', reason],
			['abort', 'ses_1'],
		]);
		expect((await prompt(running, 'go on')).error).toEqual(reason);
		const result = await ends(running, 'bash', 'c2', { output: 'done' });
		expect(result.output.output).toEqual(reason);
		expect(result.asked.at(-1)).toEqual(['abort', 'ses_1']);
		resume(floor.floor, agent().id, AT);
		expect((await begins(running, 'read', 'c3', {})).error).toBeNull();
		expect((await prompt(running, 'go on')).error).toBeNull();
	});

	it('a subagent that was not heard of from its start belongs to its agent', async () => {
		const running = await started();
		await begins(running, 'read', 'c1', {}, 'ses_resumed_child');
		await floor.untilCounted(4);
		expect(floor.counted.slice(2)).toMatchObject([
			{ kind: 'subagent-start', sessionId: 'ses_1', subagentId: 'ses_resumed_child' },
			{ kind: 'tool-call', sessionId: 'ses_1', subagentId: 'ses_resumed_child' },
		]);
	});

	it('that comes later, or on another port, is found at the next call', async () => {
		await listenAt('http://127.0.0.1:9');
		const running = await start();
		await running.event('session.created', created);
		// Nobody waits for what is told; a gate comes after it, and after its failure.
		await begins(running, 'read', 'c0', {});
		await listenAt(floor.url);
		await begins(running, 'read', 'c1', {});
		await floor.untilCounted(2);
		// Whose process it is is told to the floor that was not there at the start.
		expect(floor.counted.map((event) => event.name)).toEqual(['session.seen', 'tool.execute.before']);
		expect(agent().process?.pid).toBe(running.pid);
	});

	it('two installations in one process speak with one voice', async () => {
		await listenAt(floor.url);
		const running = await start(undefined, undefined, 2);
		const { hooks } = await running.event('session.created', created);
		expect(hooks[0]).toBeGreaterThan(0);
		expect(hooks[1]).toBe(0);
	});
});

describe('without a floor', () => {
	it('that runs, nothing is changed, thrown or printed', async () => {
		await listenAt('http://127.0.0.1:9');
		const running = await start();
		await expectUntouched(running);
		expect((await running.call('dispose')).error).toBeNull();
	});

	it('that ever ran, neither', async () => {
		await expectUntouched(await start());
	});

	it('in whose place something else answers, neither', async () => {
		const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length:';
		const answers = [
			'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n{"deny":"them"}',
			'HTTP/1.1 401 No\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n{"deny":"x"}',
			`${json} 99\r\n\r\n{"deny":"x"}`,
			`${json} 12\r\n\r\n{"deny":"x"`,
			`${json} 4\r\n\r\nnull`,
			`${json} 3\r\n\r\n"x"`,
			`${json} 42\r\n\r\n{"deny":1,"note":[],"block":{},"stop":"x"}`,
			'SSH-2.0-OpenSSH_9.9\r\n',
			'',
		];
		let answer = '';
		server = createServer((socket) =>
			socket.on('error', () => socket.destroy()).once('data', () => socket.end(answer)),
		);
		await listenAt(await urlOf(server));
		const running = await start();
		for (answer of answers) await expectUntouched(running);
	});

	it('in whose place something never stops answering, it is left at once and nothing of it is kept', async () => {
		const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
		const beginnings = [
			`${json}\r\n`,
			`${json}content-length: 1000000000000\r\n\r\n{"deny":"`,
			'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html>',
			'HTTP/1.1 401 No\r\n',
			'SSH-2.0-OpenSSH_9.9\r\n',
			// Its head has no end, so that only the limit can tell.
			'HTTP/1.1 200 OK\r\nx: ',
		];
		const flood = Buffer.alloc(65_536, 'x');
		let [beginning, left, sent] = ['', 0, 0];
		server = createServer((socket) => {
			const send = () => {
				while (!socket.destroyed && socket.write(flood)) sent += flood.length;
			};
			socket.on('error', () => socket.destroy()).on('drain', send);
			socket.once('close', () => (left += 1));
			socket.once('data', () => {
				socket.write(beginning);
				send();
			});
		});
		await listenAt(await urlOf(server));
		// Its deadlines are beyond those of the test.
		const running = await start({ consent: 3_600, gate: 3_600, end: 3_600, others: 3_600 });
		for (beginning of beginnings) {
			expect(await begins(running, 'bash', 'c1', {})).toMatchObject({ error: null, asked: [] });
		}
		expect(left).toBeGreaterThanOrEqual(beginnings.length);
		expect(sent).toBeLessThan(left * 32 * 1_048_576);
	});

	it('one that hangs is tried with what nobody waits for, then left alone; once it answers it is obeyed', async () => {
		const heard: string[] = [];
		let answer: string | null = null;
		server = createServer((socket) => {
			socket.on('error', () => socket.destroy());
			socket.once('data', (bytes) => {
				heard.push(/hooks\/opencode\/([\w.]+)/.exec(bytes.toString())?.[1] ?? '');
				if (answer !== null) socket.end(answer);
			});
		});
		await listenAt(await urlOf(server));
		const running = await start(SHORT, 3_600);
		await expectUntouched(running);
		// One more than once: it may only have been slow. The tool did not wait for its own deadline.
		expect(heard).toEqual(['session.seen', 'chat.message', 'session.seen']);
		await opencode?.stop();
		heard.length = 0;
		const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length:';
		const again = await start(SHORT, 0);
		answer = `${json} 2\r\n\r\n{}`;
		await begins(again, 'read', 'c0', {});
		answer = null;
		await prompt(again, 'go');
		await begins(again, 'read', 'c1', {});
		expect(heard).toEqual(['session.seen', 'tool.execute.before', 'chat.message', 'hello']);
		answer = `${json} 12\r\n\r\n{"deny":"x"}`;
		expect((await begins(again, 'read', 'c2', {})).error).toBe('x');
		expect(heard.slice(4)).toEqual(['hello', 'tool.execute.before']);
	});

	it('whatever shapes opencode hands over, nothing is thrown', async () => {
		await listenAt(floor.url);
		const running = await start();
		const shapes = [undefined, null, 1, 'x', [], {}, { event: null }, { event: { type: 'session.created' } }];
		const events = [
			'session.created',
			'session.deleted',
			'session.error',
			'message.updated',
			'message.part.updated',
		];
		const hooks = ['event', 'chat.message', 'tool.execute.before', 'tool.execute.after', 'dispose'];
		for (const hook of [
			...hooks,
			'experimental.chat.messages.transform',
			'experimental.session.compacting',
		]) {
			for (const input of shapes) {
				for (const output of shapes) expect((await running.call(hook, input, output)).error).toBeNull();
			}
		}
		for (const type of events) {
			for (const properties of [...shapes, { info: null, part: null, sessionID: 7 }]) {
				expect((await running.event(type, properties)).error).toBeNull();
			}
		}
	});
});

async function urlOf(listening: Server): Promise<string> {
	listening.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	const address = listening.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return `http://127.0.0.1:${address.port}`;
}
