/** How a trial goes: which agent programs are tried, where each comes from, and what is said of it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled } from '../prepare.mjs';
import { isNode24, main, node24, runInOurPlace, ScriptError } from '../run.mjs';
import { installProgram } from './real-program.mjs';
import { say } from './say.mjs';

const list = new Intl.ListFormat('en-GB');

/**
 * Tries the programs one after the other, or the one that `--only` names. A variable with the name of its key
 * (`CODEX=path`) says where a program is installed already.
 * @template {{ key: string, name: string, package: string }} Client
 * @param {string} name of the trial's directory
 * @param {Client[]} all
 * @param {(client: Client, program: string, place: string) => Promise<void>} tryOne `place`: not made yet, its own
 */
export async function trial(name, all, tryOne) {
	await main(async () => {
		// The stubs are TypeScript: Node 24 reads them as they are.
		if (!isNode24()) return (await runInOurPlace(node24(), process.argv.slice(1))).code;
		const { values } = parseArgs({ options: { only: { type: 'string' } } });
		const clients = all.filter(({ key }) => values.only === undefined || values.only === key);
		if (clients.length === 0) {
			const keys = all.map(({ key }) => key);
			throw new ScriptError(`There is no "${values.only}"; there are ${list.format(keys)}.`);
		}
		await ensureInstalled();
		await ensureBuilt();
		const place = mkdtempSync(join(tmpdir(), `agent-floor-${name}-`));
		try {
			for (const client of clients) {
				const program = process.env[client.key.toUpperCase()] ?? install(client, place);
				say(`\n=== ${client.name}: ${versionOf(program, place)}`);
				await tryOne(client, program, join(place, client.key));
			}
			say('\nAll of it held.');
		} finally {
			// A program that was killed may still write.
			rmSync(place, { recursive: true, force: true, maxRetries: 5 });
		}
		return 0;
	});
}

function install(client, place) {
	say(`installing     ${client.package} from the registry …`);
	return installProgram(client.package, client.key, place);
}

/** Its first line; some add an advertisement. */
function versionOf(program, home) {
	const printed = execFileSync(program, ['--version'], {
		env: { PATH: process.env.PATH, HOME: home },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	return printed.toString().trim().split('\n')[0];
}
