/** The fault matrix as a page: `node bench/faults-page.ts [--write]` prints it, and writes docs/faults.md. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { type FaultResult, runMatrix } from './faults.bench.ts';
import { type LimitOutcome, largeMoves, runLimits } from './support/limits.ts';
import { formsOf, type Member, pageTable, protocolsOf, titleOf, worstOf } from './support/page-table.ts';
import { type Times, timesOf } from './support/times.ts';

const FAULT_COLUMNS = [
	'Fault',
	'Form',
	'Protocol',
	'The operator switches',
	'Nobody decides, or nobody is asked',
	'Right',
	'Popup, ms',
	'Local answer, ms',
	'Own words unchanged',
	'Retry-After kept',
	'Let go when the client leaves',
];
const LIMIT_COLUMNS = [
	'Limit',
	'Form',
	'Protocol',
	'Models asked',
	'What the client gets',
	'Right',
	'To the next model, ms',
];

/** Of what else the machine did meanwhile. */
const load = loadavg()[0] ?? 0;
const results = await runMatrix();
const limits = await runLimits();
const page = pageOf(results, limits, timesOf(await largeMoves()));
process.stdout.write(page);
if (process.argv.includes('--write')) {
	writeFileSync(join(import.meta.dirname, '..', 'docs', 'faults.md'), page);
	console.error('docs/faults.md');
}
// Servers of runs that hung must not keep the terminal waiting.
process.exit([...results, ...limits].some(({ wrong }) => wrong.length > 0) ? 1 : 0);

function pageOf(faults: readonly FaultResult[], limited: readonly LimitOutcome[], large: Times): string {
	const all = [
		...faults.map(({ the, wrong }) => ({ the, of: the.fault, wrong })),
		...limited.map(({ the, wrong }) => ({ the, of: the.limit, wrong })),
	];
	const wrong = all.filter((result) => result.wrong.length > 0);
	const popup = timesOf(faults.map(({ popupMs }) => popupMs));
	const local = timesOf(faults.map(({ switchMs }) => switchMs));
	const next = timesOf(limited.flatMap(({ nextModelMs }) => nextModelMs));
	const groups = Map.groupBy(faults, ({ the }) => the.fault.group);
	const limitGroups = Map.groupBy(limited, ({ the }) => the.limit.group);
	return `${[
		'# What an agent gets when its provider fails',
		'',
		'Printed by `npm run bench:faults -- --write`: the real gateway, breakers and orchestrator on a real listener, before a provider that fails in every way and a local server, read by a client that takes nothing but what the protocol promises. `test/gateway/fault-matrix.test.ts` and `test/gateway/rate-limit-matrix.test.ts` hold the same to its promises.',
		'',
		`**${all.length - wrong.length} of ${all.length} right.** From the loss to the popup: ${inWords(popup)} (${popup.count} popups). From the click to the last byte of the local answer: ${inWords(local)}. From the last bytes of a limited answer to the next model's request at the provider, connect included: ${inWords(next)} (${next.count} moves; the target is 50 ms); with a request of 1 MB ${inWords(large)} (${large.count} moves). Measured on ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, at a load of ${load.toFixed(1)} before it began.`,
		'',
		'Right means: errors that are the request’s own, rate limits of a model without a stand-in and refused credentials pass at once, byte for byte, and nobody is asked. A lost provider opens one popup. While the client has nothing of the answer, the local answer comes as if it were the first; once text has gone out, the same stream goes on behind a line that says so; a broken tool call is never passed on, neither half nor twice. When nobody decides, the provider’s own words pass, or the protocol’s own error where it had none. Never a clean end that nobody sent, and never a hang.',
		'',
		...[...groups].flatMap(([group, members]) => section(titleOf(group), faultTable(members))),
		'## Rate limits of a model that has stand-ins',
		'',
		'`cloud-model` is asked for; `cloud-model-small` and then `cloud-model-mini` stand in for it. Right means: while one of them answers, the client gets one whole answer of it, without a wait and without any sign of a limit, in a request that differs in nothing but the name of the model. When none can, it gets what its own model said, with the time at which the first one is free. A spending limit moves nothing.',
		'',
		...[...limitGroups].flatMap(([group, members]) => section(titleOf(group), limitTable(members), '###')),
		...(wrong.length === 0 ? [] : ['## Not right', '', ...wrong.map(problem), '']),
	].join('\n')}`;
}

function section(title: string, table: readonly string[], mark = '##'): string[] {
	return [`${mark} ${title}`, '', ...table, ''];
}

function inWords({ p50, p99, worst }: Times): string {
	return `p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms`;
}

function faultTable(members: readonly FaultResult[]): string[] {
	return pageTable(members, {
		columns: FAULT_COLUMNS,
		gotten: (result) => {
			const { the, switched, undecided, wrong } = result;
			return [the.fault.name, switched, undecided, wrong.length === 0, marks(result)];
		},
		cells: faultCells,
	});
}

function faultCells(same: readonly FaultResult[]): string[] {
	const [first] = same;
	if (!first) return [];
	const { the, switched, undecided } = first;
	return [
		the.fault.name,
		...placeOf(same),
		switched || '–',
		undecided,
		isRight(first),
		worstOf(same.map(({ popupMs }) => popupMs)),
		worstOf(same.map(({ switchMs }) => switchMs)),
		...marks(first),
	];
}

function limitTable(members: readonly LimitOutcome[]): string[] {
	return pageTable(members, {
		columns: LIMIT_COLUMNS,
		gotten: ({ the, got, switched, wrong }) => [the.limit.name, got, switched, wrong.length === 0],
		cells: limitCells,
	});
}

function limitCells(same: readonly LimitOutcome[]): string[] {
	const [first] = same;
	if (!first) return [];
	const { the, got, switched } = first;
	return [
		the.limit.name,
		...placeOf(same),
		the.limit.asked.join(', ') || '–',
		switched === '' ? got : `${switched}; when nobody decides ${got}`,
		isRight(first),
		worstOf(same.flatMap(({ nextModelMs }) => nextModelMs)),
	];
}

function placeOf(same: readonly Member[]): string[] {
	return [formsOf(same), protocolsOf(same)];
}

function isRight({ wrong }: FaultResult | LimitOutcome): string {
	return wrong.length === 0 ? 'yes' : 'NO';
}

function marks({ unchanged, retryAfterKept, letGo }: FaultResult): string[] {
	return [unchanged, retryAfterKept, letGo].map((mark) => (mark === null ? '–' : mark ? 'yes' : 'NO'));
}

function problem({
	the,
	of,
	wrong,
}: Pick<FaultResult, 'wrong'> & Member & { readonly of: { group: string; name: string } }): string {
	return `- ${of.group}: ${of.name}, ${the.protocol}, ${the.stream ? 'stream' : 'whole'}: must be ${wrong.join('; ')}`;
}
