/** The flags of the desktop program. Chromium's own flags come along in the same list and are left alone. Pure. */
import { parseArgs } from 'node:util';

export interface DesktopArguments {
	/** As given; `null`: the default one. */
	readonly dataDirectory: string | null;
	/** `null`: as the settings say. */
	readonly port: number | null;
	readonly demo: boolean;
	/** False: start without a window. */
	readonly openWindow: boolean;
}

/** Throws an error in words a person can act on when the port is no port. */
export function readArguments(args: readonly string[]): DesktopArguments {
	const { values } = parseArgs({
		args: [...args],
		strict: false,
		options: {
			data: { type: 'string' },
			port: { type: 'string' },
			demo: { type: 'boolean' },
			'no-open': { type: 'boolean' },
		},
	});
	return {
		dataDirectory: typeof values.data === 'string' ? values.data : null,
		port: values.port === undefined ? null : readPort(values.port),
		demo: values.demo === true,
		openWindow: values['no-open'] !== true,
	};
}

function readPort(text: string | boolean): number {
	const port = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
	if (port >= 0 && port <= 65_535) return port;
	throw new Error(`--port takes a number from 0 to 65535 (0 = any free one), not "${text}".`);
}
