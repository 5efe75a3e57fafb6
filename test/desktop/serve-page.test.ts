import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf, servePage } from '../../src/main/desktop/scheme/serve-page.ts';
import { CONTENT_SECURITY_POLICY } from '../../src/shared/page-policy.ts';

let home = '';
let root = '';
const failures: string[] = [];
const report = (doing: string): void => void failures.push(doing);
const get = (url: string, method = 'GET'): Promise<Response> =>
	servePage(root, new Request(url, { method }), report);

beforeAll(() => {
	home = mkdtempSync(join(tmpdir(), 'floor-scheme-'));
	root = join(home, 'renderer');
	mkdirSync(join(root, 'assets'), { recursive: true });
	mkdirSync(join(root, 'folder.js'));
	mkdirSync(join(home, 'renderer-secrets'));
	writeFileSync(join(root, 'index.html'), '<!doctype html><title>floor</title>');
	writeFileSync(join(root, 'assets', 'main é.js'), 'export {};');
	writeFileSync(join(root, 'notes.txt'), 'not for the window');
	writeFileSync(join(home, 'server.json'), '{"operatorToken":"secret"}');
	writeFileSync(join(home, 'renderer-secrets', 'token.json'), '{"operatorToken":"secret"}');
});
afterAll(() => rmSync(home, { recursive: true }));

describe('servePage', () => {
	it('serves the page with its policy', async () => {
		const response = await get('app://floor/');
		expect(response.status).toBe(200);
		expect(await response.text()).toContain('<title>floor</title>');
		expect(Object.fromEntries(response.headers)).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'content-security-policy': CONTENT_SECURITY_POLICY,
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
		});
		expect(CONTENT_SECURITY_POLICY).toBe(
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		);
	});

	it('serves a file by its percent-encoded name, whatever query it carries', async () => {
		const response = await get('app://floor/assets/main%20%C3%A9.js?v=1');
		expect(await response.text()).toBe('export {};');
		expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
	});

	it.each([
		'app://floor/../server.json',
		'app://floor/..%2Fserver.json',
		'app://floor/%2e%2e/server.json',
		'app://floor/assets/..%2F..%2Fserver.json',
		'app://floor/..%2Frenderer-secrets%2Ftoken.json',
		'app://floor/..%5Cserver.json',
		'app://floor/%2Fetc%2Fpasswd.json',
		'app://floor/C:%5CUsers%5Csecret.json',
		'app://floor/index.html%00.json',
		'app://floor/%ff.js',
		'app://floor/%',
		'app://floor/assets/',
		'app://floor/folder.js',
		'app://floor/notes.txt',
		'app://floor/absent.js',
	])('does not find %s', async (url) => {
		const response = await get(url);
		expect(response.status).toBe(404);
		expect(await response.text()).not.toContain('secret');
	});

	it('refuses other hosts and other methods, and bodies of HEAD', async () => {
		expect((await get('app://elsewhere/index.html')).status).toBe(403);
		expect((await get('app://floor/index.html', 'POST')).status).toBe(405);
		const head = await get('app://floor/index.html', 'HEAD');
		expect([head.status, await head.text()]).toEqual([200, '']);
	});

	it('shows a crash page without script that leads back', async () => {
		const response = await get('app://floor/crashed?cause=memory');
		const html = await response.text();
		expect(html).toContain('ran out of memory');
		expect(html).toContain('<a href="/">');
		expect(html).not.toContain('<script');
		expect(response.headers.get('content-security-policy')).toMatch(
			/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /,
		);
	});

	it('repeats nothing of what the address claims', async () => {
		for (const cause of ['%3Cscript%3E', '__proto__', 'constructor', '']) {
			const html = await (await get(`app://floor/crashed?cause=${cause}`)).text();
			expect(html).toContain('Its process crashed several times');
		}
	});

	it('met no failure that it had to report', () => {
		expect(failures).toEqual([]);
	});
});

describe('fileOf', () => {
	it('never leads out of the root', () => {
		const piece = fc.oneof(
			fc.constantFrom(
				'..',
				'.',
				'/',
				'\\',
				'%2e',
				'%2E%2E',
				'%2f',
				'%5c',
				'%00',
				'C:',
				'~',
				'assets',
				'index.html',
				'.js',
			),
			fc.string({ maxLength: 5 }),
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
				const file = fileOf(join(sep, 'srv', 'renderer'), `/${pieces.join('')}`);
				if (file === null) return;
				expect(file.startsWith(join(sep, 'srv', 'renderer') + sep)).toBe(true);
				expect(file.split(sep)).not.toContain('..');
			}),
		);
	});
});
