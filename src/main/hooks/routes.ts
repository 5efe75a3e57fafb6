/**
 * The hook server's routes: `POST /hooks/<client>/<event>`. Read one payload's life from top to bottom here:
 * authorised by its header (server/authorise.ts), read, answered from memory, then counted and stored.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FloorEvent, ProcessIdentity } from '../floor/events.ts';
import type { Answer, Floor } from '../floor/floor.ts';
import { PASS, type Verdict } from '../floor/verdict.ts';
import type { Dialect, HookUsage } from './dialect.ts';
import { type HookBody, readHookBody } from './hook-body.ts';
import { readPayload } from './payload.ts';

export interface HookRouteOptions {
	readonly floor: Floor;
	readonly dialects: readonly Dialect[];
	/** Floor clock, ms since the epoch. */
	readonly now: () => number;
	readonly identifyProcess: (pid: number) => Promise<ProcessIdentity | null>;
	/** Told of every event that was counted, with its body as it came. */
	readonly onEvent: (event: FloorEvent, body: string, agentId: string, demo: boolean) => void;
	/** A hook told what a model call used. */
	readonly onUsage?: (event: FloorEvent, used: HookUsage) => void;
	/** Asks the operator about a tool call that needs their consent; `null`: it needs none. */
	readonly consent: (event: FloorEvent, withinMs: number) => ConsentWait | null;
	/** False: an event of a demo is a straggler of one that has ended, and is let go. */
	readonly isDemoPlaying: () => boolean;
	/** Anything that went wrong after the reply; never the agent's business. */
	readonly onError: (error: unknown) => void;
}

export interface ConsentWait {
	/** `null`: allowed, this once. */
	readonly verdict: Promise<Verdict | null>;
	/** The client waits no longer. */
	readonly abandon: () => void;
}

/** What a client is told when the floor has nothing to say: never an error in somebody's terminal. */
const NOTHING = '{}';
/** Of a hook that does not say how long it may take (installed by an earlier version). */
const HOOK_TIMEOUT_SECONDS = 5;
/** The answer has to travel, too. */
const ANSWER_MARGIN_MS = 1_500;

interface HookRequest {
	Params: { client: string; event: string };
	Querystring: { within?: string };
}

/** A Fastify plugin. Expects the request to be authorised already. */
export async function hookRoutes(app: FastifyInstance, options: HookRouteOptions): Promise<void> {
	const dialects = new Map(options.dialects.map((dialect) => [dialect.client, dialect]));
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', (_request, stream, done) => {
		readHookBody(stream).then((body) => done(null, body), done);
	});
	app.post<HookRequest>('/hooks/:client/:event', async (request, reply) => {
		const { client, event } = request.params;
		const dialect = dialects.get(client);
		const body = (request.body ?? { kind: 'read', bytes: new Uint8Array() }) as HookBody;
		if (!dialect) {
			reportUnreadable(options, client, 'this version of Agent Floor does not know that client');
			return send(reply, NOTHING);
		}
		if (!dialect.answers(event)) {
			send(reply, NOTHING);
			setImmediate(() => guarded(options, () => count(options, dialect, request, body, PASS)));
			return reply;
		}
		return answer(options, dialect, request, reply, body);
	});
}

async function answer(
	options: HookRouteOptions,
	dialect: Dialect,
	request: FastifyRequest<HookRequest>,
	reply: FastifyReply,
	body: HookBody,
): Promise<FastifyReply> {
	const parsed = await parse(options, dialect, request, body);
	if (!parsed) return send(reply, NOTHING);
	const { event, text } = parsed;
	const refused = await consentTo(options, request, reply, event);
	const judged = options.floor.answer(event, dialect.carriesNote(request.params.event));
	const answered = refused === null ? judged : withRefusal(judged, refused);
	let settled = false;
	const settle = (delivered: boolean): void => {
		if (settled) return;
		settled = true;
		guarded(options, () => {
			options.floor.settle(answered, delivered ? options.now() : null);
			// What nobody heard was decided too late: the agent went on as if the floor had no opinion.
			countParsed(options, event, text, delivered ? answered.verdict : PASS, isDemo(request));
			if (!delivered) reportLate(options, event, answered);
		});
	};
	// Nothing tells of a client that left while the operator was asked: its 'close' has been.
	if (reply.raw.destroyed) {
		settle(false);
		return reply.hijack();
	}
	// 'close' comes after 'finish'; whichever is first tells whether the client got its reply.
	reply.raw.once('finish', () => settle(true));
	reply.raw.once('close', () => settle(false));
	return send(reply, asciiJson(dialect.reply(request.params.event, answered.verdict)));
}

