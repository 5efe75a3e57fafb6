import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettingValue } from '../../src/main/cli/setting-value.ts';
import { defaultSettings } from '../../src/shared/settings.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { run } from './command-line.ts';

describe('the value of a setting', () => {
	it('is JSON where it is JSON (property)', () => {
		fc.assert(
			fc.property(fc.json(), (text) => {
				expect(readSettingValue(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	it.each(['local', 'http://127.0.0.1:9000/hook', 'Ich & ich', 'ture', '', '-', 'NaN'])(
		'is text where it is not: %s',
		(text) => {
			expect(readSettingValue(text)).toBe(text);
		},
	);

	it.each(['[1,', '{"a": 1', '"local', ' [} '])('that begins like JSON must be JSON: %s', (text) => {
		expect(() => readSettingValue(text)).toThrow(/begins like JSON and is none/);
	});
});

describe.each(['a floor that runs', 'the file alone'])('agent-floor settings, through %s', (where) => {
	let floor: RunningTestFloor | null = null;
	let directory = '';

	beforeAll(async () => {
		if (where === 'the file alone') {
			directory = await mkdtemp(join(tmpdir(), 'agent-floor-settings-'));
			return;
		}
		floor = await RunningTestFloor.start();
		directory = floor.directory;
	});
	afterAll(async () => {
		if (floor) await floor.dispose();
		else await rm(directory, { recursive: true, force: true });
	});

	it.each([
		['failover.policy', 'local', '"local"'],
		['failover.policy', '"wait"', '"wait"'],
		['webhook.url', 'https://example.org/hook', '"https://example.org/hook"'],
		['webhook.url', 'null', 'null'],
		['breaker.hardStop', 'true', 'true'],
		['models.allowCostlier', 'on', 'true'],
		['models.allowCostlier', 'off', 'false'],
		['failover.holdSeconds', '45.5', '45.5'],
		['breaker.agentTokenCaps', '{"checkout-service": 500000}', '{"checkout-service":500000}'],
		['localServers', '[]', '[]'],
	])('set %s %s', async (key, value, printed) => {
		expect(await run(directory, 'settings', 'set', key, value)).toEqual({
			code: 0,
			out: `${key} = ${printed}`,
			err: '',
		});
		const shown = await run(directory, 'settings', 'get', key);
		expect(JSON.parse(shown.out)).toEqual(JSON.parse(printed));
	});

	it.each([
		['failover.policy', 'locla', /failover\.policy cannot be "locla"; allowed: .*"ask".*"local".*"wait"/],
		['breaker.hardStop', 'ture', /breaker\.hardStop cannot be "ture"; allowed: true or false/],
		['failover.holdSeconds', 'soon', /failover\.holdSeconds cannot be "soon"; allowed: a number/],
		['webhook.url', 'nowhere', /webhook\.url cannot be "nowhere"/],
		['providers', 'anthropic', /providers cannot be "anthropic"; allowed: a list/],
		['providers', '[{"id": "x"', /begins like JSON and is none/],
		['failover.policy', 'on', /failover\.policy cannot be "on"/],
		[
			'models.chains',
			'[{"preferredModel":"a","cooldown":5}]',
			/no field "cooldown"; it is called cooldownMinutes/,
		],
		['failover.polcy', 'local', /There is no setting failover\.polcy/],
	])('set %s %s is refused with what is allowed', async (key, value, message) => {
		const before = await readFile(join(directory, 'settings.json'), 'utf8');
		const { code, out, err } = await run(directory, 'settings', 'set', key, value);
		expect([code, out]).toEqual([2, '']);
		expect(err).toMatch(message);
		expect(await readFile(join(directory, 'settings.json'), 'utf8')).toBe(before);
	});
});

it('the chain that docs/rate-limits.md gives to agents behind the gateway is taken as it stands', async () => {
	const docs = await readFile(join(import.meta.dirname, '../../docs/rate-limits.md'), 'utf8');
	const [, chains = ''] = /agent-floor settings set models\.chains '([^']+)'/.exec(docs) ?? [];
	const directory = await mkdtemp(join(tmpdir(), 'agent-floor-docs-'));
	const { code, err } = await run(directory, 'settings', 'set', 'models.chains', chains);
	expect([code, err]).toEqual([0, '']);
	await rm(directory, { recursive: true });
});

describe('the README', () => {
	it('shows lists that are taken as they stand, and the way back', async () => {
		const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
		const examples = [...readme.matchAll(/agent-floor settings set ([a-z]\w+) (?:'([^']+)'|(\S+))/g)].map(
			([, key = '', quoted, word = '']) => [key, quoted ?? word] as const,
		);
		expect(examples.map(([key]) => key)).toEqual(['providers', 'localServers', 'providers']);
		const directory = await mkdtemp(join(tmpdir(), 'agent-floor-readme-'));
		for (const [key, value] of examples) {
			const { code, err } = await run(directory, 'settings', 'set', key, value);
			expect([code, err]).toEqual([0, '']);
			const shown = JSON.parse((await run(directory, 'settings', 'get', key)).out);
			expect(shown).toEqual(JSON.parse(value) ?? Reflect.get(defaultSettings, key));
		}
		await rm(directory, { recursive: true });
	});
});
