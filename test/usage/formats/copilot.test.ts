import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copilotCli } from '../../../src/main/usage/formats/copilot.ts';
import { mangled } from './mangled.ts';
import { byModel, readLines, readRecording, tellsTheSameInParts, tokens } from './told.ts';

const LOG = '/home/dev/.copilot/session-state/s-1/events.jsonl';
const event = (type: string, data: object, more: object = {}) =>
	JSON.stringify({ type, data, id: `id-${type}`, timestamp: '2026-11-30T09:00:00.000Z', ...more });
const record = (sequence: number, inputTokens: number, more: object = {}) =>
	event('session.usage_record', {
		usage: {
			model: 'm',
			inputTokens,
			outputTokens: 5,
			accounting: { sourceSessionId: 's-1', sequence, usageId: `call-${sequence}` },
			...more,
		},
	});
const shutdown = (id: string, inputTokens: number, data: object = { totalNanoAiu: 0 }) =>
	event(
		'session.shutdown',
		{ modelMetrics: { m: { requests: { count: 1 }, usage: { inputTokens, outputTokens: 5 } } }, ...data },
		{ id },
	);
const inputOf = async (lines: readonly string[]) =>
	(await readLines(copilotCli, LOG, lines)).told.total().input;
const troubleIn = async (data: object) =>
	(await readLines(copilotCli, LOG, [event('session.error', data)])).told.troubles;

