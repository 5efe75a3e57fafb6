import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ScanLimits, WorkTreeScanner } from '../../src/main/machine/work-tree.ts';
import { until } from './real-processes.ts';

/** Files carry times long ago, so that the floor's clock can be any later time. */
const LONG_AGO = Date.UTC(2020, 0, 1);
const nothing = { changedAt: null, path: null, complete: false };

let directory: string;
let now: number;

beforeEach(() => {
	directory = realpathSync(mkdtempSync(join(tmpdir(), 'floor-files-')));
	now = LONG_AGO + 1_000_000;
});

function scanner(limits: Partial<ScanLimits> = {}, maxAgeMs = 0): WorkTreeScanner {
	return new WorkTreeScanner({ now: () => now, maxAgeMs: () => maxAgeMs, limits });
}

/** Writes a file that was last changed `seconds` after `LONG_AGO`. */
function write(path: string, seconds: number, text = path): void {
	mkdirSync(dirname(join(directory, path)), { recursive: true });
	writeFileSync(join(directory, path), text);
	utimesSync(
		join(directory, path),
		(LONG_AGO + seconds * 1_000) / 1_000,
		(LONG_AGO + seconds * 1_000) / 1_000,
	);
}

function git(...args: string[]): void {
	const config = [
		'-c',
		'user.name=Floor',
		'-c',
		'user.email=floor@example.org',
		'-c',
		'protocol.file.allow=always',
	];
	execFileSync('git', [...config, ...args], { cwd: directory, stdio: 'ignore' });
}

const at = (seconds: number): number => LONG_AGO + seconds * 1_000;

describe('in a git work tree', () => {
	beforeEach(() => git('init', '--quiet'));

	it('tracked and new files count; ignored files and git itself do not', async () => {
		write('.gitignore', 1, 'build/\n*.log\n');
		write('tracked.ts', 5);
		git('add', '.');
		write('new.ts', 9);
		write('build/out.js', 20);
		write('noise.log', 21);
		write('.git/HEAD', 22, 'ref: refs/heads/main\n');
		expect(await scanner().newestChange(directory)).toEqual({
			changedAt: at(9),
			path: 'new.ts',
			complete: true,
		});
	});

	it('a directory within it is scanned alone', async () => {
		write('outside.ts', 20);
		write('packages/one/inside.ts', 5);
		const inside = join(directory, 'packages/one');
		expect(await scanner().newestChange(inside)).toMatchObject({ changedAt: at(5), path: 'inside.ts' });
	});

	it('a directory that is ignored as a whole is looked at nevertheless, if an agent works there', async () => {
		write('.gitignore', 1, 'scratch/\n');
		write('scratch/work.py', 7);
		const scratch = join(directory, 'scratch');
		expect(await scanner().newestChange(scratch)).toEqual({
			changedAt: at(7),
			path: 'work.py',
			complete: true,
		});
	});

	it('nothing but ignored files is no file at all', async () => {
		write('.git/info/exclude', 1, '*.log\n');
		write('noise.log', 7);
		expect(await scanner().newestChange(directory)).toEqual({ changedAt: null, path: null, complete: true });
	});

	it('names with blanks, quotes, line breaks and other scripts are read', async () => {
		write('naïve "quoted" \n 文件.ts', 5);
		expect((await scanner().newestChange(directory)).path).toBe('naïve "quoted" \n 文件.ts');
	});

	it('a deletion is a change, of tracked and of new files, and is counted once', async () => {
		write('tracked.ts', 5);
		git('add', '.');
		write('new.ts', 6);
		const files = scanner();
		await files.newestChange(directory);
		for (const path of ['tracked.ts', 'new.ts']) {
			now += 1_000;
			rmSync(join(directory, path));
			expect(await files.newestChange(directory)).toEqual({ changedAt: now, path, complete: true });
			const deletedAt = now;
			now += 1_000;
			expect((await files.newestChange(directory)).changedAt).toBe(deletedAt);
		}
	});

	it('a submodule is not followed', async () => {
		const whole = directory;
		directory = join(whole, 'library');
		mkdirSync(directory);
		git('init', '--quiet');
		write('inside.ts', 30);
		git('add', '.');
		git('commit', '--quiet', '-m', 'inside');
		directory = whole;
		git('submodule', '--quiet', 'add', './library', 'library');
		rmSync(join(directory, '.gitmodules'), { force: true });
		write('own.ts', 5);
		expect(await scanner().newestChange(directory)).toMatchObject({ changedAt: at(5), path: 'own.ts' });
	});

	it('another repository in the environment does not lead it astray', async () => {
		write('own.ts', 5);
		process.env.GIT_DIR = join(directory, 'elsewhere');
		try {
			expect(await scanner().newestChange(directory)).toMatchObject({ changedAt: at(5), path: 'own.ts' });
		} finally {
			delete process.env.GIT_DIR;
		}
	});

	it('a program that the repository configures is not run', async () => {
		write('own.ts', 5);
		write('spy.sh', 4, `#!/bin/sh\ntouch ${directory}/ran\n`);
		chmodSync(join(directory, 'spy.sh'), 0o755);
		git('config', 'core.fsmonitor', join(directory, 'spy.sh'));
		expect(await scanner().newestChange(directory)).toMatchObject({ changedAt: at(5), path: 'own.ts' });
		expect((await scanner().newestChange(directory)).path).not.toBe('ran');
	});
});

