/** Lines of a Codex rollout, made up. */
export const ID = '01a22e16-e4f2-7633-8f97-243adb1e022e';
export const ROLLOUT = `/home/dev/.codex/sessions/2026/11/30/rollout-2026-11-30T20-13-02-${ID}.jsonl`;
export const START = Date.parse('2026-11-30T20:13:02.000Z');

/** A line, `seconds` after the session's start. */
export const row = (type: string, payload: object, seconds = 0, more: object = {}) =>
	JSON.stringify({ timestamp: new Date(START + seconds * 1000).toISOString(), ...more, type, payload });
export const meta = (payload: object = {}) =>
	row('session_meta', { id: ID, cwd: '/home/dev/app', ...payload });
export const turn = (model: string, seconds = 0) => row('turn_context', { model }, seconds);
export const counts = (input: number, cached: number, output: number, reasoning = 0) => ({
	input_tokens: input,
	cached_input_tokens: cached,
	output_tokens: output,
	reasoning_output_tokens: reasoning,
	total_tokens: input + output,
});
export const count = (input: number, cached: number, output: number, seconds = 0, rate_limits: object = {}) =>
	row(
		'event_msg',
		{ type: 'token_count', info: { total_token_usage: counts(input, cached, output) }, rate_limits },
		seconds,
	);
export const record = (responseId: string, usage: object, total: object | undefined, more: object = {}) =>
	row('token_usage_record', {
		thread_id: ID,
		response_id: responseId,
		usage,
		thread_token_usage: total,
		...more,
	});
