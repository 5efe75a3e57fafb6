/** Entries for tests; each names only what the test is about. */
import { randomUUID } from 'node:crypto';
import { type NewPayload, newEntry, type OutboxEntry } from '../../src/main/failover/outbox-entry.ts';

export function cloudTurn(payload: Partial<NewPayload<'cloud_turn'>> = {}): NewPayload<'cloud_turn'> {
	return {
		provider_id: 'anthropic',
		protocol: 'anthropic-messages',
		path: '/v1/messages?beta=true',
		body: JSON.stringify({ model: 'claude-opus-4-8', messages: [{ role: 'user', content: 'go on' }] }),
		input_hash: 'hash-1',
		session_key: 'session-1',
		agent_id: 'agent-1',
		agent_name: 'app',
		model: 'claude-opus-4-8',
		purpose: 'retry',
		...payload,
	};
}

export function hook(payload: Partial<NewPayload<'hook'>> = {}): NewPayload<'hook'> {
	return { url: 'http://127.0.0.1:9', body: '{"state":"opened"}', ...payload };
}

export function turnEntry(payload: Partial<NewPayload<'cloud_turn'>> = {}, at = 1_000): OutboxEntry {
	return newEntry('cloud_turn', cloudTurn(payload), randomUUID(), at);
}

export function hookEntry(payload: Partial<NewPayload<'hook'>> = {}, at = 1_000): OutboxEntry {
	return newEntry('hook', hook(payload), randomUUID(), at);
}

export function downloadEntry(payload: Partial<NewPayload<'download'>> = {}, at = 1_000): OutboxEntry {
	const model = { server_id: 'ollama', model: 'qwen3-coder:30b', ...payload };
	return newEntry('download', model, randomUUID(), at);
}
