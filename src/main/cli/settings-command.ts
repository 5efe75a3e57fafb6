/** `agent-floor settings`: read and change settings, through the floor when it runs, in the file when it does not. */
import { parseArgs } from 'node:util';
import type { SettingsPatch } from '../../shared/settings.ts';
import { isSwitch } from '../store/settings-fields.ts';
import { SettingsFile } from '../store/settings-file.ts';
import { type Command, dataDirectoryOf, UsageError } from './command.ts';
import { RunningFloor } from './running-floor.ts';
import { readSettingValue } from './setting-value.ts';

export const settingsCommand: Command = {
	name: 'settings',
	summary: 'Show or change a setting; a running floor takes it at its next beat',
	usage: `Usage: agent-floor settings [get [KEY]] [--data=DIR]
       agent-floor settings set KEY VALUE [--data=DIR]

  KEY    a path such as heartbeatSeconds or breaker.hardStop
  VALUE  text (local), or JSON (true, 12, {"checkout-service": 500000}); a switch also takes on and off; null takes the setting out,
         so that its default holds again. A list (providers, localServers) replaces the whole list.`,
	async run({ args, env, homeDirectory, out }) {
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: { data: { type: 'string' } },
		});
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const [verb = 'get', key, value, ...more] = positionals;
		if (more.length > 0) throw new UsageError('too many words');
		const floor = await RunningFloor.find(directory);
		const file = floor ? null : await SettingsFile.open(directory);
		try {
			if (verb === 'get') {
				const settings = floor ? await floor.request('settings:get', undefined) : file?.current;
				out(JSON.stringify(key === undefined ? settings : pick(settings, key), null, '\t') ?? 'not set');
				return 0;
			}
			if (verb !== 'set' || key === undefined || value === undefined)
				throw new UsageError('get or set KEY VALUE');
			const patch = patchOf(key, value);
			const settings = floor ? await floor.request('settings:update', patch) : await file?.update(patch);
			out(`${key} = ${JSON.stringify(pick(settings, key))}`);
			return 0;
		} finally {
			file?.dispose();
		}
	},
};

function pick(settings: unknown, key: string): unknown {
	let value: unknown = settings;
	for (const part of key.split('.')) {
		value =
			typeof value === 'object' && value !== null && Object.hasOwn(value, part)
				? Reflect.get(value, part)
				: undefined;
	}
	return value;
}

function patchOf(key: string, text: string): SettingsPatch {
	const path = key.split('.');
	const switched = isSwitch(path) ? { on: true, off: false }[text] : undefined;
	const value = switched ?? readSettingValue(text);
	return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as SettingsPatch;
}
