/** "With 3 instead of 8 …", over a real floor with what its store has recorded. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PreviewPart } from '../../src/main/app/preview-part.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import { defaultSettings, type Settings } from '../../src/shared/settings.ts';
import type { SettingsPreview } from '../../src/shared/settings-preview.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { assistantLine } from '../usage/transcript-files.ts';

const SESSION = 'aaaaaaaa-0000-4000-8000-000000000002';
let floor: RunningTestFloor;

beforeEach(async () => {
	floor = await RunningTestFloor.start({ heartbeatSeconds: 30 }, async (home) => {
		const transcripts = join(home, '.claude/projects/shop');
		await mkdir(transcripts, { recursive: true });
		const lines = Array.from({ length: 3 }, (_, index) =>
			assistantLine({
				id: `m-${index}`,
				timestamp: new Date(Date.now() + 60_000 + index).toISOString(),
				sessionId: SESSION,
			}),
		);
		await writeFile(join(transcripts, `${SESSION}.jsonl`), `${lines.join('\n')}\n`);
	});
});
afterEach(() => floor.dispose());

const hook = (event: string, body: object = {}) =>
	floor.hook(event, { session_id: SESSION, cwd: '/w/shop', hook_event_name: event, ...body });

/** Too short a loop for the limits as they are. */
async function loop(calls: number): Promise<void> {
	await hook('UserPromptSubmit', { prompt: 'go' });
	for (let index = 0; index < calls; index += 1) {
		const call = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: `c${index}` };
		await hook('PreToolUse', call);
		await hook('PostToolUse', { ...call, tool_response: { stdout: 'passed' } });
	}
}

async function preview(patch: object): Promise<SettingsPreview> {
	const { ok, output, error } = await floor.request('settings:preview', { patch });
	if (!ok) throw new Error(JSON.stringify(error));
	return output as SettingsPreview;
}

describe('a preview', () => {
	it('of no change changes nothing; of a lower limit it tells the trips, and in which session', async () => {
		await loop(4);
		const same = await preview({});
		expect(same.after).toEqual(same.before);
		expect(same).toMatchObject({ sessions: 1, changed: [], changedSessions: 0, before: { trips: 0 } });
		expect(same.events).toBe(9);
		const lower = await preview({ breaker: { repeatedToolLimit: 2 } });
		expect(lower.before).toEqual(same.before);
		expect(lower.after.arms['repeated-tool']).toBeGreaterThan(0);
		expect(lower.changed).toMatchObject([
			{ sessionId: SESSION, name: 'shop', directory: '/w/shop', arm: 'repeated-tool' },
		]);
		// Nothing was changed by asking.
		expect(floor.snapshot().agents[0]).toMatchObject({ level: 'healthy' });
		expect((await floor.request('settings:get')).output).toMatchObject({ breaker: { repeatedToolLimit: 8 } });
	});

	it('plays what was spent, too', async () => {
		await loop(1);
		await vi.waitFor(() => expect(floor.snapshot().usage.session.work).toBeGreaterThan(0), {
			timeout: 10_000,
		});
		const { after, before } = await preview({ breaker: { agentTokenCaps: { [SESSION]: 1 } } });
		expect(before.trips).toBe(0);
		expect(after.arms['agent-token-cap']).toBeGreaterThan(0);
	});

	it('of a value that is not allowed is refused as saving it would be', async () => {
		const patch = { breaker: { repeatedToolLimit: 0 } };
		const [asked, saved] = [
			await floor.request('settings:preview', { patch }),
			await floor.request('settings:update', patch),
		];
		expect(asked.ok).toBe(false);
		expect(asked.error).toEqual(saved.error);
	});

	it('gives way to a newer one, and lets other work in between', async () => {
		const { part } = recorded(6_000);
		const first = part.preview({}, 0);
		await nextTurn();
		const second = part.preview({}, 0);
		let turns = 0;
		let isDone = false;
		const counting = (async () => {
			while (!isDone) {
				await nextTurn();
				turns += 1;
			}
		})();
		await expect(first).rejects.toMatchObject({ data: { code: 'not-possible' } });
		expect(await second).toMatchObject({ events: 6_000, sessions: 50, changedSessions: 0 });
		isDone = true;
		await counting;
		expect(turns).toBeGreaterThan(5);
	});

	it('names an agent that has left the floor, and what of three calls instead of eight it would have met', async () => {
		const { part, add, set } = recorded(50);
		add(5);
		const breaker = { ...defaultSettings.breaker, repeatedToolLimit: 3 };
		set({ ...defaultSettings, breaker });
		const { before, after, changed, notes } = await part.preview({ breaker: { repeatedToolLimit: 3 } }, 0);
		expect(before.trips).toBe(0);
		expect(after.arms['repeated-tool']).toBeGreaterThan(0);
		expect(after.highest.healthy).toBe(49);
		expect(changed).toMatchObject([
			{ sessionId: 's1', name: 's1', directory: '/w/s1', arm: 'repeated-tool' },
		]);
		expect(notes.join(' ')).toContain('after a note or a refusal is not known');
	});

	it('compares two plays of the same events, whatever is recorded meanwhile', async () => {
		const { part, add, set } = recorded(200);
		await part.preview({}, null);
		// A loop that trips with any settings, after the first play was made.
		add(60);
		set({ ...defaultSettings, notifications: { ...defaultSettings.notifications, done: false } });
		expect(await part.preview({ any: 1 }, null)).toMatchObject({
			events: 200,
			before: { trips: 0 },
			after: { trips: 0 },
			changedSessions: 0,
		});
	});
});

/** A floor's recordings in memory: steps of fifty sessions, and a loop of one that can be added later. */
function recorded(steps: number) {
	const event = (id: number, session: string, command: string) => ({
		id,
		at: 1_000_000 + id * 100,
		agentId: null,
		client: 'claude-code',
		name: 'PreToolUse',
		dedupeKey: null,
		bytes: 0,
		body: JSON.stringify({
			session_id: session,
			cwd: `/w/${session}`,
			tool_name: 'Bash',
			tool_input: { command },
		}),
	});
	const events = Array.from({ length: steps }, (_, id) => event(id, `s${id % 50}`, `${id}`));
	let wouldBe = defaultSettings;
	const part = new PreviewPart({
		floor: new Floor({
			getSettings: () => defaultSettings,
			isReadOnly: () => ({ readOnly: true, why: '' }),
		}),
		store: {
			eventsSince: (_, after, limit) => {
				const from = after === null ? 0 : after.id + 1;
				return events.slice(from, from + limit);
			},
			countEventsSince: () => events.length,
			startOfNewestEvents: () => null,
		},
		now: () => events.at(-1)?.at ?? 0,
		settings: () => defaultSettings,
		wouldBe: () => wouldBe,
		responsesSince: () => [],
	});
	return {
		part,
		add: (calls: number) => {
			for (let call = 0; call < calls; call += 1) events.push(event(events.length, 's1', 'again'));
		},
		set: (settings: Settings) => {
			wouldBe = settings;
		},
	};
}
