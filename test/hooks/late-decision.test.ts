/** A reply that came after its client had given up was no decision: what it refused may have run. */
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FloorEvent } from '../../src/main/floor/events.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import { order, steer } from '../../src/main/floor/orders.ts';
import type { Verdict } from '../../src/main/floor/verdict.ts';
import { codexDialect } from '../../src/main/hooks/codex.ts';
import { hookRoutes } from '../../src/main/hooks/routes.ts';
import { settingsSchema } from '../../src/shared/settings.ts';

const settings = settingsSchema.parse({});
const BODY = { session_id: 's1', cwd: '/w', tool_name: 'Bash', tool_input: { command: 'rm -rf /' } };

let floor: Floor;
let counted: FloorEvent[];
let wake: () => void;
let server: ReturnType<typeof Fastify>;
let url: string;
/** Of the consent that is being asked for; none is without one. */
let asked: PromiseWithResolvers<Verdict | null> | null;
let abandoned: PromiseWithResolvers<void>;
let wasAsked: () => void;

beforeEach(async () => {
	floor = new Floor({ getSettings: () => settings, isReadOnly: () => ({ readOnly: false, why: 'x' }) });
	counted = [];
	wake = () => {};
	asked = null;
	abandoned = Promise.withResolvers<void>();
	wasAsked = () => {};
	server = Fastify({ forceCloseConnections: true });
	await server.register(hookRoutes, {
		floor,
		dialects: [codexDialect],
		now: () => 1_000 + counted.length,
		identifyProcess: async () => null,
		onEvent: (event: FloorEvent) => {
			counted.push(event);
			wake();
		},
		consent: ({ kind }: FloorEvent) => {
			if (kind !== 'tool-call' || asked === null) return null;
			wasAsked();
			return { verdict: asked.promise, abandon: () => abandoned.resolve() };
		},
		isDemoPlaying: () => false,
		onError: (error: unknown) => {
			throw error;
		},
	});
	url = await server.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(() => server.close());

const post = (event: string, more: object = {}, signal?: AbortSignal) =>
	fetch(`${url}/hooks/codex/${event}`, {
		method: 'POST',
		body: JSON.stringify({ ...BODY, ...more }),
		signal: signal ?? null,
	});
/** Waits until so many events are counted. */
const until = async (events: number) => {
	while (counted.length < events) await new Promise<void>((resolve) => (wake = resolve));
};
const agent = () => {
	const found = floor.agentOfSession('codex', 's1');
	if (!found) throw new Error('no agent');
	return found;
};
const late = () => floor.incidents.all().filter(({ kind }) => kind === 'late-decision');

/** The client leaves while the operator is asked; then the answer comes. */
async function givesUp(answer: Verdict | null): Promise<void> {
	const consent = Promise.withResolvers<Verdict | null>();
	const asking = new Promise<void>((resolve) => (wasAsked = resolve));
	asked = consent;
	const client = new AbortController();
	const reply = post('PreToolUse', { tool_use_id: 'c1' }, client.signal).catch(() => 'gone');
	await asking;
	client.abort();
	expect(await reply).toBe('gone');
	await abandoned.promise;
	const events = counted.length + 1;
	consent.resolve(answer);
	await until(events);
}

it('a refusal that nobody heard is not shown as one: the call ran, and what was late is said', async () => {
	await post('UserPromptSubmit', { prompt: 'go' });
	await until(1);
	await givesUp({ kind: 'deny', reason: 'no' });
	expect(agent().calls).toMatchObject([{ callId: 'c1', outcome: 'running' }]);
	expect(agent().denials).toBe(0);
	expect(late()).toMatchObject([
		{ agentId: agent().id, severity: 'attention', detail: expect.stringContaining('may have run') },
	]);
});

it('nothing is said where nothing was refused', async () => {
	await post('UserPromptSubmit', { prompt: 'go' });
	await until(1);
	await givesUp(null);
	expect(agent().calls).toMatchObject([{ outcome: 'running' }]);
	expect(late()).toEqual([]);
});

it('a note that nobody heard waits for the next event', async () => {
	await post('UserPromptSubmit', { prompt: 'go' });
	await until(1);
	steer(floor, agent().id, 'look at the log', 2);
	await givesUp(null);
	const reply = await post('PostToolUse', { tool_use_id: 'c1', tool_response: 'x' });
	expect(JSON.stringify(await reply.json())).toContain('look at the log');
});

it('a refusal that was heard is one', async () => {
	await post('UserPromptSubmit', { prompt: 'go' });
	await until(1);
	order(floor, agent().id, 'stop', '', 2);
	await post('PreToolUse', { tool_use_id: 'c1' });
	await until(2);
	expect(agent().calls).toMatchObject([{ outcome: 'denied' }]);
	expect(late()).toEqual([]);
});
