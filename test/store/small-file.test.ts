import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileTarget } from '../../src/main/store/file-target.ts';
import { updateLockedFile } from '../../src/main/store/locked-file.ts';
import { readSmallFile } from '../../src/main/store/small-file.ts';
import { StoreError } from '../../src/main/store/store-error.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const isWindows = process.platform === 'win32';
const meaning = 'Nothing is known.';
const options = { largestBytes: 1_000, meaning };

async function refusal(work: Promise<unknown>): Promise<StoreError> {
	const thrown = await work.catch((error: unknown) => error);
	if (thrown instanceof StoreError) return thrown;
	throw new Error(`no StoreError: ${String(thrown)}`);
}

async function socket(file: string): Promise<void> {
	const server = createServer();
	onTestFinished(() => void server.close());
	await new Promise<void>((resolve) => server.listen(file, resolve));
}

describe('a small file of others', () => {
	it('is read whole; where there is none there is nothing', async () => {
		const directory = temporaryDirectory();
		const file = join(directory, 'x.json');
		expect(await readSmallFile(file, options)).toBeNull();
		expect(await readSmallFile(join(file, 'below'), options)).toBeNull();
		for (const length of [0, 1, 999, 1_000]) {
			writeFileSync(file, 'x'.repeat(length));
			expect(Buffer.from((await readSmallFile(file, options)) ?? '').toString()).toBe('x'.repeat(length));
		}
		const large = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251));
		writeFileSync(file, large);
		expect(await readSmallFile(file, { meaning, largestBytes: 1_000_000 })).toEqual(large);
	});

	it('is cut one byte behind the limit, however long it is', async () => {
		const file = join(temporaryDirectory(), 'x.json');
		writeFileSync(file, '');
		truncateSync(file, 400_000_000);
		expect(await readSmallFile(file, options)).toHaveLength(1_001);
	});

	const strange: [string, (file: string) => unknown][] = [
		['a directory', (file) => mkdirSync(file)],
		...(isWindows
			? []
			: ([
					['a pipe', (file) => execFileSync('mkfifo', [file])],
					['a socket', socket],
					['a device', (file) => symlinkSync('/dev/zero', file)],
				] satisfies [string, (file: string) => unknown][])),
	];

	it.each(strange)('%s in its place is neither opened nor waited for: a typed error', async (what, make) => {
		const file = join(temporaryDirectory(), 'x.json');
		await make(file);
		const error = await refusal(readSmallFile(file, options));
		expect(error).toMatchObject({
			message: `Could not read ${file}: ${what} stands in its place.`,
			meaning,
			remedy: 'Move away what stands there.',
		});
		const base = temporaryDirectory();
		const updating = { locksDirectory: join(base, 'locks'), meaning, within: '/', forScripts: true };
		const changed = updateLockedFile(file, updating, () => {
			throw new Error('there is nothing to change');
		});
		expect(await refusal(changed)).toMatchObject({ code: 'not-writable', meaning });
	});
});

describe('the file behind a name', () => {
	function links() {
		const base = temporaryDirectory();
		const [inside, outside] = [join(base, 'repository'), join(base, 'elsewhere')];
		for (const directory of [inside, outside, join(inside, 'deep')]) mkdirSync(directory);
		writeFileSync(join(inside, 'kept.json'), 'kept');
		writeFileSync(join(outside, 'private.json'), 'private');
		return { inside, outside, name: join(inside, 'deep', 'state.json') };
	}

	it('is itself, or what a link within the bounds leads to', () => {
		const { inside, name } = links();
		const bounds = { within: inside, meaning };
		expect(fileTarget(name, bounds)).toEqual({ path: name, isLink: false });
		symlinkSync(join('..', 'kept.json'), name);
		expect(fileTarget(name, bounds)).toEqual({ path: join(inside, 'kept.json'), isLink: true });
	});

	it('that is a link to nothing is the link', () => {
		const { inside, name } = links();
		symlinkSync('/nothing/of/that/name', name);
		expect(fileTarget(name, { within: inside, meaning })).toEqual({ path: name, isLink: false });
	});

	it.each([
		['of the file', (at: ReturnType<typeof links>) => symlinkSync(join(at.outside, 'private.json'), at.name)],
		[
			'to a link',
			(at: ReturnType<typeof links>) => {
				symlinkSync(join(at.outside, 'private.json'), join(at.inside, 'second.json'));
				symlinkSync(join('..', 'second.json'), at.name);
			},
		],
		[
			'of a directory of the same beginning',
			(at: ReturnType<typeof links>) => {
				mkdirSync(`${at.inside}-2`);
				writeFileSync(join(`${at.inside}-2`, 'x.json'), '');
				symlinkSync(join(`${at.inside}-2`, 'x.json'), at.name);
			},
		],
	])('is not followed out of the bounds: a link %s', async (_what, make) => {
		const at = links();
		make(at);
		expect(() => fileTarget(at.name, { within: at.inside, meaning })).toThrow(StoreError);
		const locksDirectory = join(at.inside, '..', 'locks');
		// Nor when nobody says what the bounds are.
		const changed = updateLockedFile(at.name, { locksDirectory, meaning }, () => ({
			kind: 'write',
			bytes: Buffer.from('mine'),
			result: null,
		}));
		const error = await refusal(changed);
		expect(error.message).toContain(`${at.name} is a link that leads out of`);
	});
});
