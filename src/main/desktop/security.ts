/** Deny by default, for every web contents and session there will ever be: navigation, windows, webviews, permissions. */
import { app, type Session, session, shell, type WebContents } from 'electron';
import { externalLink, isOwnUrl } from './origin.ts';
import type { ReportFailure } from './report-failure.ts';

/** Call before the app is ready. */
export function hardenWebContents(report: ReportFailure): void {
	// Also for windows that would forget to ask for it.
	app.enableSandbox();
	app.on('web-contents-created', (_event, contents) => harden(contents, report));
}

/** Call once the app is ready. */
export function denyPermissions(): void {
	deny(session.defaultSession);
	// Nobody creates a second session today; if somebody does, it starts with nothing allowed.
	app.on('session-created', deny);
}

function harden(contents: WebContents, report: ReportFailure): void {
	const stay = (details: { readonly url: string; preventDefault(): void }): void => {
		if (isOwnUrl(details.url)) return;
		details.preventDefault();
		report('leaving the window', new Error(`navigation to ${details.url} was refused`));
	};
	contents.on('will-navigate', stay);
	contents.on('will-frame-navigate', stay);
	contents.on('will-redirect', stay);
	contents.on('will-attach-webview', (event) => event.preventDefault());
	contents.setWindowOpenHandler(({ url }) => {
		openExternal(url, report);
		return { action: 'deny' };
	});
}

/** Hands a listed https address to the system's browser; refuses and reports any other. */
export function openExternal(url: string, report: ReportFailure): void {
	const link = externalLink(url);
	if (link === null) {
		report('opening a link', new Error(`${url} is not on the list of places the window may open`));
		return;
	}
	shell.openExternal(link).catch((error: unknown) => report(`opening ${link}`, error));
}

function deny(target: Session): void {
	target.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
	target.setPermissionCheckHandler(() => false);
	target.setDevicePermissionHandler(() => false);
}
