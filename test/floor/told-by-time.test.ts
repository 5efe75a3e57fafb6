import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Happening } from '../../src/main/floor/events.ts';
import {
	PROMPT_SILENCE_LIMIT_MS,
	SILENCE_LIMIT_MS,
	TOOL_SILENCE_LIMIT_MS,
} from '../../src/main/floor/state.ts';
import { viewOf } from '../../src/main/floor/view.ts';
import type { AgentView } from '../../src/shared/agent-view.ts';
import { FloorFixture } from '../support/floor-fixture.ts';

/** A window that was open all the time: it knows what it was told, nothing else. */
class OpenWindow {
	readonly agents = new Map<string, AgentView>();
	readonly #fixture: FloorFixture;

	constructor(fixture: FloorFixture) {
		this.#fixture = fixture;
	}

	hear(): number {
		const { agents, removedAgentIds } = this.#fixture.floor.takeChanges(this.#fixture.now);
		for (const agent of agents) this.agents.set(agent.id, agent);
		for (const id of removedAgentIds) this.agents.delete(id);
		return agents.length;
	}
}

const call: Happening = { kind: 'tool-call', callId: 'a', tool: 'Bash', input: { command: 'make' } };

describe('what time alone changes is told to a window that is open', () => {
	it.each([
		['an agent that fell silent while it was thinking', null, SILENCE_LIMIT_MS],
		['an agent that fell silent in a tool', call, TOOL_SILENCE_LIMIT_MS],
		['an agent that nobody came back to', { kind: 'turn-end', message: '' }, PROMPT_SILENCE_LIMIT_MS],
	] as const)('%s', (_name, happening, limit) => {
		const fixture = new FloorFixture();
		const window = new OpenWindow(fixture);
		fixture.happen({ kind: 'prompt', text: 'x' });
		if (happening) fixture.happen(happening);
		window.hear();
		const { id } = fixture.agent();
		fixture.now += limit - 30_000;
		fixture.beat();
		window.hear();
		expect(window.agents.get(id)?.state.kind).not.toBe('unverifiable');
		fixture.beat();
		expect(window.hear()).toBe(1);
		expect(window.agents.get(id)?.state.kind).toBe('unverifiable');
		fixture.beat();
		expect(window.hear(), 'nothing changed since').toBe(0);
	});

	it('a sleep of the machine, which was nobody’s silence', () => {
		const fixture = new FloorFixture();
		const window = new OpenWindow(fixture);
		fixture.happen({ kind: 'prompt', text: 'x' });
		const { id } = fixture.agent();
		fixture.now += SILENCE_LIMIT_MS + 1;
		fixture.beat();
		window.hear();
		fixture.floor.noteSleep(SILENCE_LIMIT_MS, fixture.now);
		window.hear();
		expect(window.agents.get(id)?.state).toEqual(viewOf(fixture.agent(), fixture.now).state);
		expect(window.agents.get(id)?.state.kind).toBe('live');
	});

	it('an agent that left the floor and came back', () => {
		const fixture = new FloorFixture();
		const window = new OpenWindow(fixture);
		fixture.happen({ kind: 'prompt', text: 'x' });
		window.hear();
		fixture.floor.remove(fixture.agent().id);
		window.hear();
		fixture.happen({ kind: 'prompt', text: 'y' });
		window.hear();
		expect([...window.agents.keys()]).toEqual([fixture.agent().id]);
	});

	it('after every beat it sees what a window sees that is opened now (property)', () => {
		const happenings: Happening[] = [
			{ kind: 'prompt', text: 'x' },
			call,
			{ kind: 'waiting', on: 'permission', message: 'm' },
			{ kind: 'turn-end', message: '' },
			{ kind: 'session-end', reason: 'other' },
		];
		const step = fc.record({
			happening: fc.option(fc.constantFrom(...happenings)),
			sessionId: fc.constantFrom('s1', 's2', 's3'),
			hears: fc.boolean(),
			passes: fc.constantFrom(1_000, SILENCE_LIMIT_MS, TOOL_SILENCE_LIMIT_MS, PROMPT_SILENCE_LIMIT_MS),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
				const fixture = new FloorFixture();
				const window = new OpenWindow(fixture);
				for (const { happening, sessionId, hears, passes } of steps) {
					if (happening) fixture.happen(happening, { sessionId });
					if (hears) window.hear();
					fixture.now += passes;
					fixture.beat();
					window.hear();
					expect([...window.agents.values()]).toEqual(fixture.floor.views(fixture.now));
				}
			}),
		);
	});
});