describe("Copilot CLI's event logs", () => {
	it('lie where the program keeps its state, one for a session', () => {
		expect(copilotCli.roots({}, '/home/dev')).toEqual(['/home/dev/.copilot/session-state']);
		expect(copilotCli.roots({ COPILOT_HOME: '/data/c' }, '/home/dev')).toEqual(['/data/c/session-state']);
		expect(copilotCli.identify(LOG)).toEqual({ sessionId: 's-1', mode: 'lines', isSubagent: false });
		expect(copilotCli.identify('C:\\Users\\d\\.copilot\\session-state\\s-2\\events.jsonl')?.sessionId).toBe(
			's-2',
		);
		expect(copilotCli.identify('/home/dev/app/events.jsonl')).toBeNull();
		expect(copilotCli.identify('/home/dev/.copilot/session-state/s-1/workspace.yaml')).toBeNull();
	});

	// What the stub reported: 2001+701, 2002+702, … (input with cached), 61, 62, … out, reasoning included.
	it.each([
		['1.0.102-resumed', { 'stub-model': tokens(8010 - 2810, 2810, 250) }],
		['1.0.71-resumed', { 'stub-model': tokens(8010 - 2810, 2810, 250) }],
		[
			'1.0.48-resumed',
			{ 'stub-model': tokens(6006 - 2106, 2106, 186), 'other-model': tokens(1300, 704, 64) },
		],
		['1.0.102-killed', { 'stub-model': tokens(6006 - 2106, 2106, 186) }],
		['1.0.102-subagent', { 'stub-model': tokens(6006 - 2106, 2106, 186) }],
		['1.0.102-anthropic', { 'claude-x': tokens(111, 2000, 77, 300) }],
	])('of %s add up to what the provider was asked for', async (name, usage) => {
		const files = [...(await readRecording(copilotCli, `copilot-${name}`)).values()];
		expect(files).toHaveLength(1);
		expect(byModel(files)).toEqual(usage);
		expect(files[0]?.left).toEqual({ lines: 0, numbers: 0 });
		expect(files[0]?.known).toMatchObject({ directory: '/home/dev/app' });
	});

	it("tell a subagent's calls apart from the agent's own", async () => {
		const [told] = (await readRecording(copilotCli, 'copilot-1.0.102-subagent')).values();
		expect(told?.reports.map(({ sidechain }) => sidechain)).toEqual([false, true, false]);
	});

	it('count the totals only for what no record told', async () => {
		expect(await inputOf([record(1, 100), shutdown('e1', 100)])).toBe(100);
		expect(await inputOf([record(1, 100), shutdown('e1', 140)])).toBe(140);
		expect(await inputOf([shutdown('e1', 140), record(1, 100)])).toBe(240);
	});

	it('go on after a resume where the version goes on, and begin anew where it does not', async () => {
		const resume = event('session.resume', {});
		expect(await inputOf([shutdown('e1', 100), resume, shutdown('e2', 250)])).toBe(250);
		expect(await inputOf([shutdown('e1', 100, {}), resume, shutdown('e2', 250, {})])).toBe(350);
		// A count that was lost: it cannot go on from less.
		expect(await inputOf([shutdown('e1', 100), resume, shutdown('e2', 30)])).toBe(130);
	});

	it('keep their counts when a session ends without a call of its own', async () => {
		const empty = event('session.shutdown', { totalNanoAiu: 0, modelMetrics: {} });
		expect(await inputOf([shutdown('e1', 100), empty, shutdown('e2', 150)])).toBe(150);
	});

	it('take any name for a model', async () => {
		const { told } = await readLines(copilotCli, LOG, [
			record(1, 10, { model: '__proto__' }),
			record(2, 10, { model: 'constructor' }),
			shutdown('e1', 10),
		]);
		expect(told.total().input).toBe(30);
	});

	it('are read over separators that are no line feeds, and lines of megabytes', async () => {
		const long = record(1, 100, { note: `a\u2028b\u2029${'x'.repeat(1_700_000)}` });
		expect(await inputOf([long])).toBe(100);
	});

	it.each([
		['e429', { error: 'rate_limit', status: 429, resetsAt: Date.parse('2026-12-01T11:38:51.882Z') }],
		['e402', { error: 'billing_error', status: 402, resetsAt: null }],
		['e401', { error: 'authentication_failed', status: 401 }],
		['e503', { error: 'server_error', status: 503 }],
		['refused', { error: 'connection', status: null }],
	])('tell of %s at the provider', async (name, trouble) => {
		const [told] = (await readRecording(copilotCli, `copilot-1.0.102-${name}`)).values();
		expect(told?.troubles).toMatchObject([{ ...trouble, model: 'stub-model', isRetry: false }]);
	});

	it("do not take the agent's own error for the provider's", async () => {
		const [told] = (await readRecording(copilotCli, 'copilot-1.0.102-e400')).values();
		expect(told?.troubles).toEqual([]);
		expect(await troubleIn({ errorType: 'context_limit', message: 'too long', statusCode: 400 })).toEqual([]);
		expect(await troubleIn({ errorType: 'policy', message: 'not allowed' })).toEqual([]);
	});

	it.each([
		[
			{ errorType: 'quota', errorCode: 'quota_exceeded', message: 'x', statusCode: 429 },
			'billing_error',
			null,
		],
		[{ errorType: 'query', message: '402 You have no quota', statusCode: 402 }, 'billing_error', null],
		[
			{
				errorType: 'rate_limit',
				message: 'Please retry after 2733 seconds. (user_global_rate_limited:pro)',
				statusCode: 429,
			},
			'rate_limit',
			2733,
		],
		[{ errorType: 'rate_limit', message: 'Please try again in 58 hours.' }, 'rate_limit', 58 * 3600],
	])('know a spent quota from a limit that passes: %j', async (data, error, seconds) => {
		const resetsAt = seconds === null ? null : Date.parse('2026-11-30T09:00:00.000Z') + seconds * 1000;
		expect(await troubleIn(data)).toMatchObject([{ error, resetsAt }]);
	});

	it('are not moved by a prompt or an output that quotes one of their lines', async () => {
		const quote = record(9, 1_000_000);
		const { told } = await readLines(copilotCli, LOG, [
			event('user.message', { content: quote }),
			event('tool.execution_complete', {
				result: { content: event('session.error', { errorType: 'rate_limit' }) },
			}),
			event('tool.execution_start', { arguments: JSON.parse(quote) }),
		]);
		expect(told).toMatchObject({ reports: [], troubles: [], left: { lines: 0, numbers: 0 } });
	});

	it.each([-1, 1e13, 1.5, 'NaN', '12', Number.MAX_SAFE_INTEGER])('leave out a count of %s', async (count) => {
		const { told } = await readLines(copilotCli, LOG, [
			record(1, 10, { outputTokens: count }),
			record(2, 10),
		]);
		expect(told.left).toEqual({ lines: 0, numbers: 1 });
		expect(told.total()).toEqual(tokens(10, 0, 5));
	});

	it('tell the same in parts, wherever these meet', async () => {
		const line = fc.oneof(
			fc.tuple(fc.nat(50), fc.nat(500)).map(([sequence, input]) => record(sequence, input)),
			fc
				.tuple(fc.uuid(), fc.nat(900), fc.boolean())
				.map(([id, input, isNew]) => shutdown(id, input, isNew ? { totalNanoAiu: 0 } : {})),
			fc.constantFrom(
				event('session.resume', { context: { cwd: '/home/dev/app' } }),
				event('session.model_change', { newModel: 'other' }),
				event('session.error', { errorType: 'rate_limit', message: 'x' }),
				'{"type":"session.',
				'',
			),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.nat(20), async (lines, cut) => {
				const { whole, parts } = await tellsTheSameInParts(copilotCli, LOG, lines, cut);
				expect(parts).toEqual(whole);
			}),
		);
	});

	it('never make the reader fail', async () => {
		const lines = readFileSync('test/recordings/copilot-cli.events.jsonl', 'utf8').trimEnd().split('\n');
		await fc.assert(
			fc.asyncProperty(fc.array(mangled(lines), { maxLength: 8 }), async (some) => {
				const { told } = await readLines(copilotCli, LOG, some);
				expect(told.reports.every(({ usage }) => Object.values(usage).every(Number.isSafeInteger))).toBe(
					true,
				);
			}),
		);
	});
});
