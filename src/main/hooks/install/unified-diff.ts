/** Unified diffs of whole texts, as `diff -u` writes them. */

/** Unchanged lines shown around a change. */
const CONTEXT = 3;

interface Line {
	readonly kind: ' ' | '-' | '+';
	readonly text: string;
}

/**
 * The difference between two texts; empty when there is none. `null` stands for no file. Lines end at LF only, so a
 * CR stays visible as part of its line and the diff applies to the byte.
 */
export function unifiedDiff(file: string, before: string | null, after: string | null): string {
	if (before === after) return '';
	const lines = compare(linesOf(before ?? ''), linesOf(after ?? ''));
	const header = [
		`--- ${before === null ? '/dev/null' : file}\n`,
		`+++ ${after === null ? '/dev/null' : file}\n`,
	];
	return [...header, ...hunksOf(lines)].join('');
}

/** Lines with their line feeds; the last one may lack it. */
function linesOf(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunksOf(lines: readonly Line[]): string[] {
	const shown = lines.map(() => false);
	lines.forEach((line, index) => {
		if (line.kind !== ' ') shown.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
	});
	const hunks: string[] = [];
	let before = 0;
	let after = 0;
	for (let index = 0; index < lines.length; ) {
		if (shown[index] !== true) {
			before++;
			after++;
			index++;
			continue;
		}
		let end = index;
		while (end < lines.length && shown[end] === true) end++;
		const hunk = lines.slice(index, end);
		const removed = hunk.filter((line) => line.kind !== '+').length;
		const added = hunk.filter((line) => line.kind !== '-').length;
		hunks.push(`@@ -${rangeOf(before, removed)} +${rangeOf(after, added)} @@\n`);
		for (const { kind, text } of hunk) {
			hunks.push(kind + (text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`));
		}
		before += removed;
		after += added;
		index = end;
	}
	return hunks;
}

function rangeOf(linesBefore: number, count: number): string {
	if (count === 0) return `${linesBefore},0`;
	return count === 1 ? `${linesBefore + 1}` : `${linesBefore + 1},${count}`;
}

/** Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), with removals before additions. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
	const trace: Map<number, number>[] = [];
	const furthest = new Map<number, number>([[1, 0]]);
	const at = (diagonal: number) => furthest.get(diagonal) ?? -1;
	for (let distance = 0; ; distance++) {
		trace.push(new Map(furthest));
		for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
			const down = diagonal === -distance || (diagonal !== distance && at(diagonal - 1) < at(diagonal + 1));
			let x = down ? at(diagonal + 1) : at(diagonal - 1) + 1;
			while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
			furthest.set(diagonal, x);
			if (x >= before.length && x - diagonal >= after.length) return retrace(before, after, trace);
		}
	}
}

function retrace(
	before: readonly string[],
	after: readonly string[],
	trace: readonly ReadonlyMap<number, number>[],
): Line[] {
	const lines: Line[] = [];
	let x = before.length;
	let y = after.length;
	for (let distance = trace.length - 1; distance >= 0; distance--) {
		const furthest = trace[distance] ?? new Map<number, number>();
		const at = (diagonal: number) => furthest.get(diagonal) ?? -1;
		const diagonal = x - y;
		const down = diagonal === -distance || (diagonal !== distance && at(diagonal - 1) < at(diagonal + 1));
		const from = down ? diagonal + 1 : diagonal - 1;
		const fromX = distance === 0 ? 0 : at(from);
		const fromY = distance === 0 ? 0 : fromX - from;
		while (x > fromX && y > fromY) {
			lines.push({ kind: ' ', text: before[--x] ?? '' });
			y--;
		}
		if (distance === 0) break;
		if (down) lines.push({ kind: '+', text: after[--y] ?? '' });
		else lines.push({ kind: '-', text: before[--x] ?? '' });
	}
	return lines.reverse();
}
