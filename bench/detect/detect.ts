/**
 * Judges all labelled traces: `node bench/detect/detect.ts [--write] [--family=NAME] [--seeds=N] [--beat=SECONDS]
 * [--why]`. Prints the tables, keeps the figures in bench/results; `--write` writes docs/detection.md, `--why` says of
 * every miss and every false trip what happened. Exits with 1 when a target is not met.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Settings, settingsSchema } from '../../src/shared/settings.ts';
import { families, traceOf } from '../../test/traces/catalogue.ts';
import type { Trace, TraceSet } from '../../test/traces/trace.ts';
import { table, writeResults } from '../support/results.ts';
import { throughTheCommand } from './command.ts';
import { judge, type Verdict, verdictOf } from './judge.ts';
import { pageOf } from './page.ts';
import { publicRules } from './public-rules.ts';
import { familyRows, type Judged, openSentences, spacingRows, targetsOf, totalRows } from './tables.ts';

const { values } = parseArgs({
	options: {
		write: { type: 'boolean', default: false },
		why: { type: 'boolean', default: false },
		family: { type: 'string' },
		seeds: { type: 'string' },
		beat: { type: 'string' },
	},
});
/** Pairs of twins of each family. */
const SEEDS: Readonly<Record<TraceSet, number>> = { tuning: 24, 'held-out': 12 };
/** Traces that also go through the command itself, one pair of each family. */
const SAMPLE_SEED = 0;

const wanted = families.filter(({ name }) => values.family === undefined || name === values.family);
if (wanted.length === 0) {
	console.error(
		`There is no family "${values.family ?? ''}"; there are ${families.map(({ name }) => name).join(', ')}.`,
	);
	process.exit(2);
}
const settings = settingsSchema.parse(
	values.beat === undefined ? {} : { heartbeatSeconds: Number(values.beat) },
);
const began = performance.now();
const judged = await judgeAll(settings);
const sample = await throughTheCommand(judged.sample, settings);
const seconds = Math.round((performance.now() - began) / 100) / 10;
const targets = targetsOf(judged.results);
const rows = {
	total: totalRows(judged.results),
	spacing: spacingRows(judged.results.flatMap(({ floor }) => floor)),
	tuning: familyRows(judged.results, 'tuning'),
	heldOut: familyRows(judged.results, 'held-out'),
};

for (const [title, part] of [
	['Tuning set', rows.tuning],
	['Held-out set', rows.heldOut],
	['All', rows.total],
	['By the time from call to call', rows.spacing],
] as const)
	console.log(`\n${title}\n${table(part)}`);
console.log(
	`\n${sample}\n\n${targets.map(({ text, met }) => `${met ? 'met ' : 'MISSED'}  ${text}`).join('\n')}`,
);
if (values.why) for (const { floor } of judged.results) for (const verdict of floor) sayWhy(verdict);
const results = Object.entries(rows).map(([name, part]) => ({
	name,
	title: `detect, ${name}`,
	rows: part,
	seconds,
}));
console.log(`\n${writeResults(results)} (${seconds} s)`);
if (values.write) {
	writeFileSync(
		join(import.meta.dirname, '..', '..', 'docs', 'detection.md'),
		pageOf({ rows, targets, open: openSentences(judged.results), sample, families, seeds: SEEDS }),
	);
	console.error('docs/detection.md');
}
process.exitCode = targets.every(({ met }) => met) ? 0 : 1;

async function judgeAll(
	by: Settings,
): Promise<{ results: Judged[]; sample: { trace: Trace; verdict: Verdict }[] }> {
	const results: Judged[] = [];
	const sample: { trace: Trace; verdict: Verdict }[] = [];
	for (const family of wanted) {
		for (const set of ['tuning', 'held-out'] as const) {
			if (family.only !== undefined && family.only !== set) continue;
			const floor: Verdict[] = [];
			const others = publicRules.map(({ name }) => ({ name, verdicts: [] as Verdict[] }));
			for (let seed = 0; seed < Number(values.seeds ?? SEEDS[set]); seed += 1) {
				for (const stuck of family.onlyHealthy ? [false] : [true, false]) {
					const trace = traceOf({ family, set, seed, stuck });
					const verdict = await judge(trace, by);
					floor.push(verdict);
					if (set === 'tuning' && seed === SAMPLE_SEED) sample.push({ trace, verdict });
					for (const [index, { trip }] of publicRules.entries())
						others[index]?.verdicts.push(byRule(trace, trip));
				}
			}
			results.push({ family, set, floor, others });
		}
	}
	return { results, sample };
}

function byRule(trace: Trace, trip: (attempts: Trace['attempts']) => number | null): Verdict {
	const index = trip(trace.attempts);
	const at = index === null ? undefined : trace.attempts[index]?.at;
	return verdictOf(trace, at === undefined ? null : { at, arm: null, reason: '' });
}

function sayWhy({ label, as, reason }: Verdict): void {
	if (as === 'caught' || as === 'left alone') return;
	const { family, set, seed, client, stuck } = label;
	console.log(
		`${as}: ${family}, ${set} ${seed}, ${client}, ${stuck ? 'stuck' : 'healthy'}${reason && `: ${reason}`}`,
	);
}
