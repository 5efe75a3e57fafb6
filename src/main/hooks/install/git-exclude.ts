/**
 * Keeps a project's settings out of commits: what the installer writes concerns this machine only, and agents commit
 * with `git add -A`. `info/exclude` is git's own place for what concerns one clone only. A file that is tracked
 * already is beyond this: git goes on tracking it.
 */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Disk, ifThere } from './disk.ts';
import { readIfThere, replaceFile } from './replace-file.ts';

/**
 * Asks git to leave `file`, and what stands beside it under names that begin alike, out. Nothing outside a clone.
 * `why` becomes the comment above it.
 */
export async function excludeFromGit(disk: Disk, file: string, why: string): Promise<void> {
	await editExclusions(disk, file, why, (text, lines) => {
		if (text.includes(lines)) return text;
		return text === '' || text.endsWith('\n') ? `${text}${lines}\n` : `${text}\n${lines}`;
	});
}

/** Undoes `excludeFromGit`, to the byte. */
export async function includeInGit(disk: Disk, file: string, why: string): Promise<void> {
	await editExclusions(disk, file, why, (text, lines) =>
		text.includes(`${lines}\n`) ? text.replace(`${lines}\n`, '') : text.replace(`\n${lines}`, ''),
	);
}

async function editExclusions(
	disk: Disk,
	file: string,
	why: string,
	edit: (text: string, lines: string) => string,
): Promise<void> {
	const workTree = await workTreeOf(disk, dirname(file));
	if (workTree === null) return;
	const exclusions = join(await commonDirectory(disk, workTree), 'info', 'exclude');
	const path = relative(workTree, file).split(sep).join('/');
	// latin1: every byte survives, whatever the encoding of the other lines.
	const lines = Buffer.from(`# agent-floor: ${why}\n/${path.replaceAll(/[\\*?[\]]/g, '\\$&')}*`).toString(
		'latin1',
	);
	for (;;) {
		const there = await readIfThere(disk, exclusions);
		const text = Buffer.from(there ?? []).toString('latin1');
		const next = edit(text, lines);
		if (next === text) return;
		if ((await ifThere(disk.facts(dirname(exclusions)))) === undefined) {
			await disk.makeDirectory(dirname(exclusions));
		}
		if (await replaceFile(disk, exclusions, there, Buffer.from(next, 'latin1'), 0o644)) return;
	}
}

/** The nearest directory with a `.git`, from `directory` upwards. */
async function workTreeOf(disk: Disk, directory: string): Promise<string | null> {
	for (let at = directory; ; at = dirname(at)) {
		if ((await ifThere(disk.facts(join(at, '.git')))) !== undefined) return at;
		if (basename(at) === '') return null;
	}
}

/** Where `info/exclude` lives: shared by all work trees of a clone. gitrepository-layout(5) */
async function commonDirectory(disk: Disk, workTree: string): Promise<string> {
	const marker = join(workTree, '.git');
	if ((await disk.facts(marker)).directory) return marker;
	const pointer = Buffer.from(await disk.read(marker)).toString('utf8');
	const gitDirectory = resolve(workTree, pointer.replace(/^gitdir:\s*/, '').trim());
	const common = await readIfThere(disk, join(gitDirectory, 'commondir'));
	return common === null ? gitDirectory : resolve(gitDirectory, Buffer.from(common).toString('utf8').trim());
}
