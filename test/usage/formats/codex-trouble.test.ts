import { describe, expect, it } from 'vitest';
import { codex } from '../../../src/main/usage/formats/codex.ts';
import { count, meta, ROLLOUT, row, START } from './codex-lines.ts';
import { readLines, readRecording } from './told.ts';

describe("Codex's rollouts on trouble at the provider", () => {
	it.each([
		[
			'0.171-limit',
			[
				{ error: 'rate_limit', isRetry: true, resetsAt: 1796077097000 },
				{ error: 'rate_limit', isRetry: false, resetsAt: 1796077097000 },
			],
		],
		['0.104-limit', [{ error: 'rate_limit', isRetry: true, resetsAt: 1796077097000 }]],
		['0.171-quota', [{ error: 'billing_error', isRetry: false, resetsAt: null }]],
		['0.171-unavailable', [{ error: 'server_error', isRetry: false, resetsAt: null }]],
	])('tell of trouble at the provider: %s', async (name, troubles) => {
		const [told] = (await readRecording(codex, `codex-${name}`)).values();
		expect(told?.troubles).toMatchObject(troubles);
	});

	it.each([
		[{ http_connection_failed: { http_status_code: 402 } }, 'x', 'billing_error', 402],
		[{ http_connection_failed: { http_status_code: 401 } }, 'x', 'authentication_failed', 401],
		[{ response_too_many_failed_attempts: { http_status_code: 429 } }, 'x', 'rate_limit', 429],
		[{ response_stream_disconnected: { http_status_code: null } }, 'x', 'connection', null],
		['other', 'unexpected status 503 Service Unavailable: busy', 'server_error', 503],
		['rate_limit_exceeded', 'slow down', 'rate_limit', null],
	])('name the error %j', async (info, message, error, status) => {
		const failed = row('event_msg', { type: 'error', message, codex_error_info: info });
		const { told } = await readLines(codex, ROLLOUT, [meta(), failed]);
		expect(told.troubles).toMatchObject([{ error, status, message }]);
	});

	it.each(['context_window_exceeded', 'bad_request', 'sandbox_error', 'other'])(
		"leave the agent's own error alone: %s",
		async (info) => {
			const failed = row('event_msg', { type: 'error', message: 'no', codex_error_info: info });
			expect((await readLines(codex, ROLLOUT, [meta(), failed])).told.troubles).toEqual([]);
		},
	);

	it('tell of a used-up limit once, and of the next one', async () => {
		const at = (used_percent: number, resets_at: number, seconds: number) =>
			count(1, 0, 0, seconds, {
				primary: { used_percent, window_minutes: 300, resets_at: START / 1000 + resets_at },
			});
		const { told } = await readLines(codex, ROLLOUT, [
			meta(),
			at(99, 600, 0),
			at(100, 600, 10),
			at(104, 601, 20),
			at(100, 600, 700),
			at(100, 5000, 800),
		]);
		expect(told.troubles.map(({ resetsAt }) => resetsAt)).toEqual([START + 600_000, START + 5_000_000]);
		expect(told.troubles[0]?.message).toBe('Codex: the 5-hour limit is used up (100 %)');
	});

	it('read a limit that tells the span until it begins anew', async () => {
		const primary = { used_percent: 100, window_minutes: 10080, resets_in_seconds: 90 };
		const { told } = await readLines(codex, ROLLOUT, [meta(), count(1, 0, 0, 0, { primary })]);
		expect(told.troubles).toMatchObject([{ resetsAt: START + 90_000 }]);
	});
});
