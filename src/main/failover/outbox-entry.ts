/**
 * One entry of the outbox, with exactly the seed's fields (seed 003, section 4). What the seed has no field for
 * (attempts, reasons, the next attempt) stands in the payload, under `delivery`.
 */
import { z } from 'zod';
import { ChannelError } from '../../shared/channels.ts';
import { protocolSchema } from '../../shared/failover-settings.ts';
import { type OutboxKind, outboxKindSchema } from '../../shared/failover-view.ts';

/** `sent`: written before the transport is called. Still there after a crash, nobody knows whether it arrived. */
export const outboxStateSchema = z.enum(['pending', 'sent', 'reconciled', 'failed']);
export type OutboxState = z.infer<typeof outboxStateSchema>;

const time = z.iso.datetime();

export const deliverySchema = z.looseObject({
	/** How often the transport was called, or was about to be. */
	attempts: z.number().int().nonnegative(),
	/** Why it waits, failed or was dropped; the answer's head when there is one. */
	detail: z.string(),
	/** When its state was written. */
	at: time,
	/** `null`: nothing is planned. */
	next_attempt_at: time.nullable(),
	/** The operator threw it away: it is not shown any more. */
	discarded: z.literal(true).optional(),
});
export type Delivery = z.infer<typeof deliverySchema>;

const delivery = deliverySchema.optional();

/** Headers that a body needs to be understood. None of them says who is asking. */
const protocolHeaders = z.partialRecord(
	z.enum(['anthropic-version', 'anthropic-beta', 'openai-beta']),
	z.string().max(2_000),
);

/** A model request without its caller's credentials: whoever sends it brings its own. */
export const cloudTurnSchema = z.looseObject({
	provider_id: z.string(),
	protocol: protocolSchema,
	/** `/v1/messages`, with its query. */
	path: z.string(),
	headers: protocolHeaders.optional(),
	/** JSON text; empty once the turn is reconciled. */
	body: z.string(),
	/** SHA-256 of the input (`TurnFacts.inputHash`). */
	input_hash: z.string(),
	session_key: z.string(),
	agent_id: z.string().nullable(),
	agent_name: z.string(),
	model: z.string(),
	/** `retry`: the turn had no answer. `improve`: it has a local one, and the cloud's is wanted beside it. */
	purpose: z.enum(['retry', 'improve']),
	offer_id: z.string().optional(),
	delivery,
});

/** `url`: where to, without what opens it (see `postingAddress`). `body`: JSON text. */
export const hookSchema = z.looseObject({ url: z.url(), body: z.string(), delivery });

export const downloadSchema = z.looseObject({ server_id: z.string(), model: z.string(), delivery });

/** In the seed's order, which is the order of the line. */
function entrySchema<Kind extends OutboxKind, Payload extends z.ZodType>(kind: Kind, payload: Payload) {
	return z.strictObject({
		idempotency_key: z.uuid(),
		created_at: time,
		kind: z.literal(kind),
		payload,
		state: outboxStateSchema,
	});
}

/** A line of the log. Fields beside the seed's are refused; a newer floor may put more into the payload. */
export const outboxEntrySchema = z.discriminatedUnion('kind', [
	entrySchema('cloud_turn', cloudTurnSchema),
	entrySchema('hook', hookSchema),
	entrySchema('download', downloadSchema),
]);
export type OutboxEntry = z.infer<typeof outboxEntrySchema>;
export type OutboxEntryOf<Kind extends OutboxKind> = Extract<OutboxEntry, { kind: Kind }>;

/** What is handed in: exactly these fields and no others, so that nothing of a request slips along. */
const newPayloads = {
	cloud_turn: z.strictObject(cloudTurnSchema.omit({ delivery: true }).shape),
	hook: z.strictObject(hookSchema.omit({ delivery: true }).shape),
	download: z.strictObject(downloadSchema.omit({ delivery: true }).shape),
} as const;
export type NewPayload<Kind extends OutboxKind> = z.input<(typeof newPayloads)[Kind]>;

