/** `app://floor/…` answered from the built renderer. Free of Electron: it takes a request and gives a response. */
import { readFile } from 'node:fs/promises';
import { extname, isAbsolute, relative, resolve } from 'node:path';
import { CONTENT_SECURITY_POLICY, pageContentTypes } from '../../../shared/page-policy.ts';
import { isOwnUrl } from '../origin.ts';
import type { ReportFailure } from '../report-failure.ts';
import { CRASH_PAGE_PATH, crashPage } from './crash-page.ts';

const commonHeaders = {
	'content-security-policy': CONTENT_SECURITY_POLICY,
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'cross-origin-opener-policy': 'same-origin',
	'cache-control': 'no-cache',
};

/**
 * The file a path of the window's pages stands for, or `null` when it leads out of `root` or names no file type of ours.
 * `pathname` is percent-encoded, as in a URL.
 */
export function fileOf(root: string, pathname: string): string | null {
	const path = decodePath(pathname);
	// A backslash or a colon is an ordinary character here and a separator or a drive elsewhere; we ship neither.
	if (path === null || /[\0\\:]/.test(path)) return null;
	const file = resolve(root, `./${path === '/' ? 'index.html' : path}`);
	const inside = relative(root, file);
	if (inside === '' || inside === '..' || /^\.\.[\\/]/.test(inside) || isAbsolute(inside)) return null;
	return Object.hasOwn(pageContentTypes, extname(file)) ? file : null;
}

/** Never rejects. */
export async function servePage(root: string, request: Request, report: ReportFailure): Promise<Response> {
	if (!isOwnUrl(request.url)) return plain(403, 'Not an address of Agent Floor.');
	if (request.method !== 'GET' && request.method !== 'HEAD')
		return plain(405, 'Only reading is possible here.');
	const url = new URL(request.url);
	if (url.pathname === CRASH_PAGE_PATH) return crashPage(url.searchParams.get('cause'), commonHeaders);
	const file = fileOf(root, url.pathname);
	if (file === null) return plain(404, 'Not here.');
	try {
		const body = await readFile(file);
		const headers = { ...commonHeaders, 'content-type': pageContentTypes[extname(file)] ?? '' };
		return new Response(request.method === 'HEAD' ? null : body, { headers });
	} catch (error) {
		if (isAbsent(error)) return plain(404, 'Not here.');
		report(`reading ${file} for the window`, error);
		return plain(500, 'The file could not be read. Agents are not affected; reinstall Agent Floor.');
	}
}

function decodePath(pathname: string): string | null {
	try {
		return decodeURIComponent(pathname);
	} catch {
		// Not valid percent-encoding: names no file of ours.
		return null;
	}
}

function isAbsent(error: unknown): boolean {
	const code = error instanceof Error && 'code' in error ? error.code : '';
	return code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR';
}

function plain(status: number, text: string): Response {
	return new Response(text, {
		status,
		headers: { ...commonHeaders, 'content-type': 'text/plain; charset=utf-8' },
	});
}
