import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutToken } from '../../src/renderer/screens/connections/gateway-lines.ts';

describe('the lines of a guide without the token', () => {
	it('hides it in every line, also away from the address', () => {
		const lines = 'base_url = "http://127.0.0.1:47100/gateway/abc_DEF-123/as/ci/v1"\nkey = "abc_DEF-123"';
		expect(withoutToken(lines)).toBe(
			'base_url = "http://127.0.0.1:47100/gateway/••••••••/as/ci/v1"\nkey = "••••••••"',
		);
	});

	it('leaves lines without one as they are', () => {
		expect(withoutToken('export A=1')).toBe('export A=1');
	});

	it('never leaves a token of the floor standing', () => {
		const token = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
		fc.assert(
			fc.property(token, fc.constantFrom('', '"', "'", '`'), fc.string(), (secret, quote, rest) => {
				const lines = `${quote}http://127.0.0.1:1/gateway/${secret}${quote}\n${rest}\nKEY=${secret}`;
				expect(withoutToken(lines)).not.toContain(secret);
			}),
		);
	});
});