describe('elsewhere', () => {
	it('all files count but those that tools fill', async () => {
		write('notes/deep/plan.md', 5);
		for (const tool of [
			'node_modules',
			'.git',
			'.venv',
			'__pycache__',
			'target',
			'.mypy_cache',
			'src/node_modules',
		]) {
			write(`${tool}/file`, 20);
		}
		expect(await scanner().newestChange(directory)).toEqual({
			changedAt: at(5),
			path: 'notes/deep/plan.md',
			complete: true,
		});
	});

	it('links are not followed', async () => {
		const other = mkdtempSync(join(tmpdir(), 'floor-other-'));
		writeFileSync(join(other, 'new'), 'new');
		write('own.md', 5);
		symlinkSync(other, join(directory, 'linked'));
		symlinkSync(join(other, 'new'), join(directory, 'linked-file'));
		symlinkSync(directory, join(directory, 'ring'));
		expect(await scanner().newestChange(directory)).toMatchObject({ changedAt: at(5), path: 'own.md' });
	});

	it('a deletion is a change', async () => {
		write('a', 5);
		write('b', 6);
		const files = scanner();
		await files.newestChange(directory);
		rmSync(join(directory, 'a'));
		expect(await files.newestChange(directory)).toEqual({ changedAt: now, path: 'a', complete: true });
	});

	it('an empty directory has no change, and is known completely', async () => {
		expect(await scanner().newestChange(directory)).toEqual({ changedAt: null, path: null, complete: true });
	});
});

describe('an unchanged file', () => {
	it('that is written again is no progress', async () => {
		write('a.ts', 5, 'same');
		const files = scanner();
		await files.newestChange(directory);
		for (const seconds of [10, 20, 30]) {
			write('a.ts', seconds, 'same');
			expect((await files.newestChange(directory)).changedAt).toBe(at(5));
		}
		write('a.ts', 40, 'else');
		expect((await files.newestChange(directory)).changedAt).toBe(at(40));
	});

	it('of great size is told by its time', async () => {
		write('a.bin', 5, 'x'.repeat(200));
		const files = scanner({ hashBytes: 100 });
		await files.newestChange(directory);
		write('a.bin', 10, 'x'.repeat(200));
		expect((await files.newestChange(directory)).changedAt).toBe(at(10));
	});
});

