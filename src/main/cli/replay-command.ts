/** `agent-floor replay FILE`: what the ladder would have done with a recorded night. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { exactNumber } from '../../shared/format.ts';
import { defaultSettings, type Settings, settingsSchema } from '../../shared/settings.ts';
import { createDialects } from '../hooks/dialects.ts';
import { type ArmPeak, type ReplayDecision, replay } from '../replay/replay.ts';
import { type Command, UsageError } from './command.ts';
import { readSettingValue } from './setting-value.ts';

export const replayCommand: Command = {
	name: 'replay',
	summary: 'Play recorded events on virtual time and print every change of a level',
	usage: `Usage: agent-floor replay FILE [--json] [--settings=FILE | --data=DIR] [--set KEY=VALUE]...

  FILE              JSON lines, "-" for standard input:
                    {"at": ms, "client", "event", "body"}                a hook
                    {"at": ms, "usage": {"sessionId", "model", "input", "output",
                       "cacheRead", "cacheCreation", "usd"}}             cumulative usage
                    {"at": ms, "progress": {"sessionId", "path"}}        a file changed
                    {"label": {...}}                                     not played
  --json            one JSON object a line: {"at", "sessionId", "level", "reason", "arm"}
  --arms            at the end, the most that each arm counted of each agent, against its limit
  --settings=FILE   a settings.json to judge by (without it: the defaults)
  --data=DIR        the settings of a data directory
  --set KEY=VALUE   one setting, e.g. --set breaker.repeatedToolLimit=6

Lines that cannot be read are named on standard error and skipped.`,
	async run({ args, out, err }) {
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				json: { type: 'boolean', default: false },
				arms: { type: 'boolean', default: false },
				settings: { type: 'string' },
				data: { type: 'string' },
				set: { type: 'string', multiple: true, default: [] },
			},
		});
		const [file, ...more] = positionals;
		if (file === undefined || more.length > 0) throw new UsageError('it takes exactly one file');
		const settingsFile = values.settings ?? (values.data && join(values.data, 'settings.json'));
		const settings = await readSettings(settingsFile, values.set);
		const input = file === '-' ? process.stdin : createReadStream(file);
		const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
		const failed = new Promise<never>((_, reject) => {
			input.once('error', (error: Error) => reject(new UsageError(`cannot read ${file}: ${error.message}`)));
		});
		await Promise.race([
			failed,
			replay(lines, {
				settings,
				dialects: createDialects(),
				onDecision: (decision) => out(values.json ? JSON.stringify(decision) : inWords(decision)),
				onSkipped: (line, why) => err(`line ${line} skipped: ${why}`),
				...(values.arms && {
					onPeak: (peak: ArmPeak) => out(values.json ? JSON.stringify(peak) : peakInWords(peak)),
				}),
			}),
		]);
		return 0;
	},
};

function inWords({ at, sessionId, level, reason }: ReplayDecision): string {
	return `${new Date(at).toISOString()}  ${sessionId}  ${level}  ${reason}`;
}

function peakInWords({ at, sessionId, arm, count, limit, unit, counted }: ArmPeak): string {
	const against = limit === null ? 'switched off' : `limit ${exactNumber(limit)}`;
	const figures = `${exactNumber(count ?? 0)} ${unit} (${against})`;
	return `${new Date(at).toISOString()}  ${sessionId}  ${arm}  ${figures}  ${counted}`;
}

async function readSettings(file: string | undefined, overrides: readonly string[]): Promise<Settings> {
	const document = file === undefined ? {} : await readDocument(file);
	for (const override of overrides) assign(document, override);
	const parsed = settingsSchema.safeParse(document);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw new UsageError(`settings: ${issue?.path.join('.')}: ${issue?.message}`);
}

async function readDocument(file: string): Promise<Record<string, unknown>> {
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new UsageError(`the settings in ${file} cannot be read: ${why}`);
	}
}

function assign(document: Record<string, unknown>, override: string): void {
	const equals = override.indexOf('=');
	if (equals < 1) throw new UsageError(`--set takes KEY=VALUE, not "${override}"`);
	const path = override.slice(0, equals).split('.');
	if (!isKnown(path)) throw new UsageError(`there is no setting "${path.join('.')}"`);
	const last = path.pop() ?? '';
	let place = document;
	for (const key of path) {
		const next = Object.hasOwn(place, key) ? place[key] : undefined;
		const inner = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {};
		place[key] = inner;
		place = inner;
	}
	place[last] = readSettingValue(override.slice(equals + 1));
}

/** Caps per agent have names of the operator's own. */
function isKnown(path: readonly string[]): boolean {
	let place: unknown = defaultSettings;
	for (const key of path) {
		if (place === defaultSettings.breaker.agentTokenCaps) return true;
		if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false;
		place = Reflect.get(place, key);
	}
	return true;
}
