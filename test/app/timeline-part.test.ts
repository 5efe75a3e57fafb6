/** What the programs really sent, stored as it comes, and read again as a timeline, page by page. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TimelinePart } from '../../src/main/app/timeline-part.ts';
import type { Agent } from '../../src/main/floor/agent.ts';
import { openDatabase } from '../../src/main/store/database.ts';
import { FloorStore } from '../../src/main/store/floor-store.ts';
import type { TimelineEntry } from '../../src/shared/timeline.ts';
import { recordingOf } from '../hooks/dialect-payloads.ts';
import { agentRow, eventRow } from '../store/rows.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { FloorFixture } from '../support/floor-fixture.ts';

const SECOND = 1_000;

function opened() {
	const { database } = openDatabase(temporaryDirectory());
	const store = new FloorStore(database, () => {});
	onTestFinished(() => store.dispose());
	const { floor, agent } = withAnAgent();
	const part = new TimelinePart({
		floor,
		store,
		retention: () => ({ eventDays: 14, eventMegabytes: 256 }),
		onError: (where, error) => {
			throw new Error(where, { cause: error });
		},
	});
	return { store, part, agent };
}

/** A floor that knows one agent, `claude-code:s1`. */
function withAnAgent() {
	const fixture = new FloorFixture();
	fixture.happen({ kind: 'prompt', text: 'x' });
	const [agent] = fixture.floor.agents();
	if (!agent) throw new Error('no agent');
	return { floor: fixture.floor, agent };
}

type Body = Readonly<Record<string, unknown>>;

function add(
	store: FloorStore,
	agent: Agent,
	at: number,
	name: string,
	body: Body,
	client = 'claude-code',
): void {
	store.appendEvents([
		eventRow({ at, agentId: agent.id, client, name, dedupeKey: null, body: JSON.stringify(body) }),
	]);
}

/** A line for each entry: from, to, kind, what. Times in seconds. */
function lines(entries: readonly TimelineEntry[]): string[] {
	return entries.map((entry) => {
		const end = entry.endedAt === null ? '…' : entry.endedAt / SECOND;
		return `${entry.at / SECOND}-${end} ${wordsOf(entry)}`;
	});
}

function wordsOf(entry: TimelineEntry): string {
	switch (entry.kind) {
		case 'turn':
			return `turn ${entry.outcome}`;
		case 'tool':
			return `${entry.tool} ${entry.outcome}`;
		case 'wait':
			return 'wait';
		case 'mark':
			return entry.mark;
		case 'session':
			return entry.text;
		default:
			return entry.kind;
	}
}

/** A second between two events. */
function timelineOf(client: string, name: string): string[] {
	const { store, part, agent } = opened();
	for (const [index, { event, body }] of recordingOf(client, name).entries())
		add(store, agent, index * SECOND, event, body, client);
	return lines(part.page(agent.id, null, 500).entries);
}

describe('what a program sent', () => {
	it.each([
		[
			'claude-code',
			'basic',
			[
				'0-0 session started (startup)',
				'1-6 turn done',
				'2-3 Bash ok',
				'4-5 Bash failed',
				'7-7 session ended (other)',
			],
		],
		[
			'claude-code',
			'rate-limited',
			['0-0 session started (startup)', '1-2 turn failed', '3-3 session ended (other)'],
		],
		[
			'codex',
			'permission',
			[
				'0-0 session started (startup)',
				'1-4 turn done',
				'2-… Bash unknown',
				'3-4 wait',
				'5-5 session ended (other)',
			],
		],
		[
			'codex',
			'subagents',
			[
				'0-0 session started (startup)',
				'1-11 turn done',
				'2-3 Agent ok',
				'4-4 subagent default started',
				'6-10 Bash ok',
				'7-8 Bash ok',
				'9-9 subagent default ended',
				'12-12 session ended (other)',
			],
		],
		[
			'copilot-cli',
			'basic',
			['0-0 session started (new)', '1-5 turn done', '2-4 Bash ok', '6-6 session ended (complete)'],
		],
		[
			'cursor',
			'basic',
			['0-0 session started', '1-4 turn done', '2-3 Bash ok', '5-5 session ended (user_close)'],
		],
		[
			'gemini-cli',
			'basic',
			['0-0 session started (startup)', '1-6 turn done', '3-4 Bash ok', '7-7 session ended (exit)'],
		],
		['opencode', 'permission', ['0-0 session started (new)', '1-6 turn done', '2-4 Bash ok', '3-4 wait']],
		[
			'opencode',
			'rate-limited',
			[
				'0-0 session started (new)',
				'1-5 turn done',
				'2-2 rate-limit',
				'3-3 rate-limit',
				'6-6 session ended (exit)',
			],
		],
		[
			'qwen-code',
			'denied',
			[
				'0-0 session started (startup)',
				'2-12 turn done',
				'3-… Bash unknown',
				'5-6 Read ok',
				'9-… Bash unknown',
			],
		],
	])('%s, %s: turns, calls and waits with their times', (client, name, expected) => {
		expect(timelineOf(client, name)).toEqual(expected);
	});
});

const session = { session_id: 's1', cwd: '/w/app' };
const prompt = { ...session, hook_event_name: 'UserPromptSubmit', prompt: 'do it' };
const call = (id: string): Body => ({
	...session,
	hook_event_name: 'PreToolUse',
	tool_name: 'Bash',
	tool_use_id: id,
	tool_input: { command: id },
});
const result = (id: string): Body => ({ ...call(id), hook_event_name: 'PostToolUse', tool_response: {} });

