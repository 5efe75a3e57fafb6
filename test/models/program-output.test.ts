import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitIn, wishIn } from '../../src/main/models/error-words.ts';
import { classifyProgram, type ProgramEnd } from '../../src/main/models/program-output.ts';

/** 2 December 2026, 10:00:00 UTC. */
const NOW = Date.UTC(2026, 11, 2, 10);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Recording {
	readonly program: string;
	readonly output: string;
	readonly answered: string;
	readonly exitCode: number;
	readonly stdout: string;
	readonly stderr: string;
}

const recordings = JSON.parse(
	readFileSync(join(import.meta.dirname, 'program-output-recordings.json'), 'utf8'),
) as Recording[];

const ended = (end: Partial<ProgramEnd>) =>
	classifyProgram({ exitCode: 1, stdout: '', isStdoutCut: false, stderr: '', ...end }, NOW);

const lines = (...documents: readonly unknown[]): string =>
	documents.map((document) => `${JSON.stringify(document)}\n`).join('');

describe('what the real programs print', () => {
	it.each(recordings.map((one) => [`${one.program}, ${one.output}: ${one.answered}`, one] as const))(
		'%s',
		(_, { program, answered, exitCode, stdout, stderr }) => {
			const verdict = ended({ exitCode, stdout, stderr });
			if (answered === 'overloaded') expect(verdict).toEqual({ kind: 'other' });
			else if (answered === 'no credit') expect(verdict.kind).toBe('spend-limit');
			else {
				const wishes: Readonly<Record<string, number>> = { Copilot: 11_054, Gemini: 3_492_000 };
				const wish = wishes[program.split(' ')[0] ?? ''] ?? null;
				expect(verdict).toMatchObject({ kind: 'rate-limit', retryAfterMs: wish });
			}
			// Where the beginning was not kept, the end still tells.
			const cut = stdout.slice(10);
			if (stdout.includes('\n{'))
				expect(ended({ exitCode, stdout: cut, isStdoutCut: true, stderr })).toEqual(verdict);
		},
	);
});