describe('limits', () => {
	it('a tree with more files than one scan may look at is seen by the next scans', async () => {
		for (let index = 0; index < 25; index++) write(`f${String(index).padStart(2, '0')}`, index);
		git('init', '--quiet');
		const files = scanner({ files: 10 });
		const answers = [];
		for (let scan = 0; scan < 3; scan++) answers.push(await files.newestChange(directory));
		expect(answers.map((each) => each.complete)).toEqual([false, false, false]);
		expect(answers.map((each) => each.changedAt)).toEqual([at(9), at(19), at(24)]);
		write('f03', 100, 'changed');
		for (let scan = 0; scan < 2; scan++) await files.newestChange(directory);
		expect((await files.newestChange(directory)).changedAt).toBe(at(100));
	});

	it('so is one without git, down to its deletions', async () => {
		for (let index = 0; index < 25; index++) write(`d${index % 5}/f${String(index).padStart(2, '0')}`, index);
		const files = scanner({ files: 10 });
		for (let scan = 0; scan < 6; scan++) expect((await files.newestChange(directory)).complete).toBe(false);
		expect((await files.newestChange(directory)).changedAt).toBe(at(24));
		rmSync(join(directory, 'd3'), { recursive: true });
		now += 1_000;
		for (let scan = 0; scan < 6; scan++) await files.newestChange(directory);
		expect((await files.newestChange(directory)).changedAt).toBe(now);
	});

	it.skipIf(process.platform === 'win32')(
		'a tree that git does not list in time is not made up',
		async () => {
			write('tree/a', 5);
			write('bin/git', 1, '#!/bin/sh\nexec sleep 60\n');
			chmodSync(join(directory, 'bin/git'), 0o755);
			const path = process.env.PATH;
			process.env.PATH = `${join(directory, 'bin')}:${path}`;
			try {
				const files = scanner({ listMs: 100 });
				expect(await files.newestChange(join(directory, 'tree'))).toEqual(nothing);
				process.env.PATH = path;
				expect((await files.newestChange(join(directory, 'tree'))).changedAt).toBe(at(5));
			} finally {
				process.env.PATH = path;
			}
		},
	);

	it.skipIf(process.platform === 'win32')(
		'a scan that hangs is given up, not doubled, and used when it comes back',
		async () => {
			write('tree/a', 5);
			write('bin/git', 1, `#!/bin/sh\necho >> ${directory}/asked\nread line < ${directory}/go\nexit 128\n`);
			chmodSync(join(directory, 'bin/git'), 0o755);
			execFileSync('mkfifo', [join(directory, 'go')]);
			const path = process.env.PATH;
			process.env.PATH = `${join(directory, 'bin')}:${path}`;
			try {
				const files = scanner({ hangMs: -15_000, listMs: 10_000 }, 1_000);
				const tree = join(directory, 'tree');
				expect(await files.newestChange(tree)).toEqual(nothing);
				expect(await files.newestChange(tree)).toEqual(nothing);
				await writeFile(join(directory, 'go'), '\n');
				await until(async () => (await files.newestChange(tree)).changedAt === at(5));
				expect(readFileSync(join(directory, 'asked'), 'utf8')).toBe('\n');
			} finally {
				process.env.PATH = path;
			}
		},
	);

	it('a tree with more files than are kept is known in part, and says so', async () => {
		git('init', '--quiet');
		for (let index = 0; index < 6; index++) write(`f${index}`, index);
		const files = scanner({ filesPerDirectory: 4 });
		expect(await files.newestChange(directory)).toEqual({ changedAt: at(3), path: 'f3', complete: false });
	});

	it('the tree that was asked for longest ago is forgotten first', async () => {
		const files = scanner({ filesInMemory: 1 });
		write('one/a', 5, 'same');
		write('two/a', 5, 'same');
		await files.newestChange(join(directory, 'one'));
		await files.newestChange(join(directory, 'two'));
		write('one/a', 10, 'same');
		write('two/a', 10, 'same');
		// Remembered: the same content is no change. Forgotten: the time is all there is.
		expect((await files.newestChange(join(directory, 'two'))).changedAt).toBe(at(5));
		expect((await files.newestChange(join(directory, 'one'))).changedAt).toBe(at(10));
	});
});

describe('a directory that is not to be crawled', () => {
	it('has no answer: gone, a file, relative, the root, the home and above', async () => {
		write('home/me/project/a', 5);
		const home = join(directory, 'home/me');
		const files = new WorkTreeScanner({ now: () => now, maxAgeMs: () => 0, home });
		const refused = [
			'/',
			'',
			'relative',
			join(directory, 'gone'),
			join(home, 'project/a'),
			home,
			dirname(home),
		];
		for (const path of refused) expect(await files.newestChange(path)).toEqual(nothing);
		symlinkSync(home, join(directory, 'link-to-home'));
		expect(await files.newestChange(join(directory, 'link-to-home'))).toEqual(nothing);
		expect(await files.newestChange(join(home, 'project'))).toMatchObject({ changedAt: at(5) });
	});

	it('that goes away between two scans is not taken for a tree of deletions', async () => {
		write('tree/a', 5);
		const files = scanner();
		await files.newestChange(join(directory, 'tree'));
		rmSync(join(directory, 'tree'), { recursive: true });
		expect(await files.newestChange(join(directory, 'tree'))).toEqual(nothing);
	});
});

describe('many agents in one directory', () => {
	it('share one scan, also by another name of the directory', async () => {
		write('tree/a', 5);
		symlinkSync(join(directory, 'tree'), join(directory, 'alias'));
		const files = scanner();
		const [one, two, three] = await Promise.all(
			['tree', 'tree', 'alias'].map((name) => files.newestChange(join(directory, name))),
		);
		expect(two).toBe(one);
		expect(three).toBe(one);
	});

	it('get the last answer while it is young', async () => {
		write('a', 5);
		const files = scanner({}, 15_000);
		const first = await files.newestChange(directory);
		write('a', 10, 'changed');
		now += 14_000;
		expect(await files.newestChange(directory)).toBe(first);
		now += 2_000;
		expect((await files.newestChange(directory)).changedAt).toBe(at(10));
		// A clock that was set back does not freeze the answer.
		write('a', 12, 'changed again');
		now -= 500_000;
		expect((await files.newestChange(directory)).changedAt).toBe(at(12));
	});

	it('and many directories are all answered', async () => {
		const names = Array.from({ length: 20 }, (_, index) => `tree${index}`);
		for (const [index, name] of names.entries()) write(`${name}/a`, index);
		const files = scanner();
		const answers = await Promise.all(names.map((name) => files.newestChange(join(directory, name))));
		expect(answers.map((each) => each.changedAt)).toEqual(names.map((_, index) => at(index)));
	});
});
