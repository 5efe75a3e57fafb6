import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';

const script = new URL('../../scripts/prepare.mjs', import.meta.url).href;
const { isInstalled }: { isInstalled: (folder: string) => boolean } = await import(script);

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'floor-prepare-'));
	write('package-lock.json', lock({ a: '1.0.0', b: '2.0.0' }));
	write('node_modules/node/bin/node', '');
	write('node_modules/node/bin/node.exe', '');
});

function write(path: string, text: string): void {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), text);
}

function lock(versions: Record<string, string>, optional: string[] = []): string {
	const packages = Object.entries(versions).map(([name, version]) => [
		`node_modules/${name}`,
		{ version, ...(optional.includes(name) && { optional: true }) },
	]);
	return JSON.stringify({ packages: { '': { name: 'agent-floor' }, ...Object.fromEntries(packages) } });
}

function installed(text: string): boolean {
	write('node_modules/.package-lock.json', text);
	return isInstalled(folder);
}

describe('the packages are those of the lock file', () => {
	it('when npm noted the same versions', () => {
		expect(installed(lock({ a: '1.0.0', b: '2.0.0', extra: '9.0.0' }))).toBe(true);
	});

	it('not when there is no note, or half a one', () => {
		expect(isInstalled(folder)).toBe(false);
		expect(installed('{"packages": {"node_mod')).toBe(false);
	});

	it('not when one is missing or another version', () => {
		expect(installed(lock({ a: '1.0.0' }))).toBe(false);
		expect(installed(lock({ a: '1.0.0', b: '2.0.1' }))).toBe(false);
	});

	it('also without the optional ones, which are for other systems', () => {
		write('package-lock.json', lock({ a: '1.0.0', darwin: '3.0.0' }, ['darwin']));
		expect(installed(lock({ a: '1.0.0' }))).toBe(true);
		expect(installed(lock({ a: '1.0.0', darwin: '2.0.0' }))).toBe(false);
	});
});