describe('structured output', () => {
	const result = (more: object) => ({ type: 'result', subtype: 'success', session_id: 's', ...more });
	const wellEnded = result({ is_error: false, result: 'Issue 429 is about rate limits: too many requests.' });
	const rejected = {
		type: 'rate_limit_event',
		rate_limit_info: { status: 'rejected', resetsAt: (NOW + 2 * HOUR) / 1000 },
	};

	it('Claude Code: the window that is used up tells when it is free again', () => {
		const said = "You've hit your session limit · resets 3:40pm (Europe/Berlin)";
		const verdict = ended({
			stdout: lines(rejected, result({ is_error: true, api_error_status: null, result: said })),
		});
		expect(verdict).toEqual({ kind: 'rate-limit', retryAfterMs: 4 * HOUR + 40 * MINUTE, said });
		expect(ended({ stdout: lines(rejected) })).toEqual({
			kind: 'rate-limit',
			retryAfterMs: 2 * HOUR,
			said: '',
		});
	});

	it('Claude Code: a warning is no limit, and an end that is good is good', () => {
		const warning = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 1 } };
		const retry = {
			type: 'system',
			subtype: 'api_retry',
			attempt: 1,
			error_status: 429,
			error: 'rate_limit',
		};
		for (const before of [warning, rejected, retry]) {
			expect(ended({ exitCode: 0, stdout: lines(before, wellEnded) })).toEqual({ kind: 'success' });
			expect(ended({ exitCode: 1, stdout: lines(before, wellEnded) })).toEqual({ kind: 'other' });
		}
		expect(ended({ stdout: lines(warning) })).toEqual({ kind: 'other' });
	});

	it('Claude Code: an end that is an error is no success, whatever the exit code', () => {
		const overloaded = result({
			is_error: true,
			api_error_status: 529,
			result: 'API Error: 529 Overloaded.',
		});
		const limited = result({
			is_error: true,
			api_error_status: 429,
			result: 'API Error: Request rejected (429)',
		});
		for (const exitCode of [0, 1]) {
			expect(ended({ exitCode, stdout: lines(overloaded) })).toEqual({ kind: 'other' });
			expect(ended({ exitCode, stdout: lines(limited) }).kind).toBe('rate-limit');
			expect(ended({ exitCode, stdout: JSON.stringify([{ type: 'system' }, limited]) }).kind).toBe(
				'rate-limit',
			);
		}
		const turns = result({ subtype: 'error_max_turns', is_error: true, errors: ['Reached 5 turns'] });
		expect(ended({ stdout: lines(turns) })).toEqual({ kind: 'other' });
	});

	it('Claude Code: credit that is missing is money', () => {
		const event = {
			type: 'rate_limit_event',
			rate_limit_info: { status: 'rejected', errorCode: 'credits_required' },
		};
		expect(ended({ stdout: lines(event) }).kind).toBe('spend-limit');
		const message = { type: 'assistant', error: 'billing_error', message: {} };
		expect(ended({ stdout: lines(message, result({ is_error: true, result: 'x' })) }).kind).toBe(
			'spend-limit',
		);
	});

	it('Copilot: rate limit and quota are limits, anything else is not', () => {
		const error = (errorType: string, statusCode?: number) =>
			lines(
				{
					type: 'session.error',
					data: { errorType, statusCode, message: 'try again in 15 hours 23 minutes' },
				},
				{ type: 'result', sessionId: 's', exitCode: 1 },
			);
		for (const type of ['rate_limit', 'quota']) {
			expect(ended({ stdout: error(type, 429) })).toMatchObject({
				kind: 'rate-limit',
				retryAfterMs: 15 * HOUR + 23 * MINUTE,
			});
		}
		for (const type of ['authentication', 'query', '']) {
			expect(ended({ stdout: error(type, 401) })).toEqual({ kind: 'other' });
		}
		const healed = error('rate_limit', 429) + lines({ type: 'result', sessionId: 's', exitCode: 0 });
		expect(ended({ exitCode: 0, stdout: healed })).toEqual({ kind: 'success' });
	});

	it.each([
		{ type: 'result', sessionId: 's', exitCode: 1 },
		{ type: 'result', session_id: 's', is_error: true, subtype: 'error_during_execution', errors: [] },
		{ type: 'result', session_id: 's', status: 'error' },
		{ type: 'turn.failed', error: { message: '' } },
	])('a failure that gives no reason leaves it to the error output: %j', (document) => {
		const failed = (stderr: string) => ended({ stdout: lines(document), stderr });
		expect(failed('Error: rate limit exceeded (429). Please try again in 4 hours')).toMatchObject({
			kind: 'rate-limit',
			retryAfterMs: 4 * HOUR,
		});
		expect(failed('Credit balance is too low').kind).toBe('spend-limit');
		expect(failed('no such file')).toEqual({ kind: 'other' });
		expect(ended({ exitCode: 0, stdout: lines(document), stderr: 'rate limit exceeded' })).toEqual({
			kind: document.type === 'turn.failed' ? 'success' : 'other',
		});
	});

	it('a failure that gives its reason is not explained by something else', () => {
		const refused = { type: 'turn.failed', error: { message: 'no such model' } };
		expect(ended({ stdout: lines(refused), stderr: 'rate limit exceeded' })).toEqual({ kind: 'other' });
	});

	it('Codex: a stream that was taken up again is no limit', () => {
		const trouble = { type: 'error', message: 'Reconnecting... 1/5 (last status: 429 Too Many Requests)' };
		const done = { type: 'turn.completed', usage: {} };
		expect(ended({ exitCode: 0, stdout: lines(trouble, done) })).toEqual({ kind: 'success' });
		const failed = {
			type: 'turn.failed',
			error: { message: 'You’ve hit your usage limit. Try again at 8:30 PM.' },
		};
		expect(ended({ stdout: lines(done, failed) }).kind).toBe('rate-limit');
		const tool = { type: 'item.completed', item: { type: 'error', message: '429 Too Many Requests' } };
		expect(
			ended({ stdout: lines(tool, { type: 'turn.failed', error: { message: 'no such model' } }) }),
		).toEqual({
			kind: 'other',
		});
	});

	it('Gemini: its error object counts where it failed', () => {
		const error = (code: unknown) =>
			JSON.stringify(
				{ session_id: 's', error: { type: 'ApiError', message: 'Quota exceeded', code } },
				null,
				2,
			);
		for (const code of [429, 'RESOURCE_EXHAUSTED']) {
			expect(ended({ exitCode: 173, stderr: `Loaded cached credentials.\n${error(code)}\n` }).kind).toBe(
				'rate-limit',
			);
			expect(ended({ exitCode: 1, stdout: error(code) }).kind).toBe('rate-limit');
			expect(ended({ exitCode: 0, stdout: error(code) })).toEqual({ kind: 'success' });
		}
		const answer = JSON.stringify({ response: 'rate limit exceeded: 429', stats: {} });
		expect(ended({ exitCode: 0, stdout: answer })).toEqual({ kind: 'success' });
	});

	it('a provider’s own error, as curl --fail-with-body prints it', () => {
		const errors: readonly (readonly [unknown, string, number | null])[] = [
			[{ type: 'error', error: { type: 'rate_limit_error', message: 'no' } }, 'rate-limit', null],
			[{ error: { code: 'rate_limit_exceeded', message: 'Please try again in 20s' } }, 'rate-limit', 20_000],
			[
				{ error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '34s' }] } },
				'rate-limit',
				34_000,
			],
			[
				{ error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } },
				'spend-limit',
				null,
			],
			[
				{ error: { code: 429, details: { error_code: 'enforced_spend_limit_reached' } } },
				'spend-limit',
				null,
			],
			[{ error: { type: 'overloaded_error', message: 'Overloaded' } }, 'other', null],
			[{ error: 'text' }, 'other', null],
		];
		for (const [error, kind, wish] of errors) {
			const verdict = ended({ exitCode: 22, stdout: JSON.stringify(error) });
			expect([verdict.kind, 'retryAfterMs' in verdict ? verdict.retryAfterMs : null]).toEqual([kind, wish]);
		}
	});
});

