import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProcessRow } from '../../src/main/machine/process-table.ts';
import { ancestorsOf, ProcessTree, withDescendants } from '../../src/main/machine/process-tree.ts';

/** pid, parent, group, session; started in the order of pids unless said otherwise. */
function row(
	pid: number,
	parentPid: number,
	groupId: number | null,
	sessionId: number | null,
	startedAt = pid,
): ProcessRow {
	return { pid, parentPid, groupId, sessionId, startTime: `boot/${startedAt}`, startedAt };
}
const pids = (rows: readonly ProcessRow[]): number[] => rows.map((each) => each.pid);

/** init, a terminal, its shell, and in the shell's session `agent | tee` with the agent as leader of the group. */
const terminal = [row(1, 0, 1, 1), row(10, 1, 10, 10), row(20, 10, 20, 20)];
const agent = row(30, 20, 30, 20);
const tee = row(31, 20, 30, 20);

describe('a tree', () => {
	it('has the descendants, and leaves out shell, terminal and the rest of the pipeline', () => {
		const rows = [...terminal, agent, tee, row(40, 30, 30, 20), row(41, 40, 41, 41), row(50, 20, 50, 20)];
		expect(pids(new ProcessTree(agent).update(rows))).toEqual([30, 40, 41]);
	});

	it('has an orphan of its group, though init is its parent now', () => {
		const rows = [...terminal, agent, tee, row(42, 1, 30, 20)];
		expect(pids(new ProcessTree(agent).update(rows))).toEqual([30, 42]);
	});

	it('has an orphan of a session that was made below it, also after all others have gone', () => {
		const tree = new ProcessTree(agent);
		tree.update([...terminal, agent, row(40, 30, 40, 40)]);
		expect(pids(tree.update([...terminal, row(43, 1, 40, 40)]))).toEqual([43]);
		expect(pids(tree.update([...terminal, row(44, 43, 44, 44), row(43, 1, 40, 40)]))).toEqual([43, 44]);
	});

	it('keeps a member that moved into a group of its own', () => {
		const tree = new ProcessTree(agent);
		tree.update([...terminal, agent, row(40, 30, 30, 20)]);
		expect(pids(tree.update([...terminal, row(40, 1, 40, 40)]))).toEqual([40]);
	});

	it('does not take the pipeline for orphans when its shell ends', () => {
		const tree = new ProcessTree(agent);
		tree.update([...terminal, agent, tee]);
		expect(pids(tree.update([row(1, 0, 1, 1), row(10, 1, 10, 10), row(31, 1, 30, 20)]))).toEqual([]);
	});

	it('leaves out what the rest of the pipeline starts, which is in its group as well', () => {
		const rows = [...terminal, agent, tee, row(45, 31, 30, 20)];
		expect(pids(new ProcessTree(agent).update(rows))).toEqual([30]);
	});

	it('has all of its own session, also when its parent is the one that takes orphans over', () => {
		const daemon = row(30, 1, 30, 30);
		expect(pids(new ProcessTree(daemon).update([row(1, 0, 1, 1), daemon, row(45, 1, 30, 30)]))).toEqual([
			30, 45,
		]);
	});

	it('has nothing that is older than itself', () => {
		const rows = [...terminal, agent, row(40, 30, 40, 40), row(41, 1, 40, 40, 29), row(42, 1, 30, 20, 29)];
		expect(pids(new ProcessTree(agent).update(rows))).toEqual([30, 40]);
	});

	it('does not adopt children of an earlier process with the same pid', () => {
		// Windows keeps the pid of a dead parent, which may be the agent's now.
		const rows = [
			...terminal,
			agent,
			row(25, 30, null, null),
			row(40, 30, null, null),
			row(35, 40, null, null),
		];
		expect(pids(new ProcessTree(agent).update(rows))).toEqual([30, 40]);
	});

	it('does not take a later process with a pid of its own past for a member', () => {
		const tree = new ProcessTree(agent);
		tree.update([...terminal, agent, row(40, 30, 30, 20)]);
		expect(pids(tree.update([...terminal, row(40, 20, 40, 20, 99)]))).toEqual([]);
	});

	it('does not take a later session for one of its own that had the same number', () => {
		const tree = new ProcessTree(agent);
		tree.update([...terminal, agent, row(40, 30, 40, 40)]);
		expect(pids(tree.update([...terminal, agent, row(40, 20, 40, 40, 98), row(99, 1, 40, 40)]))).toEqual([
			30,
		]);
	});

	it('survives rings of parents', () => {
		const ring = [row(60, 61, null, null), row(61, 60, null, null)];
		expect(pids(new ProcessTree(row(60, 61, null, null)).update(ring))).toContain(60);
		expect(withDescendants(60, ring)).toContain(60);
		expect(ancestorsOf(60, new Map(ring.map((each) => [each.pid, each])))).toEqual(new Set([61]));
	});
});

describe('whatever the machine runs', () => {
	// A parent below its child in pid, sessions and groups inherited or newly made, some parents replaced by init.
	const machine = fc
		.array(
			fc.record({
				parent: fc.nat(),
				leads: fc.constantFrom('nothing', 'group', 'session'),
				orphaned: fc.boolean(),
			}),
			{ minLength: 3, maxLength: 40 },
		)
		.map((seeds) => {
			const rows: ProcessRow[] = [row(1, 0, 1, 1)];
			const born: ProcessRow[] = [...rows];
			seeds.forEach((seed, index) => {
				const parent = born[seed.parent % born.length] ?? row(1, 0, 1, 1);
				const pid = index + 2;
				const group = seed.leads === 'nothing' ? parent.groupId : pid;
				const session = seed.leads === 'session' ? pid : parent.sessionId;
				const now = row(pid, parent.pid, group, session);
				born.push(now);
				rows.push(seed.orphaned ? { ...now, parentPid: 1 } : now);
			});
			return { rows, born };
		});

	it('a tree holds only what the root really started, and parents come first', () => {
		fc.assert(
			fc.property(machine, fc.nat(), ({ rows, born }, pick) => {
				const root = rows[1 + (pick % (rows.length - 1))];
				if (root === undefined) return;
				const members = pids(new ProcessTree(root).update(rows));
				const truth = withDescendants(root.pid, born);
				for (const pid of members) expect(truth).toContain(pid);
				// And it has all that still hang on it.
				for (const pid of withDescendants(root.pid, rows)) expect(members).toContain(pid);
				for (const each of rows) {
					const at = members.indexOf(each.pid);
					if (at >= 0 && members.includes(each.parentPid)) {
						expect(members.indexOf(each.parentPid)).toBeLessThan(at);
					}
				}
			}),
		);
	});
});
