/** The POSIX module over the command, with a floor that runs and without one. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { RunningTestFloor } from '../support/running-floor.ts';
import { inShell, type ShellEnd } from './shells.ts';

const entry = resolve(import.meta.dirname, '../../src/main/cli/main.ts');
const sh = { program: 'sh', args: [] };

/** A repository, and the command on the PATH of its loops. */
class Place {
	readonly directory = temporaryDirectory();
	readonly #command = join(this.directory, 'agent-floor');
	readonly #data: string;

	constructor(data: string) {
		this.#data = data;
		mkdirSync(join(this.directory, 'app', '.squad'), { recursive: true });
		mkdirSync(join(this.directory, 'app', '.git'));
		writeFileSync(this.#command, `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`);
		chmodSync(this.#command, 0o755);
	}

	run(script: string, env: NodeJS.ProcessEnv = {}): Promise<ShellEnd> {
		const path = `${this.directory}:${process.env.PATH}`;
		return inShell(sh, join(this.directory, 'app'), script, {
			PATH: path,
			AGENT_FLOOR_COMMAND: '',
			AGENT_FLOOR_DATA: this.#data,
			...env,
		});
	}

	get state(): unknown {
		return JSON.parse(readFileSync(join(this.directory, 'app/.squad/ralph-circuit-breaker.json'), 'utf8'));
	}
}

const floors: RunningTestFloor[] = [];
afterEach(async () => {
	for (const floor of floors.splice(0)) await floor.dispose();
});

// Every question is a process of its own.
describe('the module over the command', { timeout: 60_000 }, () => {
	it('says and does what the command does', async () => {
		const place = new Place(join(temporaryDirectory(), 'data'));
		const { code, out, err } = await place.run(
			`agent_floor_current_model
			agent_floor_rate_limit '--message=rate limit reached, try again in 2 hours'
			agent_floor_current_model`,
		);
		expect([code, out]).toEqual([0, 'claude-sonnet-5\ngpt-5.4-mini\n']);
		expect(err).toMatch(
			/^\[circuit-breaker] RATE LIMITED — falling back to gpt-5\.4-mini \(cooldown: 10m; as the provider/,
		);
		expect(place.state).toMatchObject({ state: 'open', resumeAt: expect.any(String) });
	});

	it('with the whole chain limited --no-wait gives the last fallback and 3', async () => {
		const place = new Place(join(temporaryDirectory(), 'data'));
		const { code, out } = await place.run(
			`agent_floor_current_model
			for i in 1 2 3; do agent_floor_rate_limit; done
			agent_floor_current_model --no-wait`,
		);
		expect([code, out]).toEqual([3, 'claude-sonnet-5\ngpt-5-mini\n']);
	});

	it('of two loops in one directory one makes the test call', async () => {
		const floor = await RunningTestFloor.start();
		floors.push(floor);
		const place = new Place(floor.directory);
		await place.run('agent_floor_current_model; agent_floor_rate_limit');
		await floor.request('model:probe', { chainId: floor.snapshot().models.chains[0]?.id });
		const loops = await Promise.all([
			place.run('agent_floor_current_model'),
			place.run('agent_floor_current_model'),
		]);
		expect(loops.map(({ out }) => out).sort()).toEqual(['claude-sonnet-5\n', 'gpt-5.4-mini\n']);
	});

	it('one loop is one caller: its reports are about what it was given, from subshells too', async () => {
		const floor = await RunningTestFloor.start();
		floors.push(floor);
		const place = new Place(floor.directory);
		await place.run('agent_floor_current_model; agent_floor_rate_limit');
		await floor.request('model:probe', { chainId: floor.snapshot().models.chains[0]?.id });
		const { err } = await place.run(
			'model=$(agent_floor_current_model); (agent_floor_success); echo "$model"',
		);
		expect(err).toContain('[circuit-breaker] Half-open success 1/2');
		expect(floor.snapshot().models.chains[0]).toMatchObject({ halfOpenSuccesses: 1, probe: null });
	});

	it('a failure gives the test call back', async () => {
		const floor = await RunningTestFloor.start();
		floors.push(floor);
		const place = new Place(floor.directory);
		await place.run('agent_floor_current_model; agent_floor_rate_limit');
		await floor.request('model:probe', { chainId: floor.snapshot().models.chains[0]?.id });
		await place.run('agent_floor_current_model; agent_floor_failure');
		expect(floor.snapshot().models.chains[0]).toMatchObject({
			state: 'half-open',
			probe: null,
			halfOpenSuccesses: 0,
		});
	});

	it('a command that does not work is said, and the file alone is used', async () => {
		const place = new Place(join(temporaryDirectory(), 'data'));
		const broken = join(place.directory, 'broken');
		writeFileSync(broken, '#!/bin/sh\necho "cannot start" >&2\nexit 2\n');
		chmodSync(broken, 0o755);
		const { code, out, err } = await place.run('agent_floor_current_model; agent_floor_rate_limit', {
			AGENT_FLOOR_COMMAND: broken,
		});
		expect([code, out]).toEqual([0, 'claude-sonnet-5\n']);
		expect(err).toContain('agent-floor does not work here; the state file alone is used.');
		expect(err).toContain('agent-floor did not take the report; the state file alone is used.');
		expect(place.state).toMatchObject({ state: 'open' });
	});

	it('a state file of another name is used without the command, which would not know it', async () => {
		const place = new Place(join(temporaryDirectory(), 'data'));
		await place.run('agent_floor_rate_limit', { AGENT_FLOOR_STATE_FILE: 'breaker.json' });
		expect(JSON.parse(readFileSync(join(place.directory, 'app/breaker.json'), 'utf8'))).toMatchObject({
			state: 'open',
		});
		expect(existsSync(join(place.directory, 'app/.squad/ralph-circuit-breaker.json'))).toBe(false);
	});
});