describe('an answer never counts', () => {
	const answers = [
		'rate limit exceeded',
		'429 Too Many Requests',
		'API Error: Request rejected (429)',
		'{"type":"error","message":"429 Too Many Requests"}',
		'{"type":"turn.failed","error":{"message":"rate limit exceeded"}}',
		'{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}',
		'{"type":"session.error","data":{"errorType":"rate_limit"}}',
		'Here is what it prints:\n{"type":"result","is_error":true,"api_error_status":429,"session_id":"s"}',
		'fixed: the quota was exceeded, retry after 30 seconds',
	];
	it.each(answers)('%s', (answer) => {
		expect(ended({ exitCode: 0, stdout: answer })).toEqual({ kind: 'success' });
		expect(ended({ exitCode: 0, stdout: `${answer}\n`, stderr: 'rate limit exceeded' })).toEqual({
			kind: 'success',
		});
		// Also where the program failed, unless its whole output is the error.
		expect(
			ended({ exitCode: 1, stdout: `I looked at it.\n${answer.replaceAll(/^\{/gm, '> {')}\nDone.` }),
		).toEqual({
			kind: 'other',
		});
	});
});

describe('exit codes', () => {
	it('429 is a limit where the system has such a code; 173 is what POSIX keeps of it and says nothing', () => {
		expect(ended({ exitCode: 429 })).toMatchObject({ kind: 'rate-limit', retryAfterMs: null });
		expect(ended({ exitCode: 173 })).toEqual({ kind: 'other' });
		expect(ended({ exitCode: 429, stderr: 'credit balance is too low' }).kind).toBe('spend-limit');
	});

	it('without a word, success is 0 and nothing else', () => {
		fc.assert(
			fc.property(fc.option(fc.integer({ min: 0, max: 255 })), (exitCode) => {
				expect(ended({ exitCode })).toEqual({ kind: exitCode === 0 ? 'success' : 'other' });
			}),
		);
	});
});

