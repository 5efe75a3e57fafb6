import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { CallOutcomeKind } from '../../src/main/failover/call.ts';
import { classifyLoss, describeLoss, isLossCode, lossCodeOf } from '../../src/main/failover/loss.ts';
import { describeOutcome } from '../../src/main/failover/outcome-words.ts';

const lost = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ECONNRESET',
	'ECONNABORTED',
	'EPIPE',
	'EHOSTUNREACH',
	'EHOSTDOWN',
	'ENETUNREACH',
	'ENETDOWN',
	'EADDRNOTAVAIL',
	'EACCES',
	'ETIMEDOUT',
	'EPROTO',
	'UND_ERR_CONNECT_TIMEOUT',
	'UND_ERR_SOCKET',
	'UND_ERR_PRX_TLS',
	'UND_ERR_PRX_CONN',
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'ERR_TLS_HANDSHAKE_TIMEOUT',
	'ERR_SSL_WRONG_VERSION_NUMBER',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];
const others: readonly (readonly [string, CallOutcomeKind])[] = [
	['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
	['UND_ERR_BODY_TIMEOUT', 'timeout'],
	['TIMEOUT_ERR', 'timeout'],
	['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'cut'],
	['HPE_INVALID_CONSTANT', 'error'],
	['UND_ERR_HEADERS_OVERFLOW', 'error'],
	['ABORT_ERR', 'neutral'],
	['UND_ERR_ABORTED', 'neutral'],
	['UND_ERR_DESTROYED', 'neutral'],
	['EMFILE', 'neutral'],
	// Not known: held against the provider, but no proof that nothing answers.
	['E_SOMETHING_NEW', 'error'],
	['toString', 'error'],
	['', 'error'],
];

describe('a call without an answer', () => {
	it.each(lost)('%s: nothing answers', (code) => {
		expect(classifyLoss(code)).toEqual({
			kind: 'lost',
			status: null,
			code,
			latencyMs: null,
			retryAfterMs: null,
		});
	});

	it.each(others)('%s: %s', (code, kind) => {
		expect(classifyLoss(code).kind).toBe(kind);
	});

	it.each(lost)('%s after the answer began: it was cut', (code) => {
		expect(classifyLoss(code, { answerBegan: true, status: 200, latencyMs: 90 })).toMatchObject({
			kind: 'cut',
			status: 200,
			latencyMs: 90,
		});
	});

	it('a silence in the middle of an answer stays a timeout', () => {
		expect(classifyLoss('UND_ERR_BODY_TIMEOUT', { answerBegan: true, status: 200 }).kind).toBe('timeout');
	});
});

describe('in words', () => {
	it.each([...lost, ...others.map(([code]) => code)])('%s is one sentence with who and what', (code) => {
		const sentence = describeLoss(code, 'Anthropic');
		expect(sentence).toContain('Anthropic');
		expect(sentence).toContain(code);
		expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
	});

	it.each([
		['ECONNREFUSED', 'Anthropic refused the connection (ECONNREFUSED).'],
		['UND_ERR_CONNECT_TIMEOUT', 'Anthropic did not accept a connection in time (UND_ERR_CONNECT_TIMEOUT).'],
		['', 'The call to Anthropic failed.'],
	])('%s: "%s"', (code, sentence) => {
		expect(describeLoss(code, 'Anthropic')).toBe(sentence);
	});

	it('says when the answer had begun', () => {
		expect(describeLoss('ECONNRESET', 'Anthropic', true)).toBe(
			'The connection to Anthropic broke in the middle of its answer (ECONNRESET).',
		);
	});

	it('a code from outside cannot hide or reorder words', () => {
		expect(describeLoss('X\u202Eevil\n', 'Anthropic')).toBe('The call to Anthropic failed (X⟨U+202E⟩evil ).');
	});

	it.each([
		[
			{ kind: 'error', status: 529, code: 'overloaded_error' },
			'A answered with an error (529 overloaded_error).',
		],
		[{ kind: 'error', status: 502, code: '502' }, 'A answered with an error (502).'],
		[
			{ kind: 'error', status: 200, code: 'overloaded_error' },
			'A answered with an error (overloaded_error).',
		],
		[{ kind: 'lost', status: null, code: 'ECONNREFUSED' }, 'A refused the connection (ECONNREFUSED).'],
		[{ kind: 'lost', status: null, code: '' }, 'A cannot be reached.'],
		[
			{ kind: 'cut', status: 200, code: 'UND_ERR_SOCKET' },
			'The connection to A broke in the middle of its answer (UND_ERR_SOCKET).',
		],
		[
			{ kind: 'cut', status: 200, code: 'incomplete_stream' },
			'A broke off in the middle of its answer (incomplete_stream).',
		],
		[
			{ kind: 'unauthorised', status: 401, code: 'authentication_error' },
			"A refused the caller's credentials (401 authentication_error).",
		],
	] as const)('%j: "%s"', (outcome, sentence) => {
		expect(describeOutcome(outcome, 'A')).toBe(sentence);
	});
});

describe('the code of an error', () => {
	it('is found where fetch hides it', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address = server.address();
		server.close();
		await once(server, 'close');
		const port = typeof address === 'object' ? address?.port : 0;
		const error = await fetch(`http://127.0.0.1:${port}/`).catch((problem: unknown) => problem);
		expect(lossCodeOf(error)).toBe('ECONNREFUSED');
	});

	it.each([
		[Object.assign(new Error('x'), { code: 'EPIPE' }), 'EPIPE'],
		[new AggregateError([Object.assign(new Error('x'), { code: 'ENETUNREACH' })]), 'ENETUNREACH'],
		[
			new TypeError('fetch failed', { cause: new AggregateError([{ code: 'ECONNREFUSED' }]) }),
			'ECONNREFUSED',
		],
		[new DOMException('left', 'AbortError'), 'ABORT_ERR'],
		[new DOMException('late', 'TimeoutError'), 'TIMEOUT_ERR'],
		[new Error('no code'), ''],
		[null, ''],
		['text', ''],
	])('%s: "%s"', (error, code) => {
		expect(lossCodeOf(error)).toBe(code);
	});

	it('does not run in circles', () => {
		const error = new Error('x');
		error.cause = error;
		expect(lossCodeOf(error)).toBe('');
	});

	it("a provider's own types are none", () => {
		expect(['overloaded_error', '', 'toString', '529'].filter(isLossCode)).toEqual([]);
	});
});
