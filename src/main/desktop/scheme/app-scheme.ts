/** Registers `app://` with Electron; the answers come from `serve-page.ts`. */
import { protocol } from 'electron';
import { APP_SCHEME } from '../origin.ts';
import type { ReportFailure } from '../report-failure.ts';
import { servePage } from './serve-page.ts';

/** Call once, before the app is ready: Electron heeds only one such call. */
export function registerAppScheme(): void {
	protocol.registerSchemesAsPrivileged([
		{
			scheme: APP_SCHEME,
			privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
		},
	]);
}

/** Call once the app is ready. `renderer`: directory of the built window. */
export function serveAppScheme(renderer: string, report: ReportFailure): void {
	protocol.handle(APP_SCHEME, (request) => servePage(renderer, request, report));
}