describe('words in the error output of a program that failed', () => {
	it.each([
		['Error: rate limit exceeded', null],
		["You've hit a rate limit. Please try again in 2 hours", 2 * HOUR],
		['This request would exceed your organization’s rate limit of 50,000 input tokens per minute', null],
		['ERROR: exceeded retry limit, last status: 429 Too Many Requests', null],
		['HTTP/1.1 429', null],
		['error: HTTP 429: slow down', null],
		['Error: 429', null],
		['Error 429: too fast', null],
		['Request failed with status code 429', null],
		['API Error: Request rejected (429) · This request would exceed your rate limit', null],
		['429 {"type":"error","error":{"type":"rate_limit_error"}}', null],
		['Please retry after 2733 seconds. (user_global_rate_limited:pro)', 2_733_000],
		['RateLimitError: 429', null],
		['openai.RateLimitError: Error code: 429 - {"error": {}}', null],
		['Rate limited. Try again in 4 hours', 4 * HOUR],
		['Too Many Requests', null],
		['quota exceeded', null],
		['You have exceeded your quota for this model; retry-after: 30', 30_000],
		['status: RESOURCE_EXHAUSTED, retryDelay: "12s"', 12_000],
		['Claude AI usage limit reached|1796209200', HOUR],
		['You’ve hit your session limit · resets 3:40pm (Europe/Berlin)', 4 * HOUR + 40 * MINUTE],
		["You've hit your limit · resets 11am (UTC)", HOUR],
		['5-hour limit reached ∙ resets 11am (UTC)', HOUR],
		['You have no quota (Request ID: 1234)', null],
		['429 rate limit\nretry-after-ms: 1500', 1_500],
		['rate limit reached\nfor you\nit resets at 2026-12-02T11:00:00Z', HOUR],
	])('"%s" is a rate limit', (stderr, retryAfterMs) => {
		const said = expect.any(String);
		expect(ended({ stderr })).toEqual({ kind: 'rate-limit', retryAfterMs, said });
		expect(ended({ stderr: `working\n${stderr}\n    at main (index.js:1:1)\n\n` }).kind).toBe('rate-limit');
	});

	it.each([
		'Credit balance is too low',
		'Quota exceeded. Check your plan and billing details.',
		'429 You exceeded your current quota, please check your plan and billing details.',
		"code: 'insufficient_quota'",
		'You have reached your monthly spend limit; it resets 1 Dec',
		'You have reached your specified API usage limits. You will regain access on 2026-12-03.',
		'HTTP 402 Payment Required',
		'You are out of credits',
		'Error: insufficient balance',
	])('"%s" is money', (stderr) => {
		expect(ended({ stderr })).toEqual({ kind: 'spend-limit', said: stderr });
	});

	it.each([
		'fixes issue 429',
		'see #429',
		'error at line 429',
		'src/a.ts:429:12 - error TS2322',
		'429 tests passed, 1 failed',
		'error: 429 files changed',
		'status: 429 files scanned',
		'0 rate limit errors',
		'no rate limit reached',
		'rate limit errors: 0',
		'the request was not rate-limited',
		'FAIL test/rate-limit.test.ts',
		'src/rate_limit/index.ts: no such file',
		'rate limiter started',
		'cannot find module rate_limit_error.ts',
		'write error: Disk quota exceeded',
		'EDQUOT: quota exceeded, write',
		'context limit reached',
		'you have hit your context limit',
		'exceeded your output token limit',
		'turn limit reached',
		'port 4290 in use',
		'API Error: 529 Overloaded',
		'503 Service Unavailable',
		'connect ECONNREFUSED',
		'',
	])('"%s" says nothing of limits', (stderr) => {
		expect(ended({ stderr })).toEqual({ kind: 'other' });
	});

	it.each([
		'npm error 429 Too Many Requests - GET https://registry.example.org/left-pad',
		'npm ERR! 429 Too Many Requests - GET https://registry.example.org/@anthropic-ai%2fsdk',
		'npm error 402 Payment Required - PUT https://registry.example.org/@acme/app',
		'error An unexpected error occurred: "https://registry.example.com/openai: Request failed with status code 429"',
		'ERROR: HTTP error 429 while getting https://files.pythonhosted.org/packages/openai.whl',
		'pip._vendor.requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://pypi.org/simple/openai/',
		'error: failed to get `serde` from https://index.crates.io/: HTTP 429: too many requests',
		'go: example.com/tool@v1: reading https://proxy.golang.org/example.com/tool: 429 Too Many Requests',
		'Could not transfer artifact from https://repo.maven.apache.org/maven2: status code: 429, Too Many Requests',
		'gh: API rate limit exceeded for user ID 12345. (HTTP 403)',
		'HTTP 403: You have exceeded a secondary rate limit (https://api.github.com/graphql)',
		'Error: GitHub API rate limit exceeded; set HOMEBREW_GITHUB_API_TOKEN',
		'fatal: unable to access https://github.com/a/b.git/: The requested URL returned error: 429',
		"fatal: unable to access 'https://github.com/openai/codex.git/': The requested URL returned error: 429",
		'error: RPC failed; HTTP 429 curl 22 The requested URL returned error: 429',
		'remote: Too many requests. Try again in 10 minutes.',
		'GitLab: rate limit exceeded, retry later',
		'curl: (22) The requested URL returned error: 429',
		'toomanyrequests: You have reached your pull rate limit. https://www.docker.com/increase-rate-limit',
		'Error response from daemon: toomanyrequests: rate limit exceeded',
		'#5 ERROR: failed to copy: httpReadSeeker: unexpected status code 429 Too Many Requests',
		'failed to pull quay.io/acme/app: HTTP 429 Too Many Requests',
		"Quota exceeded for quota metric 'Read requests' of service 'sheets.googleapis.com' for consumer 'project:1'",
		'An error occurred (ThrottlingException) when calling the DescribeStacks operation: rate limit exceeded',
		'Error: too many requests to Slack: rate_limited',
		'StripeRateLimitError: Too many requests hit the Stripe API',
		"urn:ietf:params:acme:error:rateLimited: Let's Encrypt: rate limit exceeded",
		'requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://api.weather.example/v2/now',
		'OSError: HTTP Error 429 thrown while requesting HEAD https://huggingface.co/bert/config.json: 429 Too Many Requests',
		'E   AssertionError: expected HTTP 429 but got 200',
		'E       assert response.status_code == 429',
		'Expected: 429 Too Many Requests',
		'expected status 429 to be 200',
		'AssertionError [ERR_ASSERTION]: rate limit exceeded',
		' FAIL  src/limiter.test.ts > answers HTTP 429 Too Many Requests',
		'not ok 3 - rate limit exceeded is shown',
		'--- FAIL: TestQuotaExceeded (0.00s) quota exceeded',
		'  × tells the user that the rate limit was reached',
	])('"%s" is of another service', (stderr) => {
		expect(ended({ stderr })).toEqual({ kind: 'other' });
		expect(ended({ stderr: `working\n${stderr}\nretry-after: 3600\n` })).toEqual({ kind: 'other' });
		// What is known of the model stays, with its own wish.
		const both = `429 rate limit reached for gpt-5. Try again in 20s.\n${stderr} retry-after: 3600`;
		expect(ended({ stderr: both })).toMatchObject({ kind: 'rate-limit', retryAfterMs: 20_000 });
	});

	it.each([
		'429 Too Many Requests from https://api.anthropic.com/v1/messages',
		'openai.RateLimitError: Error code: 429 - see https://platform.openai.com/account/rate-limits',
		'HTTPError: 429 Client Error: Too Many Requests for url: https://llm.corp.example/v1/chat/completions',
		'exceeded retry limit, last status: 429 Too Many Requests, url: https://chatgpt.com/backend-api/codex/responses',
		'unexpected status 429 Too Many Requests, url: http://127.0.0.1:47100/gateway/t/v1/responses',
		'POST http://localhost:11434/api/chat: 429 Too Many Requests',
		'rate limit exceeded for model llama-4 (https://console.example/limits)',
		'Rate limit reached on tokens per min (TPM): see https://docs.example/limits',
		'Sorry, you have exceeded your Copilot token usage rate limit. https://docs.github.com/en/copilot/rate-limits',
		'GitHub Copilot: rate limit exceeded',
		'You have been rate limited by GitHub Models: rate limit reached',
		'429 Too Many Requests (https://api.githubcopilot.com/chat/completions)',
		'429 Too Many Requests: https://router.huggingface.co/v1/chat/completions',
		'[API Error: You exceeded your current quota: https://ai.google.dev/gemini-api/docs/rate-limits]',
		"Quota exceeded for quota metric 'Requests' of service 'generativelanguage.googleapis.com'",
		"Quota exceeded of service 'cloudaicompanion.googleapis.com' for gemini-3",
		'An error occurred (ThrottlingException) when calling the InvokeModel operation: Too many requests',
		'litellm.RateLimitError: 429',
		'Claude usage limit reached. See https://claude.ai/upgrade',
		'FATAL: rate limit exceeded',
		'error: HTTP 429',
		'rate limit exceeded',
		'too many requests',
		'quota exceeded',
		'2026-12-02T10:00:00Z ERROR rate limit exceeded',
		'stream error: exceeded retry limit, last status: 429 Too Many Requests',
		'Error: request was rate limited: Too many requests, try again later',
		'Ollama: too many requests',
		'Bedrock: rate limit exceeded (https://console.example)',
		'Gemini quota exceeded, resets tomorrow at 3pm (UTC)',
	])('"%s" may be of the model', (stderr) => {
		expect(ended({ stderr }).kind).toBe('rate-limit');
	});

	it('an error object of a package manager is none of a model', () => {
		const summary = '429 Too Many Requests - GET https://registry.example.org/left-pad';
		const error = JSON.stringify({ error: { code: 429, summary, detail: '' } }, null, 2);
		expect(ended({ stdout: error })).toEqual({ kind: 'other' });
		expect(ended({ stderr: error })).toEqual({ kind: 'other' });
	});

	it('only its end is read: what stands hours above did not end it', () => {
		const work = 'working\n'.repeat(200);
		expect(ended({ stderr: `rate limit exceeded\n${work}panic: no such file` })).toEqual({ kind: 'other' });
		expect(ended({ stderr: `${work}rate limit exceeded` }).kind).toBe('rate-limit');
	});

	it('what comes last decides', () => {
		expect(ended({ stderr: 'rate limit exceeded\ncredit balance is too low' }).kind).toBe('spend-limit');
		expect(ended({ stderr: 'credit balance is too low\nrate limit exceeded' }).kind).toBe('rate-limit');
	});
});

