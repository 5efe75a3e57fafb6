/** The real listener with hardly anything behind it, for tests of one of its surfaces. */
import { Floor } from '../../src/main/floor/floor.ts';
import { type Listener, type ListenerOptions, listen } from '../../src/main/server/listener.ts';
import type { RequestHandlers } from '../../src/shared/channels.ts';
import { defaultSettings } from '../../src/shared/settings.ts';

/** For what a test must not come to. */
export const unused = (): never => {
	throw new Error('not asked for here');
};

/** `problems`: whatever went wrong unexpectedly. */
export async function listenBare(given: Partial<ListenerOptions>, problems: unknown[]): Promise<Listener> {
	return listen({
		port: 0,
		agentToken: 'agent',
		operatorToken: 'operator',
		handlers: {} as RequestHandlers,
		hooks: {
			floor: new Floor({
				getSettings: () => defaultSettings,
				isReadOnly: () => ({ readOnly: false, why: '' }),
			}),
			dialects: [],
			now: () => 0,
			identifyProcess: async () => null,
			onEvent: unused,
			consent: () => null,
			isDemoPlaying: () => false,
			onError: unused,
		},
		windowFiles: new Map(),
		onUnexpected: (_where, error) => problems.push(error),
		...given,
	});
}
