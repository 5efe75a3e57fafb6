/** `agent-floor insights`: the last days, as a table to read or a file for another program. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { costWords, exactNumber } from '../../shared/format.ts';
import type { ArmRecord, Insights } from '../../shared/insights-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import type { UsageAmount } from '../../shared/usage-view.ts';
import { type Command, dataDirectoryOf, UsageError } from './command.ts';
import { RunningFloor } from './running-floor.ts';

const MOST_DAYS = 30;
/** Rows of agents, repositories and models in a table; files have all. */
const SHOWN = 10;
const TRIPS_SHOWN = 20;

const whatSchema = z.enum(['usage', 'trips', 'reliability']);
const formatSchema = z.enum(['table', 'csv', 'json']);

export const insightsCommand: Command = {
	name: 'insights',
	summary: 'Print the last days: tokens and cost, trips with your verdicts, how well failover held',
	usage: `Usage: agent-floor insights [--days=N] [--what=WHAT] [--format=FORMAT] [--data=DIR]

  --days=N         how many days, today among them: 1 to ${MOST_DAYS} (default 7)
  --what=WHAT      usage, trips or reliability (default usage)
  --format=FORMAT  table, csv or json (default table); csv and json have all rows, the newest 500 trips

Days are those of this machine's calendar. Exit code 1 when no floor runs on the data directory.`,
	async run({ args, env, homeDirectory, out, err }) {
		const { values } = parseArgs({
			args: [...args],
			options: {
				days: { type: 'string', default: '7' },
				what: { type: 'string', default: 'usage' },
				format: { type: 'string', default: 'table' },
				data: { type: 'string' },
			},
		});
		const days = Number(values.days);
		if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
			throw new UsageError(`--days takes a whole number from 1 to ${MOST_DAYS}`);
		}
		const what = oneOf(whatSchema, '--what', values.what);
		const format = oneOf(formatSchema, '--format', values.format);
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.findOrSay(directory, err);
		if (!floor) return 1;
		if (format === 'table') {
			for (const line of tables[what](await floor.request('insights:read', { days }))) out(line);
			return 0;
		}
		const { text } = await floor.request('insights:export', { days, what, format });
		// A line's end is put after what is printed.
		out(text.replace(/\n$/, ''));
		return 0;
	},
};

function oneOf<T extends string>(schema: z.ZodEnum<Record<T, T>>, flag: string, value: string): T {
	const { data } = schema.safeParse(value);
	if (data === undefined) throw new UsageError(`${flag} takes ${schema.options.join(', ')}`);
	return data;
}

const tables: Record<z.infer<typeof whatSchema>, (insights: Insights) => string[]> = {
	usage: ({ usage }) => [
		'By day:',
		...usage.days.map(({ day, amount }) => `  ${day}  ${amountWords(amount)}`),
		...named(
			'By agent',
			usage.agents.map(({ name, amount }) => [name, amount]),
		),
		...named(
			'By repository',
			usage.repositories.map(({ name, amount }) => [name || 'not known', amount]),
		),
		...named(
			'By model',
			usage.models.map(({ model, amount }) => [model || 'not known', amount]),
		),
		...usage.notes.flatMap((note) => ['', visibleText(note)]),
	],
	trips: ({ trips }) => [
		`Trips: ${recordWords(trips.total)}`,
		...trips.arms.map((record) => `  ${(record.arm ?? 'not recorded').padEnd(24)}${recordWords(record)}`),
		...(trips.list.length > 0 ? ['', 'Newest:'] : []),
		...trips.list.slice(0, TRIPS_SHOWN).map(({ at, agentName, from, to, reason, verdict }) => {
			const judged = verdict === null ? '' : ` (${verdict})`;
			const why = visibleText(reason, { limit: 120 });
			return `  ${new Date(at).toISOString()}  ${named24(agentName)}${from} to ${to}: ${why}${judged}`;
		}),
		...moreThan(TRIPS_SHOWN, trips.list.length + trips.more),
	],
	reliability: ({ reliability: { days, fallbackRate } }) => [
		fallbackRate === null
			? 'No turn passed the gateway.'
			: `${(100 * fallbackRate).toFixed(1)} % of the turns were answered by another model than asked for.`,
		...days.map(({ day, turns, fallbackTurns, refusedTurns, queuedTurns, degradedMs, queueDepthMax }) =>
			[
				`  ${day}  ${exactNumber(turns)} turns`,
				`${exactNumber(fallbackTurns)} fallback`,
				`${exactNumber(refusedTurns)} refused`,
				`${exactNumber(queuedTurns)} queued`,
				`a provider down for ${exactNumber(Math.round(degradedMs / 1000))} s`,
				`queue at most ${exactNumber(queueDepthMax)}`,
			].join(', '),
		),
	],
};

function named(head: string, rows: readonly (readonly [string, UsageAmount])[]): string[] {
	if (rows.length === 0) return [];
	const shown = rows.slice(0, SHOWN).map(([name, amount]) => `  ${named24(name)}${amountWords(amount)}`);
	return ['', `${head}, the dearest first:`, ...shown, ...moreThan(SHOWN, rows.length)];
}

function named24(name: string): string {
	return `${visibleText(name, { limit: 40 }).padEnd(24)}  `;
}

function moreThan(shown: number, all: number): string[] {
	return all > shown ? [`  and ${exactNumber(all - shown)} more`] : [];
}

function amountWords(amount: UsageAmount): string {
	if (amount.work === 0 && amount.costUsd === null) return 'no work';
	const free = amount.localWork > 0 ? ` (${exactNumber(amount.localWork)} served on this machine, free)` : '';
	return `${exactNumber(amount.work)} work tokens${free}, ${costWords(amount)}`;
}

/** "12, 8 of 10 judged right". */
function recordWords({ trips, right, falseAlarms }: ArmRecord): string {
	const judged = right + falseAlarms;
	const precision =
		judged === 0 ? 'none judged' : `${exactNumber(right)} of ${exactNumber(judged)} judged right`;
	return trips === 0 ? 'none' : `${exactNumber(trips)}, ${precision}`;
}
