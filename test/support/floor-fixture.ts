/** A floor with short words for its events, on a clock that the test turns. */

import type { Agent } from '../../src/main/floor/agent.ts';
import type { EventContext, FloorEvent, Happening } from '../../src/main/floor/events.ts';
import { type Answer, Floor } from '../../src/main/floor/floor.ts';
import type { FloorRecord } from '../../src/main/floor/records.ts';
import type { ReadOnlyJudge } from '../../src/main/floor/standing.ts';
import { type Settings, settingsSchema } from '../../src/shared/settings.ts';

export const T0 = 1_796_000_000_000;
export const BEAT_MS = 30_000;

const readingTools: ReadOnlyJudge = (tool) =>
	tool === 'Read' ? { readOnly: true, why: 'reads' } : { readOnly: false, why: `${tool} may write` };

export class FloorFixture {
	settings: Settings;
	now = T0;
	readonly records: FloorRecord[] = [];
	readonly floor: Floor;
	#calls = 0;

	constructor(settings: Record<string, unknown> = {}) {
		this.settings = settingsSchema.parse(settings);
		this.floor = new Floor({ getSettings: () => this.settings, isReadOnly: readingTools });
		this.floor.onRecord((record) => this.records.push(record));
	}

	event(happening: Happening, context: Partial<EventContext> = {}): FloorEvent {
		return {
			at: this.now,
			client: 'claude-code',
			name: happening.kind,
			sessionId: 's1',
			subagentId: null,
			subagentType: null,
			directory: '/w/app',
			transcriptPath: null,
			model: null,
			process: null,
			dedupeKey: null,
			...context,
			...happening,
		};
	}

	/** The whole life of an event: answered, sent, counted. */
	happen(happening: Happening, context: Partial<EventContext> = {}): Answer {
		const event = this.event(happening, context);
		const answer = this.floor.answer(
			event,
			event.kind === 'tool-result' || event.kind === 'tool-call' || event.kind === 'prompt',
		);
		this.floor.settle(answer, this.now);
		this.floor.apply(event, answer.verdict);
		return answer;
	}

	/** One call of a tool with its result, a second later. */
	use(
		tool: string,
		input: unknown,
		result = 'same',
		context: Partial<EventContext> = {},
	): { before: Answer; after: Answer } {
		this.#calls += 1;
		const callId = `call-${this.#calls}`;
		const before = this.happen({ kind: 'tool-call', callId, tool, input }, context);
		this.now += 1_000;
		if (before.verdict.kind === 'deny' || before.verdict.kind === 'halt') return { before, after: before };
		const after = this.happen(
			{
				kind: 'tool-result',
				callId,
				tool,
				input,
				result,
				failed: true,
				interrupted: false,
				durationMs: 1_000,
				changedFile: null,
			},
			context,
		);
		return { before, after };
	}

	loop(times: number, command = 'npm test'): void {
		for (let i = 0; i < times; i += 1) this.use('Bash', { command });
	}

	/** The next beat, thirty seconds on. */
	beat(): void {
		this.now += BEAT_MS;
		this.floor.beat(this.now);
	}

	agent(sessionId = 's1'): Agent {
		const agent = this.floor.agentOfSession('claude-code', sessionId);
		if (!agent) throw new Error(`no agent of session ${sessionId}`);
		return agent;
	}

	transitions(): string[] {
		return this.records.flatMap((record) =>
			record.kind === 'transition' ? [`${record.from}>${record.to}`] : [],
		);
	}
}
