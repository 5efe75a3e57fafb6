/** What is read of an address, of headers and of a caller: pure, for any input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doorOf, readAddress } from '../../src/main/gateway/gateway-path.ts';
import { credentialHeaders, requestHeaders, responseHeaders } from '../../src/main/gateway/headers.ts';
import { clientOf, sessionOf } from '../../src/main/gateway/session.ts';
import { isOwnAddress, targetOf } from '../../src/main/gateway/target.ts';

const name = fc.string({ minLength: 1, maxLength: 20 });

describe('an address', () => {
	it('gives back whatever label and provider stand in it', () => {
		fc.assert(
			fc.property(fc.option(name), fc.option(name), fc.string(), (label, provider, query) => {
				const as = label === null ? '' : `/as/${encodeURIComponent(label)}`;
				const to = provider === null ? '' : `/to/${encodeURIComponent(provider)}`;
				const search = query === '' ? '' : `?${encodeURIComponent(query)}`;
				expect(readAddress(`/gateway/T${as}${to}/v1/messages${search}`)).toEqual({
					token: 'T',
					label,
					providerId: provider,
					path: '/v1/messages',
					query: search,
				});
			}),
		);
	});

	it('is read without a throw, whatever it is', () => {
		fc.assert(
			fc.property(fc.string(), fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'), (url, method) => {
				const address = readAddress(`/gateway/${url}`);
				expect(address).not.toBeNull();
				if (address) doorOf(method, address.path, {});
			}),
		);
	});

	it.each([
		['/v1/messages', '/v1/messages'],
		['/v1/v1/messages', '/v1/messages'],
		['/messages', '/v1/messages'],
		['/chat/completions', '/v1/chat/completions'],
		['/v1', '/v1'],
		['', '/'],
		['/v1/%6dessages', '/v1/messages'],
		['/%76%31/responses', '/v1/responses'],
		['/v1/messages%2fcount_tokens', '/v1/messages/count_tokens'],
		['/v1/files/a%2fb', '/v1/files/a%2fb'],
		['/v1/%zz', '/v1/%zz'],
		['/v10/messages', '/v10/messages'],
		['/models', '/models'],
	])('with %s behind the token means %s', (given, meant) => {
		expect(readAddress(`/gateway/T${given}`)?.path).toBe(meant);
	});

	it('of somewhere else is none', () => {
		expect(readAddress('/hooks/x')).toBeNull();
	});
});

describe('a target', () => {
	it.each([
		[
			'https://api.anthropic.com',
			'/v1/messages?beta=true',
			'https://api.anthropic.com/v1/messages?beta=true',
		],
		['https://api.openai.com/v1', '/v1/responses', 'https://api.openai.com/v1/responses'],
		['https://api.openai.com/v1/', '/v1/responses', 'https://api.openai.com/v1/responses'],
		['https://host/anthropic/', '/v1/messages', 'https://host/anthropic/v1/messages'],
		['https://host/api/v1', '/v1', 'https://host/api/v1'],
		['https://host/v1', '/v10/x', 'https://host/v1/v10/x'],
		['http://127.0.0.1:11434', '/v1/chat/completions', 'http://127.0.0.1:11434/v1/chat/completions'],
	])('%s + %s', (base, path, whole) => {
		const { origin, path: rest } = targetOf(base, path);
		expect(origin + rest).toBe(whole);
	});

	it.each([
		'http://127.0.0.1:47100',
		'http://localhost:47100/v1',
		'http://LOCALHOST:47100',
		'http://[::1]:47100',
		'http://[::ffff:127.0.0.1]:47100',
		'http://127.9.9.9:47100',
		'http://2130706433:47100',
		'http://0:47100',
		'http://a.localhost:47100',
		'http://localhost.:47100',
	])('%s is this very listener', (url) => expect(isOwnAddress(url, 47100)).toBe(true));

	it.each([
		'http://127.0.0.1:47101',
		'https://api.anthropic.com',
		'http://example.com:47100',
		'http://10.0.0.1:47100',
	])('%s is not', (url) => expect(isOwnAddress(url, 47100)).toBe(false));
});

describe('headers', () => {
	const token = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,15}$/);
	const list = fc.array(fc.tuple(token, fc.stringMatching(/^[!-~]{0,20}$/))).map((pairs) => pairs.flat());

	it('pass in order and unchanged, or not at all; only ours is added', () => {
		fc.assert(
			fc.property(list, (raw) => {
				const passed = requestHeaders(raw);
				expect(passed.slice(-2)).toEqual(['accept-encoding', 'identity']);
				let at = 0;
				for (let index = 0; index < passed.length - 2; index += 2) {
					while (at < raw.length && (raw[at] !== passed[index] || raw[at + 1] !== passed[index + 1])) at += 2;
					expect(at).toBeLessThan(raw.length);
					at += 2;
				}
			}),
		);
	});

	it('of one connection never pass, in neither direction', () => {
		const raw = [
			'Connection',
			'close, X-Named',
			'x-named',
			'1',
			'Transfer-Encoding',
			'chunked',
			'Keep-Alive',
			'timeout=5',
			'X-Else',
			'yes',
		];
		expect(requestHeaders(raw)).toEqual(['X-Else', 'yes', 'accept-encoding', 'identity']);
		expect(responseHeaders(raw)).toEqual(['X-Else', 'yes']);
	});

	it('kept as credentials are those that name the caller, nothing else', () => {
		const raw = [
			'Authorization',
			'Bearer x',
			'X-Api-Key',
			'k',
			'cookie',
			'c',
			'content-type',
			'json',
			'x-other',
			'o',
		];
		expect(credentialHeaders(raw)).toEqual(['Authorization', 'Bearer x', 'X-Api-Key', 'k']);
	});
});

describe('a caller', () => {
	const uuid = '01234567-89ab-cdef-0123-456789abcdef';

	it.each([
		['claude-cli/2.1.197 (external, cli)', 'claude-code'],
		['codex_cli_rs/0.171.0 (Linux)', 'codex'],
		['codex_exec/0.171.0', 'codex'],
		['GitHubCopilotCLI/1.0', 'copilot-cli'],
		['QwenCode/0.9', 'qwen-code'],
		['opencode/1.18', 'opencode'],
		['ai-sdk/openai-compatible/1.0', 'ai-sdk'],
		['curl/8.5', 'curl'],
		['', 'unknown'],
		[undefined, 'unknown'],
	])('%s is %s', (agent, client) => expect(clientOf(agent)).toBe(client));

	it.each([
		[{ 'x-claude-code-session-id': 'c1', 'session-id': 'x' }, {}, 'c1'],
		[{ 'session-id': 'codex-1' }, {}, 'codex-1'],
		[{ session_id: 'codex-0' }, {}, 'codex-0'],
		[{ 'x-session-id': 'x1' }, {}, 'x1'],
		[{ conversation_id: 'conv' }, {}, 'conv'],
		[{ 'x-agent-floor-session': 'mine' }, {}, 'mine'],
		[{}, { prompt_cache_key: uuid }, uuid],
		[{}, { prompt_cache_key: 'shard-7' }, 'unattributed curl'],
		[{}, { metadata: { user_id: `user_ab_account_${uuid.replaceAll('0', '9')}_session_${uuid}` } }, uuid],
		[{}, { metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: uuid }) } }, uuid],
		[{}, { metadata: { user_id: 'someone' } }, 'unattributed curl'],
		[{ 'session-id': '  ' }, {}, 'unattributed curl'],
	])('with %j and %j is session %s', (headers, body, key) => {
		expect(sessionOf({ 'user-agent': 'curl/8', ...headers }, body, null).sessionKey).toBe(key);
	});

	it('of Claude Code is known by its header, whatever the program calls itself', () => {
		const headers = { 'user-agent': 'my-agent/1', 'x-claude-code-session-id': 's1' };
		expect(sessionOf(headers, {}, null)).toMatchObject({ client: 'claude-code', sessionKey: 's1' });
	});

	it('that names no session is the one of its address', () => {
		expect(sessionOf({ 'user-agent': 'curl/8' }, {}, 'reviewer')).toEqual({
			client: 'curl',
			sessionKey: 'reviewer',
			isAttributed: true,
			subagentId: null,
			name: 'reviewer',
		});
	});

	it.each([
		['a header', { 'session-id': 's' }, {}, null, true],
		['its body', {}, { prompt_cache_key: uuid }, null, true],
		['its address', {}, {}, 'reviewer', true],
		['nothing', {}, { prompt_cache_key: 'shard-7' }, null, false],
	])('that is named by %s is attributed or not', (_by, headers, body, label, isAttributed) => {
		expect(sessionOf({ 'user-agent': 'curl/8', ...headers }, body, label)).toMatchObject({ isAttributed });
	});

	it('is read without a throw, whatever its body', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.constantFrom('metadata', 'prompt_cache_key', 'x'), fc.jsonValue()),
				(body) => {
					expect(sessionOf({}, body, null).sessionKey).not.toBe('');
				},
			),
		);
	});
});
