/** `agent-floor model` over a floor that runs. */
import { afterEach, describe, expect, it } from 'vitest';
import { RunningTestFloor } from '../support/running-floor.ts';
import { type Printed, run } from './command-line.ts';

const running: RunningTestFloor[] = [];

async function floor(models: Record<string, unknown> = {}): Promise<RunningTestFloor> {
	const started = await RunningTestFloor.start({ models });
	running.push(started);
	return started;
}

afterEach(async () => {
	for (const one of running.splice(0)) await one.dispose();
});

const model = (here: RunningTestFloor, ...args: readonly string[]): Promise<Printed> =>
	run(here.directory, 'model', ...args);

const chain = (more: object = {}) => ({
	preferredModel: 'claude-sonnet-5',
	fallbackChain: ['gpt-5.4-mini', 'gpt-5-mini'],
	cooldownMinutes: 10,
	...more,
});

describe('agent-floor model', () => {
	it('current prints the model and nothing else', async () => {
		expect(await model(await floor(), 'current')).toEqual({ code: 0, out: 'claude-sonnet-5', err: '' });
	});

	it('goes down the chain limit by limit, and says it as the seed does', async () => {
		const here = await floor();
		await model(here, 'current');
		expect(await model(here, 'rate-limit')).toEqual({
			code: 0,
			out: '',
			err: '[circuit-breaker] RATE LIMITED — falling back to gpt-5.4-mini (cooldown: 10m)',
		});
		expect(await model(here, 'current')).toEqual({ code: 0, out: 'gpt-5.4-mini', err: '' });
		expect((await model(here, 'success')).err).toBe('');
		expect((await model(here, 'rate-limit')).err).toBe(
			'[circuit-breaker] Fallback also limited — trying gpt-5-mini',
		);
		expect((await model(here, 'current')).out).toBe('gpt-5-mini');
	});

	it('with nothing left it prints nothing, says when, and leaves with 3', async () => {
		const here = await floor();
		await model(here, 'current');
		for (let index = 0; index < 2; index += 1) await model(here, 'rate-limit');
		const { err } = await model(here, 'rate-limit');
		expect(err).toMatch(/^\[circuit-breaker] RATE LIMITED — All models of the chain are limited; gpt-5/);
		const exhausted = await model(here, 'current');
		expect([exhausted.code, exhausted.out]).toEqual([3, '']);
		expect(exhausted.err).toMatch(
			/^All models of the chain are limited; gpt-5\.4-mini is free at (\d\d:\d\d:\d\d|\d+ \w+ \d\d:\d\d) \(in \d+ [ms]\)\.$/,
		);
		const json = await model(here, 'current', '--json');
		expect([json.code, JSON.parse(json.out)]).toEqual([3, expect.objectContaining({ model: null })]);
	});

	it('waits until one is free where it is asked to', async () => {
		const here = await floor({ chains: [chain({ fallbackChain: ['gpt-5.4-mini'], cooldownMinutes: 0.01 })] });
		await model(here, 'current');
		await model(here, 'rate-limit');
		await model(here, 'rate-limit', '--model=gpt-5.4-mini');
		const { code, out, err } = await model(here, 'current', '--wait');
		expect([code, out]).toEqual([0, expect.stringMatching(/^(?:claude-sonnet-5|gpt-5\.4-mini)$/)]);
		expect(err).toMatch(/^All models of the chain are limited; .* Waiting\.$/m);
	});

	it('two successes of the test call heal, whoever asks meanwhile stays on the fallback', async () => {
		const here = await floor();
		await model(here, 'current');
		await model(here, 'rate-limit');
		expect((await model(here, 'probe')).out).toBe('Done: the next call tests claude-sonnet-5.');
		const tested = await model(here, 'current');
		expect(tested).toEqual({
			code: 0,
			out: 'claude-sonnet-5',
			err: '[circuit-breaker] Testing preferred model (claude-sonnet-5) before its cooldown is over, as asked...',
		});
		expect((await model(here, 'current', '--caller=other')).out).toBe('gpt-5.4-mini');
		expect((await model(here, 'success')).err).toBe('[circuit-breaker] Half-open success 1/2');
		await model(here, 'current');
		expect((await model(here, 'success')).err).toBe(
			'[circuit-breaker] RECOVERED — back to preferred model (claude-sonnet-5)',
		);
		expect((await model(here, 'current', '--caller=other')).out).toBe('claude-sonnet-5');
	});

	it('a limit of another model is told of that model, and moves nothing here', async () => {
		const here = await floor({
			chains: [
				chain(),
				chain({ preferredModel: 'gpt-5.4' }),
				chain({ preferredModel: 'lone', fallbackChain: [], cooldownMinutes: 0.5 }),
			],
		});
		const used = 'claude-sonnet-5 is used here as before';
		const limited = async (name: string) => (await model(here, 'rate-limit', `--model=${name}`)).err;
		expect(await limited('gpt-5.4')).toBe(
			`[circuit-breaker] RATE LIMITED — gpt-5.4 is limited: gpt-5.4-mini stands in for it (cooldown: 10m); ${used}`,
		);
		expect(await limited('lone')).toBe(
			`[circuit-breaker] RATE LIMITED — lone is limited: it has no fallback, its calls still go through (cooldown: 30s); ${used}`,
		);
		// A fallback of this chain, while the preferred model is used.
		expect(await limited('gpt-5-mini')).toBe(
			'[circuit-breaker] RATE LIMITED — claude-sonnet-5 is used as before',
		);
		expect((await model(here, 'current')).out).toBe('claude-sonnet-5');
	});

	it('a limited fallback when the preferred model is to be tested is not told as the end', async () => {
		const here = await floor();
		await model(here, 'current');
		await model(here, 'rate-limit');
		await model(here, 'current');
		await model(here, 'probe');
		expect((await model(here, 'rate-limit')).err).toBe(
			'[circuit-breaker] Fallback also limited — the cooldown of claude-sonnet-5 is over: the next call tests it',
		);
	});

	it('a test that is asked for does not wait for one that is under way, and says so', async () => {
		const here = await floor();
		await model(here, 'current');
		await model(here, 'rate-limit');
		await model(here, 'probe');
		await model(here, 'current', '--caller=run 7');
		const { code, out } = await model(here, 'probe');
		expect(code).toBe(0);
		expect(out).toMatch(
			/^Done: the next call tests claude-sonnet-5\. The test call of run 7 in .* is no longer waited for\.$/,
		);
		expect((await model(here, 'current', '--caller=run 8')).out).toBe('claude-sonnet-5');
	});

	it('status of a model without fallbacks does not contradict itself', async () => {
		const here = await floor({ chains: [chain({ fallbackChain: [] })] });
		await model(here, 'current');
		await model(here, 'rate-limit');
		const { out } = await model(here, 'status');
		expect(out).toMatch(/\n {2}in use {7}claude-sonnet-5, though limited: it has no fallback\n/);
		expect(out).not.toContain('the whole chain is limited');
	});

	it.each(['--evil', '-m', 'a\nb', 'a\u001b[31mb', 'a\u009bb', 'a\u202eb', 'a\tb'])(
		'a model called %j is refused in words that are safe to print',
		async (name) => {
			const here = await floor({ chains: [chain({ preferredModel: name })] });
			for (const args of [['current'], ['current', '--json']]) {
				const { code, out, err } = await model(here, ...args);
				expect([code, out]).toEqual([2, '']);
				expect(err).toMatch(/No model is called that: .* Correct it in \.squad/);
				expect(err).not.toMatch(/\p{Cc}|\p{Cf}/u);
			}
		},
	);

	it('a failure of another kind is neither success nor limit, and gives the test call back', async () => {
		const here = await floor();
		await model(here, 'current');
		await model(here, 'rate-limit');
		await model(here, 'probe');
		await model(here, 'current');
		expect(await model(here, 'failure')).toEqual({ code: 0, out: '', err: '' });
		expect(here.snapshot().models.chains[0]).toMatchObject({
			state: 'half-open',
			halfOpenSuccesses: 0,
			probe: null,
		});
		expect((await model(here, 'current', '--caller=other')).out).toBe('claude-sonnet-5');
	});

	it.each([
		[['--retry-after=3600'], 3_600_000],
		[['--retry-after=4 hours'], 4 * 3_600_000],
		[['--retry-after=3 hours, 30 minutes'], 3.5 * 3_600_000],
		[['--message=You have hit a rate limit. Please try again in 2 hours.'], 2 * 3_600_000],
		[['--message=429', '--retry-after=2 hours'], 2 * 3_600_000],
	])('takes the wish of %j', async (args, ms) => {
		const here = await floor();
		await model(here, 'current');
		const { err } = await model(here, 'rate-limit', ...args);
		expect(err).toMatch(/\(cooldown: 10m; as the provider asked, not before .*\)$/);
		const [{ openedAt, resumeAt } = { openedAt: null, resumeAt: null }] = here.snapshot().models.chains;
		const wait = Number(resumeAt) - Number(openedAt);
		expect(wait).toBeGreaterThanOrEqual(ms);
		expect(wait).toBeLessThanOrEqual(ms + 60_000);
	});

	it('takes a text about money for what it is, and keeps no credential of it', async () => {
		const here = await floor();
		await model(here, 'current');
		const said = 'Your credit balance is too low (key sk-ant-abcdef123456)';
		const { err } = await model(here, 'rate-limit', `--message=${said}`);
		expect(err).toMatch(/^\[circuit-breaker] NO CREDIT — claude-sonnet-5 refused/);
		const [view] = here.snapshot().models.chains;
		expect(view?.state).toBe('closed');
		expect(view?.spendLimit?.said).toBe('Your credit balance is too low (key [credential])');
		expect((await model(here, 'current')).out).toBe('claude-sonnet-5');
	});

	it('hold and release, by model or of this chain', async () => {
		const here = await floor();
		expect((await model(here, 'hold', 'claude-sonnet-5')).out).toBe(
			'Done: claude-sonnet-5 is held back until you release it; gpt-5.4-mini is used.',
		);
		expect((await model(here, 'current')).out).toBe('gpt-5.4-mini');
		expect((await model(here, 'release')).out).toMatch(/^Done: claude-sonnet-5 is no longer held back/);
		expect((await model(here, 'release')).out).toBe(
			'claude-sonnet-5 is not held back; there is nothing to release.',
		);
		const unknown = await model(here, 'hold', 'nobody');
		expect([unknown.code, unknown.err]).toEqual([1, 'No chain prefers nobody.']);
	});

	it('status shows the chain to people and as JSON', async () => {
		const here = await floor();
		await model(here, 'current');
		await model(here, 'rate-limit', '--message=rate limit reached \u001b[2J');
		const { code, out } = await model(here, 'status');
		expect(code).toBe(0);
		expect(out.split('\n')[0]).toBe('claude-sonnet-5: open');
		expect(out).toMatch(/\n {2}in use {7}gpt-5\.4-mini\n/);
		// Past midnight it names the day instead of the second.
		expect(out).toMatch(/\n {2}tried again {2}(\d\d:\d\d:\d\d|\d+ \w+ \d\d:\d\d) \(in \d+ m\)\n/);
		expect(out).toMatch(/\n {2}metrics {6}1 fallback \(last \d\d:\d\d:\d\d\), 0 recoveries/);
		expect(out).not.toContain('\u001b');
		const whole = (key: string, value: unknown): unknown =>
			typeof value === 'number' && key !== 'cooldownMinutes' ? Math.ceil(value) : value;
		expect(JSON.parse((await model(here, 'status', '--json')).out)).toEqual(
			JSON.parse(JSON.stringify(here.snapshot().models, whole)),
		);
		const { resumeAt } = JSON.parse((await model(here, 'current', '--json')).out);
		expect(Number.isInteger(resumeAt)).toBe(true);
	});

	it('status of one chain only; without such a chain it says so', async () => {
		const here = await floor({ chains: [chain(), chain({ preferredModel: 'gpt-5.4' })] });
		const { out } = await model(here, 'status', '--preferred=gpt-5.4');
		expect(out).toMatch(/^gpt-5\.4: closed\n/);
		expect(out).not.toContain('claude-sonnet-5');
		expect(await model(here, 'status', '--preferred=foo')).toEqual({
			code: 1,
			out: '',
			err: 'No chain prefers foo.',
		});
	});

	it('a name that nobody knows is used, and remarked', async () => {
		const here = await floor({ chains: [chain(), chain({ preferredModel: 'gpt-5.4', provider: 'openai' })] });
		const remark = async (...args: readonly string[]) => (await model(here, ...args)).err;
		expect(await model(here, 'current', '--preferred=clade-sonnet-5')).toEqual({
			code: 0,
			out: 'clade-sonnet-5',
			err: 'No chain names clade-sonnet-5 as its preferred model: it is used as it is, without a fallback.',
		});
		expect(await remark('current', '--preferred=claude-sonnet-5-20250929')).toBe('');
		expect(await remark('current', '--preferred=gpt-5.4', '--provider=openai')).toBe('');
		expect(await remark('current', '--preferred=gpt-5.4')).toMatch(/^No chain names gpt-5\.4 as/);
		expect(await remark('current', '--provider=nope')).toMatch(
			/^The settings have no provider nope \(they have anthropic, openai\): /,
		);
		for (const verb of ['success', 'failure']) {
			expect(await remark(verb, '--model=nonsense')).toBe(
				'[circuit-breaker] No chain names nonsense: the report changes nothing',
			);
		}
		expect(await remark('success', '--model=gpt-5-mini')).toBe('');
		expect(here.snapshot().models.chains.map(({ state }) => state)).toEqual(['closed', 'closed']);
	});

	it('says why nothing is left where a fallback is skipped as costlier', async () => {
		const here = await floor({ chains: [chain({ fallbackChain: ['gpt-5-mini', 'claude-opus-4.5'] })] });
		const words = 'claude-opus-4.5 is skipped as costlier, models.allowCostlier allows it';
		await model(here, 'current');
		await model(here, 'rate-limit');
		const { err } = await model(here, 'rate-limit');
		expect(err).toContain(
			`RATE LIMITED — No model of the chain can be asked (${words}); gpt-5-mini is free at`,
		);
		expect((await model(here, 'current')).err).toContain(
			`No model of the chain can be asked (${words}); gpt`,
		);
		expect((await model(here, 'status')).out).toContain(`nothing can be asked now (${words})`);
	});

	it('a limit that is known already is told as that', async () => {
		const here = await floor();
		await model(here, 'current', '--caller=one');
		await model(here, 'current', '--caller=two');
		await model(here, 'rate-limit', '--caller=one');
		expect((await model(here, 'rate-limit', '--caller=two')).err).toBe(
			'[circuit-breaker] RATE LIMITED — it is known already that claude-sonnet-5 is limited; gpt-5.4-mini goes on standing in',
		);
		expect((await model(here, 'rate-limit', '--caller=two', '--model=gpt-5-mini')).err).toBe(
			'[circuit-breaker] RATE LIMITED — gpt-5-mini is limited as well; gpt-5.4-mini goes on standing in',
		);
	});

	it('chains are told apart by preferred model', async () => {
		const here = await floor({ chains: [chain(), chain({ preferredModel: 'gpt-5.4' })] });
		await model(here, 'rate-limit', '--model=gpt-5.4', '--preferred=gpt-5.4');
		expect((await model(here, 'current', '--preferred=gpt-5.4')).out).toBe('gpt-5.4-mini');
		expect((await model(here, 'current')).out).toBe('claude-sonnet-5');
	});

	it.each([
		[['now'], /"now" is none of current, success/],
		[[], /"" is none of/],
		[['current', 'x'], /too many words/],
		[['success', '--retry-after=5'], /belong to rate-limit/],
		[['current', '--model=x'], /--preferred names the chain/],
		[['rate-limit', '--retry-after=soon'], /--retry-after=soon is no time ahead/],
		[['rate-limit', '--retry-after=0'], /is no time ahead/],
		[
			['rate-limit', '--retry-after=1,5'],
			/--retry-after=1,5 is not one number of seconds; a fraction is written 1\.5/,
		],
		[['rate-limit', '--retry-after=1, 500'], /is not one number of seconds/],
		[['current', '--preferred='], /preferredModel/],
		[['current', '--directory=/no/such/place'], /--directory: \/no\/such\/place is no directory/],
		[['rate-limit', 'try again in 4 hours'], /goes into --message="try again in 4 hours"\. /],
		[['current', '--what'], /Unknown option/],
	])('%j is used wrongly', async (args, words) => {
		const here = await floor();
		const { code, out, err } = await model(here, ...args);
		expect([code, out]).toEqual([2, '']);
		expect(err).toMatch(words);
		expect(err).toMatch(/^agent-floor model: [^\n]* `agent-floor model --help` tells more\.$/);
	});
});