/** `null`: nobody has to be asked, or the operator allowed it. Waits for them otherwise. */
async function consentTo(
	options: HookRouteOptions,
	request: FastifyRequest<HookRequest>,
	reply: FastifyReply,
	event: FloorEvent,
): Promise<Verdict | null> {
	const wait = options.consent(event, patienceOf(request.query.within));
	if (!wait) return null;
	reply.raw.once('close', wait.abandon);
	return wait.verdict;
}

/** The client waits `within` seconds for its hook; the answer must be there before. */
function patienceOf(within: string | undefined): number {
	const seconds = Number(within);
	const known = Number.isFinite(seconds) && seconds > 0 ? seconds : HOOK_TIMEOUT_SECONDS;
	return Math.max(500, known * 1000 - ANSWER_MARGIN_MS);
}

/** What the floor already refuses stays refused for its own reason; a note goes along with the refusal. */
function withRefusal(answer: Answer, refused: Verdict): Answer {
	const { verdict } = answer;
	if (verdict.kind !== 'pass' && verdict.kind !== 'note') return answer;
	if (verdict.kind === 'pass' || refused.kind === 'pass' || refused.kind === 'note') {
		return { ...answer, verdict: refused };
	}
	return { ...answer, verdict: { ...refused, reason: `${refused.reason}\n\n${verdict.text}` } };
}

async function count(
	options: HookRouteOptions,
	dialect: Dialect,
	request: FastifyRequest<HookRequest>,
	body: HookBody,
	verdict: Verdict,
): Promise<void> {
	const parsed = await parse(options, dialect, request, body);
	if (parsed) countParsed(options, parsed.event, parsed.text, verdict, isDemo(request));
}

function countParsed(
	options: HookRouteOptions,
	event: FloorEvent,
	text: string,
	verdict: Verdict,
	demo: boolean,
): void {
	if (demo && !options.isDemoPlaying()) return;
	const agent = options.floor.apply(event, verdict, demo);
	if (agent) options.onEvent(event, text, agent.id, agent.demo);
}

async function parse(
	options: HookRouteOptions,
	dialect: Dialect,
	request: FastifyRequest<HookRequest>,
	body: HookBody,
): Promise<{ event: FloorEvent; text: string } | null> {
	const { client, event: name } = request.params;
	if (body.kind === 'too-large') {
		reportUnreadable(options, client, `a payload of ${name} is larger than ${body.limit / 1_048_576} MB`);
		return null;
	}
	const read = readPayload(body.bytes);
	if (!read.ok) {
		reportUnreadable(options, client, `a payload of ${name} could not be read: ${read.reason}`);
		return null;
	}
	const pid = Number(request.headers['x-agent-floor-pid']);
	const process = Number.isSafeInteger(pid) && pid > 1 ? await options.identifyProcess(pid) : null;
	const event = dialect.parse(name, read.payload, { at: options.now(), process });
	const used = dialect.usageOf?.(name, read.payload) ?? null;
	if (used !== null) options.onUsage?.(event, used);
	return { event, text: read.text };
}

function reportUnreadable({ floor, now }: HookRouteOptions, client: string, why: string): void {
	const shown = client.slice(0, 60);
	floor.incidents.report(
		`unreadable:${shown}`,
		{
			kind: 'unreadable-hook',
			severity: 'attention',
			title: `A hook of ${shown} could not be read`,
			detail: `Last: ${why}. The agent was not disturbed and works on, but that event was not counted. Check the version of ${shown} and its hooks.`,
			agentId: null,
		},
		now(),
	);
}

/** A refusal that came after its client had given up: it must be known that it was none. */
function reportLate({ floor, now }: HookRouteOptions, event: FloorEvent, { verdict, agentId }: Answer): void {
	if (verdict.kind === 'pass' || verdict.kind === 'note') return;
	const shown = event.client.slice(0, 60);
	floor.incidents.report(
		`late:${agentId ?? shown}`,
		{
			kind: 'late-decision',
			severity: 'attention',
			title: `${shown} did not wait for an answer`,
			detail: `It gave up on its hook ${event.name} before the refusal was there. What was to be refused may have run: look at what the agent did. The next call is refused again if the reason still holds.`,
			agentId,
		},
		now(),
	);
}

/** A demo names itself, so that its agents can never be taken for real ones. */
function isDemo(request: FastifyRequest): boolean {
	return request.headers['x-agent-floor-demo'] === '1';
}

function send(reply: FastifyReply, body: string): FastifyReply {
	return reply.code(200).header('content-type', 'application/json').send(body);
}

/** Some programs read what their hook prints piece by piece, or in the code page of a terminal: plain ASCII survives both. */
function asciiJson(value: Record<string, unknown>): string {
	return JSON.stringify(value).replace(
		/[\u0080-\uffff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function guarded(options: HookRouteOptions, work: () => void | Promise<void>): void {
	Promise.resolve()
		.then(work)
		.catch((error: unknown) => options.onError(error));
}
