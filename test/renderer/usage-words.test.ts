import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directoryName, seenPrograms } from '../../src/renderer/store/seen-programs.ts';
import { nextSort, sortedByUsage, type UsageSortKey } from '../../src/renderer/store/usage-order.ts';
import {
	differenceWords,
	localWords,
	readingWords,
	sinceWords,
	unpricedIn,
} from '../../src/renderer/store/usage-words.ts';
import type { Sighting } from '../../src/shared/sighting.ts';
import { NO_USAGE } from '../../src/shared/usage-view.ts';
import { usageView } from '../support/usage-views.ts';
import { anAgent, NOW } from './agents.ts';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const MB = 1024 ** 2;

describe('whose count it is', () => {
	it.each([
		[100_000, 101_000, []],
		[100_000, 99_000, []],
		[100_000, 101_100, ['The gateway counted 101 100 work tokens.']],
		[100_000, 98_900, ['The gateway counted 98 900 work tokens.']],
		[0, 0, []],
		[0, 5, ['The gateway counted 5 work tokens.']],
	])('of %d work tokens beside %d says where they differ by more than 1 %%', (work, other, words) => {
		const otherCounts = [{ source: 'gateway', work: other } as const];
		expect(differenceWords({ work, otherCounts }).map(plain)).toEqual(words);
	});
});

describe('since when it is counted', () => {
	const monday = new Date(2026, 10, 30).getTime();

	it.each([
		[14, 'date', 'since 00:00'],
		[14, 'weekday', 'since Monday 00:00'],
		[4 * 24, 'date', 'since 30 Nov 00:00'],
		[4 * 24, 'weekday', 'since Monday 00:00'],
	] as const)('%d hours later, by %s, is “%s”', (hours, day, words) => {
		expect(sinceWords(monday, monday + hours * 3_600_000, day)).toBe(words);
	});
});

describe('what was served on this machine', () => {
	it.each([
		[{ work: 50_000, localWork: 12_400 }, '12 400 of them served on this machine, free'],
		[{ work: 12_400, localWork: 12_400 }, 'all of them served on this machine, free'],
		[{ work: 50_000, localWork: 0 }, ''],
	])('%j is “%s”', (amount, words) => {
		expect(plain(localWords(amount))).toBe(words);
	});
});

describe('what is being read', () => {
	it.each([
		[340 * MB, 1024 * MB, '340 of 1 024 MB'],
		[1023.9 * MB, 1023.95 * MB, '1 023 of 1 024 MB'],
		[0, 20, '0 of 1 MB'],
	])('%d of %d bytes is “%s”, never whole before it is', (bytes, totalBytes, words) => {
		expect(plain(readingWords({ bytes, totalBytes, since: NOW }))).toBe(words);
	});
});

it('names every model without a price once', () => {
	const amount = (unpricedModels: string[]) => ({ ...NO_USAGE, unpricedModels });
	expect(unpricedIn([amount(['b', 'a']), null, amount(['a'])])).toEqual(['a', 'b']);
});

describe('agents by usage', () => {
	const agents = [
		anAgent('c', { usage: null }),
		anAgent('b', { usage: usageView({ work: 10, costUsd: null }) }),
		anAgent('a', { usage: usageView({ work: 10, costUsd: 2, today: { ...NO_USAGE, work: 3 } }) }),
		anAgent('d', { usage: usageView({ work: 90, costUsd: 0.5 }), client: 'codex' }),
	];
	const order = (key: UsageSortKey, descending: boolean) =>
		sortedByUsage(agents, { key, descending })
			.map(({ id }) => id)
			.join('');

	it.each([
		['session work', true, 'dabc'],
		['session work', false, 'abdc'],
		['session cost', true, 'adbc'],
		['session cost', false, 'dabc'],
		['today work', true, 'abcd'],
		['name', false, 'abcd'],
		['name', true, 'dcba'],
		['program', false, 'abcd'],
	] as const)('by %s (descending: %s) are %s: what is not known is last either way', (key, way, ids) => {
		expect(order(key, way)).toBe(ids);
	});

	it('keep every agent once, in an order that does not depend on theirs', () => {
		const some = fc.array(fc.option(fc.nat(5)), { maxLength: 12 });
		fc.assert(
			fc.property(some, fc.boolean(), (works, descending) => {
				const given = works.map((work, at) =>
					anAgent(`a${at}`, { usage: work === null ? null : usageView({ work }) }),
				);
				const sort = { key: 'session work', descending } as const;
				const sorted = sortedByUsage(given, sort);
				expect(new Set(sorted)).toEqual(new Set(given));
				expect(sortedByUsage([...given].reverse(), sort)).toEqual(sorted);
			}),
		);
	});

	it('turn round on the second click of a column, and begin with the most', () => {
		const first = nextSort({ key: 'name', descending: false }, 'week cost');
		expect(first).toEqual({ key: 'week cost', descending: true });
		expect(nextSort(first, 'week cost')).toEqual({ key: 'week cost', descending: false });
		expect(nextSort(first, 'name')).toEqual({ key: 'name', descending: false });
	});
});

describe('sessions that are seen', () => {
	const seen = (sessionId: string, change: Partial<Sighting> = {}): Sighting => ({
		client: 'codex',
		sessionId,
		directory: '/home/ada/shop',
		model: 'gpt-5.4',
		lastActivityAt: NOW,
		file: '/home/ada/.codex/x.jsonl',
		work: null,
		...change,
	});

	it('are told by program, in the order of their names, and keep their own order', () => {
		const programs = seenPrograms(
			[seen('1'), seen('2', { client: 'claude-code' }), seen('3'), seen('4', { client: 'claude-code' })],
			'',
		);
		expect(programs.map(({ client, sessions }) => [client, ...sessions.map((one) => one.sessionId)])).toEqual(
			[
				['claude-code', '2', '4'],
				['codex', '1', '3'],
			],
		);
	});

	it('are filtered by directory, program and model', () => {
		const all = [seen('1'), seen('2', { directory: null, model: null, client: 'gemini-cli' })];
		const found = (filter: string) =>
			seenPrograms(all, filter).flatMap(({ sessions }) => sessions.map((one) => one.sessionId));
		expect(found('SHOP gpt')).toEqual(['1']);
		expect(found('gemini')).toEqual(['2']);
		expect(found('nothing')).toEqual([]);
	});

	it.each([
		['/home/ada/shop', 'shop'],
		['/home/ada/shop/', 'shop'],
		['C:\\code\\shop', 'shop'],
		['/', '/'],
		['', ''],
	])('in %s are in “%s”', (path, name) => {
		expect(directoryName(path)).toBe(name);
	});
});
