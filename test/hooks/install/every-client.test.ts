/** What every program's installer must hold. The opencode plugin is one file of the floor's own: it has no keys. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDialects } from '../../../src/main/hooks/dialects.ts';
import { writeForwardProgram } from '../../../src/main/hooks/install/forward-program.ts';
import { type HookPlace, hookClients } from '../../../src/main/hooks/install/hook-clients.ts';
import { hookClientSchema } from '../../../src/shared/words.ts';
import { VERDICT_KINDS, verdictOf } from '../reply-contract.ts';

const address = { baseUrl: 'http://127.0.0.1:47100', agentToken: 'token' };
const keyed = hookClientSchema.options.filter((client) => client !== 'opencode');

let home: string;
let place: Omit<HookPlace, 'file'>;

beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'agent-floor-every-'));
	place = { ...address, dataDirectory: join(home, 'data'), inProject: false };
	await writeForwardProgram(place.dataDirectory, address, process.platform);
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function installed(client: (typeof keyed)[number]) {
	const { userFile, plan, apply } = hookClients[client];
	const at = { ...place, file: userFile({}, home) };
	await mkdir(dirname(at.file), { recursive: true });
	await apply(at, false);
	const read = async () => readFile(at.file, 'utf8');
	const events = Object.keys(JSON.parse(await read()).hooks);
	return { at, read, events, plan: () => plan(at, false), apply: () => apply(at, false) };
}

it('every program has a dialect, and every dialect a program', () => {
	expect(
		createDialects()
			.map(({ client }) => client)
			.toSorted(),
	).toEqual(hookClientSchema.options.toSorted());
});

describe.each(keyed)('%s', (client) => {
	it('asks for every event whose answer matters, under the name that its dialect knows', async () => {
		const dialect = createDialects().find((each) => each.client === client);
		const { events } = await installed(client);
		expect(events.filter((event) => dialect?.answers(event)).length).toBeGreaterThan(3);
		expect(events.some((event) => dialect?.carriesNote(event))).toBe(true);
	});

	it('changes by no reply what a call asks for: some programs drop such a change without a word', async () => {
		const dialect = createDialects().find((each) => each.client === client);
		const { events } = await installed(client);
		for (const event of events) {
			for (const kind of VERDICT_KINDS) {
				const reply = JSON.stringify(dialect?.reply(event, verdictOf(kind)));
				expect(reply).not.toMatch(/updated_?(Input|Permissions|mcp)|modified(Args|Result)|tool_input/i);
			}
		}
	});

	it('never says that a key in the wrong case is in place, and mends it', async () => {
		const { at, read, events, plan, apply } = await installed(client);
		const right = await read();
		for (const event of events) {
			const [first = ''] = event;
			const other = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
			await writeFile(at.file, right.replace(`"${event}":`, `"${other}${event.slice(1)}":`));
			expect((await plan()).status, event).toBe('partly');
		}
		await apply();
		expect(Object.keys(JSON.parse(await read()).hooks).toSorted()).toEqual(events.toSorted());
	});
});