describe('a page', () => {
	/** All pages, the oldest first. */
	function pagesOf(part: TimelinePart, agent: Agent, limit: number): TimelineEntry[][] {
		const pages: TimelineEntry[][] = [];
		let before: number | null = null;
		do {
			const page = part.page(agent.id, before, limit);
			pages.unshift(page.entries);
			if (before !== null && page.olderBefore !== null) expect(page.olderBefore).toBeLessThan(before);
			before = page.olderBefore;
		} while (before !== null);
		return pages;
	}

	it('with all others tells what one page of everything tells, wherever it is cut', () => {
		const step = fc.constantFrom('prompt', 'call', 'result', 'end', 'wait');
		fc.assert(
			fc.property(
				fc.array(step, { minLength: 5, maxLength: 60 }),
				fc.integer({ min: 1, max: 12 }),
				(steps, limit) => {
					const { store, part, agent } = opened();
					const open: string[] = [];
					for (const [index, kind] of steps.entries()) {
						const at = (index + 1) * SECOND;
						if (kind === 'prompt') add(store, agent, at, 'UserPromptSubmit', prompt);
						else if (kind === 'call') {
							open.push(`c${index}`);
							add(store, agent, at, 'PreToolUse', call(`c${index}`));
						} else if (kind === 'result')
							add(store, agent, at, 'PostToolUse', result(open.shift() ?? 'lost'));
						else if (kind === 'end') add(store, agent, at, 'Stop', session);
						else
							add(store, agent, at, 'Notification', {
								...session,
								notification_type: 'permission_prompt',
								message: 'may I?',
							});
					}
					const whole = part.page(agent.id, null, 500).entries;
					expect(pagesOf(part, agent, limit).flat()).toEqual(whole);
					store.dispose();
				},
			),
			{ numRuns: 40 },
		);
	});

	it('ends what went on beyond it, and says nothing runs where the agent went on', () => {
		const { store, part, agent } = opened();
		add(store, agent, 1 * SECOND, 'UserPromptSubmit', prompt);
		add(store, agent, 2 * SECOND, 'PreToolUse', call('slow'));
		add(store, agent, 3 * SECOND, 'PreToolUse', call('never told'));
		add(store, agent, 4 * SECOND, 'UserPromptSubmit', prompt);
		add(store, agent, 9 * SECOND, 'PostToolUse', result('slow'));
		const newest = part.page(agent.id, null, 2);
		expect(lines(newest.entries)).toEqual(['4-… turn running']);
		expect(lines(part.page(agent.id, newest.olderBefore, 5).entries)).toEqual([
			'1-… turn unknown',
			'2-9 Bash ok',
			'3-… Bash unknown',
		]);
	});

	it('of an agent that is gone has nothing that runs', () => {
		const { store, part, agent } = opened();
		add(store, agent, SECOND, 'UserPromptSubmit', prompt);
		add(store, agent, 2 * SECOND, 'PreToolUse', call('a'));
		expect(lines(part.page(agent.id, null, 9).entries)).toEqual(['1-… turn running', '2-… Bash running']);
		agent.exited = { reason: 'its process is gone', at: 3 * SECOND };
		expect(lines(part.page(agent.id, null, 9).entries)).toEqual(['1-… turn unknown', '2-… Bash unknown']);
	});

	it('says what is not kept, and for how long it would be', () => {
		const { store, part, agent } = opened();
		expect(part.page(agent.id, null, 9).missing).toMatch(/No event of it is kept.*14 days.*256 MB/);
		add(store, agent, agent.firstSeenAt + 60 * SECOND, 'UserPromptSubmit', prompt);
		expect(part.page(agent.id, null, 9).missing).toMatch(/came before is not kept any more.*14 days/);
	});

	it('passes over a body that cannot be read any more', () => {
		const { store, part, agent } = opened();
		add(store, agent, SECOND, 'UserPromptSubmit', prompt);
		store.appendEvents([
			eventRow({ at: 2 * SECOND, agentId: agent.id, client: 'claude-code', dedupeKey: null, body: '{"cut' }),
		]);
		add(store, agent, 3 * SECOND, 'Stop', session);
		expect(lines(part.page(agent.id, null, 9).entries)).toEqual(['1-3 turn done']);
	});
});

describe('who answered', () => {
	it('is kept once for each change, and the last one outlives the events', async () => {
		const { store, part, agent } = opened();
		store.saveAgent(agentRow({ id: agent.id }));
		const served = { harness: 'cloud', at: 'api', model: 'large', asked: 'large', since: 1 } as const;
		agent.served = served;
		part.answered(agent);
		part.answered(agent);
		agent.served = { ...served, model: 'small', since: 2 * SECOND };
		part.answered(agent);
		const span = { agentId: agent.id, from: 0, before: 1e15 };
		expect(store.timeline.models(span).map(({ model }) => model)).toEqual(['large', 'small']);
		await store.prune({ now: 30 * 86_400_000, eventDays: 14, eventMegabytes: 256 });
		expect(store.timeline.models(span).map(({ model }) => model)).toEqual(['small']);
		store.removeAgents([agent.id]);
		await store.prune({ now: 30 * 86_400_000, eventDays: 14, eventMegabytes: 256 });
		expect(store.timeline.models(span)).toEqual([]);
	});
});
