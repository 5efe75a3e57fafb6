import { describe, expect, test } from 'vitest';
import { type ProtocolId, protocolSchema } from '../../src/shared/failover-settings.ts';
import { dialects } from './provider-stub/dialects.ts';
import { offsetInStream } from './provider-stub/place.ts';
import { joinBytes, joinParts, type ScriptedAnswer } from './provider-stub/scripted-answer.ts';
import { readStrictly } from './strict-client.ts';

const spoken: ScriptedAnswer = {
	thinking: 'First the tests.',
	text: 'Grüße: I run them.',
	toolCalls: [
		{ name: 'Bash', input: { command: 'npm test' } },
		{ name: 'Read', input: { file: 'a.ts' } },
	],
};
const protocols: readonly ProtocolId[] = protocolSchema.options;

describe.each(protocols)('%s', (protocol) => {
	const dialect = dialects[protocol];
	const parts = dialect.parts(spoken, { model: 'm' });
	const told = { models: ['m'], texts: ['Grüße: I run them.'], thinking: 'First the tests.', breaches: [] };
	const calls = [
		{ name: 'Bash', input: { command: 'npm test' } },
		{ name: 'Read', input: { file: 'a.ts' } },
	];

	test('a good answer is read whole, streamed or not', () => {
		const good = { ...told, toolCalls: calls, end: 'clean', error: '' };
		expect(readStrictly(protocol, true, joinParts(parts))).toEqual(good);
		expect(readStrictly(protocol, false, dialect.answer(spoken, { model: 'm' }))).toEqual(good);
	});

	test('a cut is a cut, and half a tool call is none', () => {
		const at = offsetInStream(parts, 'mid-tool-arguments');
		const read = readStrictly(protocol, true, joinParts(parts).subarray(0, at));
		expect(read).toMatchObject({ end: 'cut', texts: told.texts });
		expect(read.toolCalls.every(({ input }) => input !== null)).toBe(true);
		expect(readStrictly(protocol, false, dialect.answer(spoken, {}).subarray(0, 40)).end).toBe('cut');
	});

	test('an error is an error, in a stream and in a body', () => {
		const error = { status: 529, type: 'overloaded_error', message: 'Overloaded' };
		const before = joinParts(parts).subarray(0, offsetInStream(parts, 'mid-text'));
		const event = dialect.errorEvent(error, { model: 'm' });
		const read = readStrictly(protocol, true, joinBytes([before, event]));
		expect(read).toMatchObject({ end: 'error', error: 'Overloaded' });
		expect(readStrictly(protocol, false, dialect.error(error))).toMatchObject({ end: 'error' });
	});

	test('breaches are seen: an end twice, a start twice, a part left out', () => {
		const breachesOf = (list: typeof parts): number =>
			readStrictly(protocol, true, joinParts(list)).breaches.length;
		const end = parts.filter(({ kind }) => kind === 'end');
		const text = parts.findIndex(({ kind }) => kind === 'text');
		const arguments_ = parts.findIndex(({ kind }, at) => kind === 'tool-arguments' && at > text + 3);
		expect(breachesOf([...parts, ...end])).toBeGreaterThan(0);
		expect(breachesOf([...parts, ...parts])).toBeGreaterThan(0);
		expect(breachesOf(parts.filter((_, at) => at !== arguments_ + 1))).toBeGreaterThan(0);
		expect(breachesOf(parts.filter(({ kind }) => kind === 'lifecycle' || kind === 'end'))).toBeGreaterThan(0);
	});
});
