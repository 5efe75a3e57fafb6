import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capShare, hasAllWords, matchesTerms, parseFilter } from '../../src/renderer/store/agent-filter.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { groupOf } from '../../src/shared/attention.ts';
import { anAgent, aState, NOW } from './agents.ts';

const cap = (count: number) => ({
	arm: 'agent-token-cap' as const,
	counted: 'work tokens',
	count,
	limit: 100,
	unit: 'tokens',
	note: '',
});

const agents = {
	busy: anAgent('busy', {
		repository: { name: 'shop', path: '/home/ada/code/shop' },
		model: 'qwen3-coder:30b',
	}),
	asking: anAgent('asking', { state: aState('waiting', { needsYou: true, reason: 'permission for Bash' }) }),
	done: anAgent('done', { client: 'codex', state: aState('waiting', { reason: 'turn done' }) }),
	reading: anAgent('reading', { standing: 'constrained', level: 'constrained', arms: [cap(60)] }),
	held: anAgent('held', { standing: 'stopped', order: { kind: 'hold', words: '', at: NOW } }),
};

const found = (filter: string): string[] =>
	Object.entries(agents).flatMap(([name, agent]) => (matches(agent, filter) ? [name] : []));
const matches = (agent: AgentView, filter: string) =>
	matchesTerms(agent, parseFilter(filter), groupOf(agent));

describe('the words of the filter', () => {
	it.each([
		['', 'busy asking done reading held'],
		['  ', 'busy asking done reading held'],
		['BUSY', 'busy'],
		['turn done', 'done'],
		['"turn done"', 'done'],
		['"done turn"', ''],
		['"permission for', 'asking'],
		['level:constrained', 'reading'],
		['level:con', 'reading'],
		['level:held', 'held'],
		['level:stopped', 'held'],
		['-level:healthy', 'reading held'],
		['state:waiting', 'asking done'],
		['state:working', 'busy'],
		['state:"needs you"', 'asking'],
		['needs:you', 'asking'],
		['-needs:you state:waiting', 'done'],
		['repo:shop', 'busy'],
		['repo:"/home/ada/code/asking"', 'asking'],
		['model:qwen3-coder:30b', 'busy'],
		['qwen3-coder:30b', 'busy'],
		['client:codex', 'done'],
		['Client:CODEX', 'done'],
		['cap:50', 'reading'],
		['cap:61', ''],
		['cap:x', ''],
		['level:', 'busy asking done reading held'],
		['-', 'busy asking done reading held'],
		['-busy -held', 'asking done reading'],
		['-"permission for"', 'busy done reading held'],
		['http://nothing', ''],
		['constructor:x', ''],
	])('%j finds “%s”', (filter, names) => {
		expect(found(filter)).toEqual(names.split(' ').filter(Boolean));
	});

	it('looks for a minus alone as it is written', () => {
		expect(parseFilter('-')).toEqual([{ field: null, text: '-', negated: false }]);
	});

	const aFilter = fc.string({ unit: fc.constantFrom(...'ab:- "\\/é.', 'level:', 'repo:"') });

	it('reads anything, and what a term denies is exactly what it does not find', () => {
		fc.assert(
			fc.property(aFilter, (filter) => {
				for (const term of parseFilter(filter)) {
					expect(term.text).not.toBe('');
					const denied = { ...term, negated: !term.negated };
					for (const agent of Object.values(agents)) {
						const group = groupOf(agent);
						expect(matchesTerms(agent, [term], group)).toBe(!matchesTerms(agent, [denied], group));
					}
				}
			}),
		);
	});

	it('finds what holds for each of its parts', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('a', '-b', 'level:h', '"a b"', 'repo:ada')), (parts) => {
				for (const agent of Object.values(agents)) {
					expect(matches(agent, parts.join(' '))).toBe(parts.every((part) => matches(agent, part)));
				}
			}),
		);
	});

	it('finds any name in quotes, whatever is in it', () => {
		fc.assert(
			fc.property(
				fc.string().filter((name) => name.trim() !== '' && !name.includes('"')),
				(name) => {
					expect(matches(anAgent('x', { name }), `"${name}"`)).toBe(true);
				},
			),
		);
	});
});

describe('bare texts', () => {
	it('have words and phrases, and no fields', () => {
		const texts = ['/home/ada/shop', 'Codex'];
		expect(hasAllWords(texts, 'codex shop')).toBe(true);
		expect(hasAllWords(texts, '-codex')).toBe(false);
		expect(hasAllWords(texts, 'level:healthy')).toBe(false);
		expect(hasAllWords(texts, '')).toBe(true);
	});
});

it('takes the cap that is nearest, and none for nothing', () => {
	expect(capShare({ arms: [cap(20), { ...cap(0), count: null }, cap(70)] })).toBe(0.7);
	expect(capShare({ arms: [{ ...cap(500), arm: 'repeated-tool' }] })).toBe(0);
	expect(capShare({ arms: [] })).toBe(0);
});
