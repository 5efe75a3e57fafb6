/** Tables of a page, in which protocols and forms that got the same share a row. */
import type { ProtocolId } from '../../src/shared/failover-settings.ts';

/** One fault in one protocol and form. */
export interface Member {
	readonly the: { readonly protocol: ProtocolId; readonly stream: boolean };
}

export interface TableOptions<M extends Member> {
	readonly columns: readonly string[];
	/** What makes a row of its own, times aside. */
	readonly gotten: (member: M) => unknown;
	/** One for each column; never empty. */
	readonly cells: (same: readonly M[]) => readonly string[];
}

const SHORT = { 'anthropic-messages': 'Messages', 'openai-chat': 'Chat', 'openai-responses': 'Responses' };

export function pageTable<M extends Member>(
	members: readonly M[],
	{ columns, gotten, cells }: TableOptions<M>,
): string[] {
	const keyOf = (member: M): string => JSON.stringify(gotten(member));
	const byForm = Map.groupBy(members, (member) => `${member.the.stream} ${keyOf(member)}`);
	const shared = Map.groupBy(byForm.values(), (same) =>
		JSON.stringify([same[0] && keyOf(same[0]), protocolsOf(same)]),
	);
	return [
		`| ${columns.join(' | ')} |`,
		`|${columns.map(() => '---').join('|')}|`,
		...[...shared.values()].map((rows) => `| ${cells(rows.flat()).map(escaped).join(' | ')} |`),
	];
}

export function protocolsOf(same: readonly Member[]): string {
	const names = [...new Set(same.map(({ the }) => SHORT[the.protocol]))];
	return names.length === Object.keys(SHORT).length ? 'all' : names.join(', ');
}

export function formsOf(same: readonly Member[]): string {
	const forms = new Set(same.map(({ the }) => the.stream));
	return forms.size === 2 ? 'both' : forms.has(true) ? 'stream' : 'whole';
}

/** ms to a tenth; `null`: it did not happen. */
export function worstOf(times: readonly (number | null)[]): string {
	const known = times.flatMap((time) => time ?? []);
	return known.length === 0 ? '–' : (Math.round(Math.max(...known) * 10) / 10).toFixed(1);
}

export function titleOf(group: string): string {
	return `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`;
}

function escaped(cell: string): string {
	return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
