/** Insights as files for a spreadsheet or a program. Pure. */
import type { ExportFile, Insights } from '../../shared/insights-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';

export type ExportWhat = 'usage' | 'trips' | 'reliability';
type Cell = string | number | null;

/** `today`: local, for the file's name. */
export function exportInsights(
	insights: Insights,
	what: ExportWhat,
	format: 'csv' | 'json',
	today: string,
): ExportFile {
	const name = `agent-floor-${what}-${today}.${format}`;
	if (format === 'json') {
		const { from, to } = insights;
		const whole = { from: timeOf(from), to: timeOf(to), [what]: insights[what] };
		return { name, mediaType: 'application/json', text: `${JSON.stringify(whole, null, '\t')}\n` };
	}
	const [head, rows] = tables[what](insights);
	return { name, mediaType: 'text/csv', text: [head, ...rows].map(lineOf).join('') };
}

const tables: Record<ExportWhat, (insights: Insights) => [string[], Cell[][]]> = {
	usage: ({ usage }) => [
		[
			'by',
			'name',
			'place',
			'input_tokens',
			'output_tokens',
			'cache_read_tokens',
			'cache_creation_tokens',
			'work_tokens',
			'local_work_tokens',
			'cost_usd',
			'unpriced_models',
		],
		[
			...usage.days.map(({ day, amount }) => ['day', day, '', ...amountCells(amount)]),
			...usage.agents.map(({ name, directory, amount }) => [
				'agent',
				name,
				directory,
				...amountCells(amount),
			]),
			...usage.repositories.map(({ name, path, amount }) => [
				'repository',
				name,
				path,
				...amountCells(amount),
			]),
			...usage.models.map(({ model, local, amount }) => [
				'model',
				model,
				local ? 'local' : 'cloud',
				...amountCells(amount),
			]),
		],
	],
	trips: ({ trips }) => [
		[
			'time',
			'agent',
			'client',
			'directory',
			'arm',
			'from',
			'to',
			'count',
			'limit',
			'unit',
			'verdict',
			'reason',
		],
		trips.list.map(({ at, agentName, client, directory, arm, from, to, evidence, verdict, reason }) => [
			timeOf(at),
			agentName,
			client,
			directory,
			arm,
			from,
			to,
			evidence?.count ?? null,
			evidence?.limit ?? null,
			evidence?.unit ?? null,
			verdict,
			reason,
		]),
	],
	reliability: ({ reliability }) => [
		[
			'day',
			'turns',
			'fallback_turns',
			'refused_turns',
			'queued_turns',
			'degraded_seconds',
			'queue_depth_max',
		],
		reliability.days.map(
			({ day, turns, fallbackTurns, refusedTurns, queuedTurns, degradedMs, queueDepthMax }) => [
				day,
				turns,
				fallbackTurns,
				refusedTurns,
				queuedTurns,
				Math.round(degradedMs / 1000),
				queueDepthMax,
			],
		),
	],
};

function amountCells(amount: Insights['usage']['days'][number]['amount']): Cell[] {
	const { input, output, cacheRead, cacheCreation, work, localWork, costUsd, unpricedModels } = amount;
	return [input, output, cacheRead, cacheCreation, work, localWork, costUsd, unpricedModels.join(' ')];
}

function timeOf(at: number): string {
	return new Date(at).toISOString();
}

/** RFC 4180. */
function lineOf(cells: readonly Cell[]): string {
	return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(cell: Cell): string {
	if (cell === null) return '';
	if (typeof cell === 'number') return String(cell);
	// A spreadsheet runs what begins so, and agents choose their names and commands; a terminal obeys what cannot be seen.
	const isRun = /^[=+\-@\t\r\n]/.test(cell) && !plainNumber.test(cell);
	const safe = (isRun ? "'" : '') + visibleText(cell, { multiline: true, limit: LONGEST_CELL });
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const plainNumber = /^[+-]?\d+(\.\d+)?$/;
/** Characters; spreadsheets take no more than 32 767 in a cell. */
const LONGEST_CELL = 30_000;
