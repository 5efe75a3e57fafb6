/** docs/detection.md: the figures, how they were measured, and what they do not show. */
import { cpus } from 'node:os';
import type { Family } from '../../test/traces/family.ts';
import type { TraceSet } from '../../test/traces/trace.ts';
import type { BenchRow } from '../support/results.ts';
import type { Target } from './tables.ts';

export interface PageInput {
	readonly rows: Readonly<Record<'total' | 'spacing' | 'tuning' | 'heldOut', readonly BenchRow[]>>;
	readonly targets: readonly Target[];
	/** Sentences on what is not told apart. */
	readonly open: readonly string[];
	/** What the command said of the sample. */
	readonly sample: string;
	readonly families: readonly Family[];
	readonly seeds: Readonly<Record<TraceSet, number>>;
}

export function pageOf({ rows, targets, open, sample, families, seeds }: PageInput): string {
	return `${[
		'# How far the ladder can be trusted',
		'',
		`Printed by \`npm run bench:detect -- --write\` on ${cpus().length} cores, Node ${process.version}, with the settings of a fresh installation. Every trace is played through the code of \`agent-floor replay\`, on virtual time. ${sample}`,
		'',
		...targets.map(({ text, met }) => `- ${met ? 'met' : '**missed**'}: ${text}`),
		'',
		...(open.length === 0 ? [] : ['## Not told apart', '', ...open.map((sentence) => `- ${sentence}`), '']),
		'## All',
		'',
		...markdown(rows.total),
		'',
		'## By the time from call to call',
		'',
		'The ladder judges at beats, every 30 s. A loop that makes a call every two seconds makes fifteen between two beats, so its delay in calls is the beat’s, not an arm’s.',
		'',
		...markdown(rows.spacing),
		'',
		'## Tuning set',
		'',
		`${seeds.tuning} pairs of each family. Limits and rules may be set on these.`,
		'',
		...markdown(rows.tuning),
		'',
		'## Held-out set',
		'',
		`${seeds['held-out']} pairs of each family, in other projects with other commands, tools, files, texts and lengths; six families are in this set only. Nobody tunes on these, by agreement: the figures can be seen by whoever runs this.`,
		'',
		...markdown(rows.heldOut),
		'',
		'## The families',
		'',
		'| Family | After | Stuck | Healthy twin |',
		'|---|---|---|---|',
		...families.map(
			({ name, source, stuck, healthy }) =>
				`| ${[name, source, stuck, healthy].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
		),
		'',
		'## How it was measured',
		'',
		'- A generator with seeds (`test/traces`) makes pairs of twins after publicly reported cases: the same project, the same beginning, the same number of calls of the same tools at the same times with the same tokens. One repeats without news from its onset on, the other gets on. Payloads are those of Claude Code, Codex, Gemini CLI and Copilot CLI, where a family makes sense in all four.',
		'- Times are like real ones: 0.9 to 3 s from one read to the next, 5 to 20 s from one command to the next, minutes where it waits.',
		'- *Caught*: the first steering came after the onset and before the trace ended. *False trip*: a healthy twin was steered at any time, or a stuck one before its onset. *Calls*: attempts that began after the first one that repeated, until the beat that steered.',
		'- *Bound*: upper end of Wilson’s 95 % interval of the share of healthy twins that were steered.',
		'- The three other sets of rules were written anew from their public descriptions and judge at every call, without beats: eight or five identical calls in a row, and OpenHands’ four times the same action and observation, three times the same action with an error, or two in turn over six.',
		'',
		'## What it does not show',
		'',
		'- The traces are made, not recorded: they hold what people reported, not how often it happens. A share of false trips on them is no share of false trips a day.',
		'- Twins of one family resemble each other, so that the intervals are narrower than those of as many unrelated sessions would be.',
		'- What counts as stuck is decided by who made the family. A person may call a wait of an hour healthy or not.',
		'- An agent that was steered goes on as if nothing had been said: whether the note helps is not measured here.',
	].join('\n')}\n`;
}

function markdown(rows: readonly BenchRow[]): string[] {
	const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	return [
		`| ${columns.join(' | ')} |`,
		`|${columns.map(() => '---').join('|')}|`,
		...rows.map((row) => `| ${columns.map((column) => row[column] ?? '').join(' | ')} |`),
	];
}
