/** Whom every hook calls, and what its call carries. */

export interface FloorAddress {
	/** Of the floor's listener, without a path: `http://127.0.0.1:47100`. */
	readonly baseUrl: string;
	/** Of this installation, the same after a restart. */
	readonly agentToken: string;
}

/** Carries the pid of the agent's process, which the payload does not tell. */
export const PROCESS_HEADER = 'x-agent-floor-pid';

/**
 * Quotes and line ends would break a header, a URL, a shell line or a configuration file; Claude Code expands `$NAME` in
 * headers.
 * @throws RangeError for an address that cannot be written into each of these as it is.
 */
export function refuseUnwritable({ baseUrl, agentToken }: FloorAddress): void {
	const base = URL.parse(baseUrl);
	if (base === null || base.protocol !== 'http:' || base.origin !== baseUrl) {
		throw new RangeError('The base URL of the floor must be http://host:port and nothing more.');
	}
	if (!/^[\w.~+/=-]+$/.test(agentToken)) {
		throw new RangeError('The agent token may hold letters, digits and . ~ + / = _ - only.');
	}
}
