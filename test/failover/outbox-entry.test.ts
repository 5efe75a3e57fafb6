import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	deliveryOf,
	newEntry,
	outboxEntrySchema,
	postingAddress,
	withState,
} from '../../src/main/failover/outbox-entry.ts';
import { ChannelError } from '../../src/shared/channels.ts';
import { cloudTurn, hook, hookEntry, turnEntry } from './outbox-entries.ts';

const key = randomUUID();

/** Anything that a caller without types could hand in. */
function offered(payload: object): () => unknown {
	return () => newEntry('cloud_turn', { ...cloudTurn(), ...payload }, key, 0);
}

describe('an entry', () => {
	it('has exactly the fields of the seed', () => {
		const entry = newEntry('cloud_turn', cloudTurn(), key, Date.UTC(2026, 10, 30));
		expect(entry).toEqual({
			idempotency_key: key,
			created_at: '2026-11-30T00:00:00.000Z',
			kind: 'cloud_turn',
			payload: cloudTurn(),
			state: 'pending',
		});
		const wrong = [
			{ ...entry, attempts: 1 },
			{ ...entry, idempotency_key: 'no-uuid' },
			{ ...entry, created_at: 1_000 },
			{ ...entry, created_at: 'yesterday' },
			{ ...entry, kind: 'mail' },
			{ ...entry, kind: 'hook' },
			{ ...entry, state: 'sending' },
			{ ...entry, payload: null },
		];
		expect(wrong.map((value) => outboxEntrySchema.safeParse(value).success)).toEqual(wrong.map(() => false));
	});

	it('keeps what a newer floor put into its payload', () => {
		const entry = { ...turnEntry(), payload: { ...cloudTurn(), newer: { field: 1 } } };
		expect(outboxEntrySchema.parse(entry)).toEqual(entry);
	});

	it('of any text is read back as it was', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (text, name) => {
				const entry = turnEntry({ body: JSON.stringify({ text }), agent_name: name });
				const read = outboxEntrySchema.parse(JSON.parse(JSON.stringify(entry)));
				expect(read).toEqual(entry);
			}),
		);
	});

	it('that is reconciled gives up its body, and nothing else', () => {
		const delivery = { attempts: 1, detail: 'the answer', at: turnEntry().created_at, next_attempt_at: null };
		const entry = turnEntry();
		const done = withState(entry, 'reconciled', delivery);
		expect(done).toEqual({
			...entry,
			state: 'reconciled',
			payload: { ...entry.payload, body: '', delivery },
		});
		expect(deliveryOf(done)).toEqual(delivery);
		expect(withState(entry, 'failed', delivery).payload).toMatchObject({ body: cloudTurn().body });
		expect(withState(hookEntry(), 'reconciled', delivery).payload).toMatchObject({ body: hook().body });
	});
});

describe('credentials', () => {
	const carriers: readonly [string, object][] = [
		['headers of the request', { headers: { authorization: 'Bearer sk-ant-1' } }],
		['an API key among the headers', { headers: { 'x-api-key': 'sk-ant-1' } }],
		['a cookie among the headers', { headers: { cookie: 'session=1' } }],
		['a field of their own', { api_key: 'sk-ant-1' }],
		['a key in the address', { path: '/v1/messages?key=AIza1' }],
		['an API key in the address', { path: '/v1/messages?beta=true&api_key=1' }],
		['a token in the address', { path: '/v1/messages?access_token=1' }],
		['a signature in the address', { path: '/v1/messages?X-Amz-Signature=1' }],
		[
			'a tool server of Anthropic’s connector',
			{ body: JSON.stringify({ mcp_servers: [{ url: 'https://x' }, { authorization_token: 't' }] }) },
		],
		[
			'headers of an OpenAI tool server',
			{ body: JSON.stringify({ tools: [null, 'x', { type: 'mcp', headers: { Authorization: 't' } }] }) },
		],
		['an OpenAI tool server', { body: JSON.stringify({ tools: [{ type: 'mcp', authorization: 't' }] }) }],
	];
	it.each(carriers)('as %s are never queued', (_what, payload) => {
		expect(offered(payload)).toThrow(ChannelError);
	});

	it('are not what a body or an address usually holds', () => {
		const body = JSON.stringify({
			tools: [{ name: 'Bash', input_schema: { properties: { headers: {}, authorization: {} } } }],
			mcp_servers: [{ url: 'https://x', authorization_token: null }],
			max_tokens: 100,
		});
		const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m' };
		expect(offered({ body, headers, path: '/v1/messages?beta=true' })).not.toThrow();
	});

	it('of a webhook stay in the settings: the address is kept without what opens it', () => {
		const slack = 'https://user:password@hooks.example.com:8443/services/T0/B0/secret?token=1';
		expect(postingAddress(slack)).toBe('https://hooks.example.com:8443');
		expect(() => newEntry('hook', hook({ url: slack }), key, 0)).toThrow(ChannelError);
		expect(() => newEntry('hook', hook({ url: postingAddress(slack) }), key, 0)).not.toThrow();
	});
});

describe('a payload', () => {
	it('that is none is refused in words', () => {
		const wrong = [
			{ body: 'no JSON' },
			{ body: undefined },
			{ protocol: 'gopher' },
			{ purpose: 'spam' },
			{ delivery: {} },
		];
		for (const payload of wrong) expect(offered(payload)).toThrow(/cannot be queued/);
	});

	it('longer than any provider takes is refused', () => {
		const body = JSON.stringify('x'.repeat(32 * 1024 * 1024));
		expect(offered({ body })).toThrow(/too long/);
	});
});
