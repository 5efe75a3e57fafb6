import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerInWords } from '../../src/main/gateway/answer-words.ts';

describe('an answer in words', () => {
	it.each([
		[
			'Anthropic',
			{
				content: [
					{ type: 'text', text: 'Hi' },
					{ type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
				],
			},
		],
		[
			'Chat',
			{
				choices: [
					{
						message: {
							content: 'Hi',
							tool_calls: [{ function: { name: 'Bash', arguments: '{"command":"ls"}' } }],
						},
					},
				],
			},
		],
		[
			'Responses',
			{
				output: [{ type: 'message' }, { type: 'function_call', name: 'Bash', arguments: '{"command":"ls"}' }],
			},
		],
	])('of %s keeps the calls that were wanted', (_protocol, answer) => {
		expect(answerInWords('Hi', answer)).toBe(
			'Hi\n\n[It wanted to call Bash {"command":"ls"}; nothing was run]',
		);
	});

	it('is the text where there is nothing else, whatever the answer is made of', () => {
		expect(answerInWords('Hi', null)).toBe('Hi');
		fc.assert(
			fc.property(
				fc.dictionary(fc.constantFrom('content', 'choices', 'output', 'x'), fc.jsonValue()),
				(answer) => {
					expect(answerInWords('Hi', answer).startsWith('Hi')).toBe(true);
				},
			),
		);
	});
});