/** A turn can be as long as the longest that a provider takes (Anthropic: 32 MB). */
const MOST_BODY_CHARACTERS = 32 * 1024 * 1024;

/** A new entry that waits. Throws a `ChannelError` when the payload is not one, or would carry credentials. */
export function newEntry<Kind extends OutboxKind>(
	kind: Kind,
	payload: NewPayload<Kind>,
	key: string,
	at: number,
): OutboxEntry {
	const checked = newPayloads[kind].safeParse(payload);
	if (!checked.success) throw refused(`it is no ${kind}: ${z.prettifyError(checked.error)}`);
	const problem = problemOf(checked.data);
	if (problem !== null) throw refused(problem);
	return outboxEntrySchema.parse({
		idempotency_key: key,
		created_at: new Date(at).toISOString(),
		kind: outboxKindSchema.parse(kind),
		payload: checked.data,
		state: 'pending',
	});
}

/** The entry with another state. A reconciled turn gives up its body: what is done needs no prompt on the disk. */
export function withState<Entry extends OutboxEntry>(
	entry: Entry,
	state: OutboxState,
	delivery: Delivery,
): Entry {
	const body = state === 'reconciled' && entry.kind === 'cloud_turn' ? { body: '' } : {};
	return { ...entry, state, payload: { ...entry.payload, ...body, delivery } };
}

/** What became of it so far. */
export function deliveryOf(entry: OutboxEntry): Delivery {
	return entry.payload.delivery ?? { attempts: 0, detail: '', at: entry.created_at, next_attempt_at: null };
}

/**
 * The part of a webhook's address that is kept: its origin. The rest of it (a path like Slack's, a query, a password)
 * is what lets one post there; it stays in the settings and is looked up when the entry is sent.
 */
export function postingAddress(url: string): string {
	return new URL(url).origin;
}

function problemOf(payload: NewPayload<OutboxKind>): string | null {
	if ('body' in payload && payload.body.length > MOST_BODY_CHARACTERS) return 'its body is too long';
	if ('server_id' in payload) return null;
	if ('path' in payload) return cloudTurnProblem(payload.path, payload.body);
	return payload.url === postingAddress(payload.url) ? null : 'its address is more than an origin';
}

const secretName = /key|token|secret|auth|sign?ature|credential|password/i;

function cloudTurnProblem(path: string, body: string): string | null {
	const { searchParams } = new URL(path, 'http://localhost');
	for (const name of searchParams.keys()) {
		if (secretName.test(name)) return `its address carries credentials (${name})`;
	}
	const value = jsonOf(body);
	if (value === undefined) return 'its body is no JSON';
	return carriesCredentials(value) ? 'its body carries credentials of a tool server' : null;
}

/** The known places of a request that hold a secret of the caller: Anthropic's MCP connector, OpenAI's hosted MCP tools. */
function carriesCredentials(body: unknown): boolean {
	return (
		listIn(body, 'mcp_servers').some((server) => isGiven(server, 'authorization_token')) ||
		listIn(body, 'tools').some((tool) => isGiven(tool, 'authorization') || isGiven(tool, 'headers'))
	);
}

function listIn(value: unknown, name: string): readonly unknown[] {
	const list = fieldOf(value, name);
	return Array.isArray(list) ? list : [];
}

function isGiven(value: unknown, name: string): boolean {
	const field = fieldOf(value, name);
	return field !== undefined && field !== null;
}

function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null
		? Object.entries(value).find(([key]) => key === name)?.[1]
		: undefined;
}

function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Undefined is no JSON value: the caller says what is wrong.
		return undefined;
	}
}

function refused(why: string): ChannelError {
	return new ChannelError({
		code: 'invalid-argument',
		message: `This cannot be queued: ${why}.`,
		meaning: 'Nothing was queued and nothing was kept of it.',
		remedy: 'Let the agent ask again once its provider is back.',
	});
}
