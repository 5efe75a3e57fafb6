/** The fault matrix as a page: `node bench/faults-page.ts [--write]` prints it, and writes docs/faults.md. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type FaultResult, runMatrix, timesOf } from './faults.bench.ts';

const SHORT = { 'anthropic-messages': 'Messages', 'openai-chat': 'Chat', 'openai-responses': 'Responses' };
const COLUMNS = [
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

const results = await runMatrix();
const page = pageOf(results);
process.stdout.write(page);
if (process.argv.includes('--write')) {
	writeFileSync(join(import.meta.dirname, '..', 'docs', 'faults.md'), page);
	console.error('docs/faults.md');
}
// Servers of runs that hung must not keep the terminal waiting.
process.exit(results.some(({ wrong }) => wrong.length > 0) ? 1 : 0);

function pageOf(all: readonly FaultResult[]): string {
	const wrong = all.filter((result) => result.wrong.length > 0);
	const popup = timesOf(all, 'popupMs');
	const local = timesOf(all, 'switchMs');
	const groups = Map.groupBy(all, ({ the }) => the.fault.group);
	return `${[
		'# What an agent gets when its provider fails',
		'',
		'Printed by `npm run bench:faults -- --write`: the real gateway, breaker and orchestrator on a real listener, before a provider that fails in every way and a local server, read by a client that takes nothing but what the protocol promises. `test/gateway/fault-matrix.test.ts` holds the same to its promises.',
		'',
		`**${all.length - wrong.length} of ${all.length} right.** From the loss to the popup: p50 ${popup.p50} ms, p99 ${popup.p99} ms, worst ${popup.worst} ms (${popup.count} popups). From the click to the last byte of the local answer: p50 ${local.p50} ms, p99 ${local.p99} ms, worst ${local.worst} ms. Measured on ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}.`,
		'',
		'Right means: errors that are the request’s own, rate limits and refused credentials pass at once, byte for byte, and nobody is asked. A lost provider opens one popup. While the client has nothing of the answer, the local answer comes as if it were the first; once text has gone out, the same stream goes on behind a line that says so; a broken tool call is never passed on, neither half nor twice. When nobody decides, the provider’s own words pass, or the protocol’s own error where it had none. Never a clean end that nobody sent, and never a hang.',
		'',
		...[...groups].flatMap(([group, members]) => [`## ${title(group)}`, '', ...table(members), '']),
		...(wrong.length === 0 ? [] : ['## Not right', '', ...wrong.map(problem), '']),
	].join('\n')}`;
}

/** Protocols and forms that got the same share a row. */
function table(members: readonly FaultResult[]): string[] {
	const byForm = Map.groupBy(members, (result) => `${result.the.stream} ${JSON.stringify(gotten(result))}`);
	const shared = Map.groupBy(byForm.values(), (same) =>
		JSON.stringify([same[0] && gotten(same[0]), protocolsOf(same)]),
	);
	return [
		`| ${COLUMNS.join(' | ')} |`,
		`|${COLUMNS.map(() => '---').join('|')}|`,
		...[...shared.values()].map((rows) => `| ${cells(rows.flat()).map(escaped).join(' | ')} |`),
	];
}

/** What a row says, times aside. */
function gotten(result: FaultResult): unknown[] {
	const { the, switched, undecided, wrong } = result;
	return [the.fault.name, switched, undecided, wrong.length === 0, marks(result)];
}

function protocolsOf(same: readonly FaultResult[]): string {
	const names = [...new Set(same.map(({ the }) => SHORT[the.protocol]))];
	return names.length === Object.keys(SHORT).length ? 'all' : names.join(', ');
}

function formsOf(same: readonly FaultResult[]): string {
	const forms = new Set(same.map(({ the }) => the.stream));
	return forms.size === 2 ? 'both' : forms.has(true) ? 'stream' : 'whole';
}

function cells(same: readonly FaultResult[]): string[] {
	const [first] = same;
	if (!first) return [];
	const { the, switched, undecided, wrong } = first;
	return [
		the.fault.name,
		formsOf(same),
		protocolsOf(same),
		switched || '–',
		undecided,
		wrong.length === 0 ? 'yes' : 'NO',
		worst(same.map(({ popupMs }) => popupMs)),
		worst(same.map(({ switchMs }) => switchMs)),
		...marks(first),
	];
}

function marks({ unchanged, retryAfterKept, letGo }: FaultResult): string[] {
	return [unchanged, retryAfterKept, letGo].map((mark) => (mark === null ? '–' : mark ? 'yes' : 'NO'));
}

function worst(times: readonly (number | null)[]): string {
	const known = times.flatMap((time) => time ?? []);
	return known.length === 0 ? '–' : (Math.round(Math.max(...known) * 10) / 10).toFixed(1);
}

function problem({ the, wrong }: FaultResult): string {
	return `- ${the.fault.group}: ${the.fault.name}, ${the.protocol}, ${the.stream ? 'stream' : 'whole'}: must be ${wrong.join('; ')}`;
}

function title(group: string): string {
	return `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`;
}

function escaped(cell: string): string {
	return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