describe('for any text', () => {
	const words = fc.constantFrom(
		...[
			'rate limit',
			' exceeded',
			'429',
			' ',
			'\n',
			'{',
			'}',
			'"error":',
			'"code":',
			'try again in ',
			'4',
			' hours',
		],
		...[
			'{"type":"result",',
			'"is_error":true',
			'"session_id":"s"',
			',',
			'quota ',
			'spend limit',
			'HTTP ',
			'[',
		],
	);
	const text = fc
		.array(fc.oneof(words, fc.string({ maxLength: 4 })), { maxLength: 30 })
		.map((all) => all.join(''));

	it('never throws; success only with exit code 0; a wish is a span that can be waited', () => {
		fc.assert(
			fc.property(
				text,
				text,
				fc.constantFrom(0, 1, null),
				fc.boolean(),
				(stdout, stderr, exitCode, isStdoutCut) => {
					const verdict = ended({ stdout, stderr, exitCode, isStdoutCut });
					if (verdict.kind === 'success') expect(exitCode).toBe(0);
					if (verdict.kind === 'rate-limit') expect(verdict.retryAfterMs ?? 1).toBeGreaterThan(0);
				},
			),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
		);
	});

	it('the error output of a program that did well changes nothing', () => {
		fc.assert(
			fc.property(text, (stderr) => {
				expect(ended({ exitCode: 0, stdout: 'Done.', stderr })).toEqual({ kind: 'success' });
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
		);
	});

	it('a long hostile line costs no time worth mentioning', () => {
		for (const unit of [
			'rate limit ',
			'quota ',
			'request ',
			'hit your a ',
			'"code": ',
			'spend ',
			'over ',
			'expected 429 ',
			'docker ',
			'429 Too Many Requests github.com ',
			'((((',
		]) {
			const long = unit.repeat(50_000);
			const start = performance.now();
			limitIn(long, NOW);
			limitIn(long, NOW, 'output');
			wishIn(long, NOW);
			// Seconds, if a pattern ran wild; far less otherwise.
			expect(performance.now() - start).toBeLessThan(5_000);
		}
	});
});
