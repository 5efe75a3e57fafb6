/** Addresses of local servers, as they stand in the settings. */
import type { LocalServerSettings } from '../../shared/failover-settings.ts';

/**
 * The address of an endpoint. A `/v1` at the end of the base URL belongs to the OpenAI endpoints only, so it is taken
 * off; credentials in it are left out. Throws for what is neither http nor https.
 */
export function endpointOf(baseUrl: string, path: string): URL {
	const base = new URL(baseUrl);
	if (base.protocol !== 'http:' && base.protocol !== 'https:') {
		throw new TypeError(`A local server is reached by http or https, not by ${base.protocol}`);
	}
	return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}${path}`);
}

/** Whether an address is surely this machine's own. */
export function isThisMachine(baseUrl: string): boolean {
	const host = URL.parse(baseUrl)?.hostname ?? '';
	return /^(localhost|.+\.localhost|\[::1\]|127\.\d+\.\d+\.\d+|0\.0\.0\.0)$/.test(host);
}

/** The token for a server: the value of the variable that its settings name; `null` without one. */
export function tokenOf(settings: LocalServerSettings, environment: NodeJS.ProcessEnv): string | null {
	const { credentialEnv } = settings;
	const value = typeof credentialEnv === 'string' ? environment[credentialEnv] : undefined;
	return value === undefined || value === '' ? null : value;
}

/** For the screen. */
export function withoutCredentials(baseUrl: string): string {
	const url = URL.parse(baseUrl);
	if (url === null) return '';
	if (url.username === '' && url.password === '') return baseUrl;
	url.username = '';
	url.password = '';
	return url.href;
}
