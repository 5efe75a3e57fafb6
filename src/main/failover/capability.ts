/** What can be done now (seed 003, section 1), put together from what discovery and the providers' evidence say. */
import type { Capability, LocalServerView, ModelFit, ProviderView } from '../../shared/capability.ts';

export interface CapabilityParts {
	readonly servers: readonly LocalServerView[];
	readonly models: readonly ModelFit[];
	/** Of the provider that was called last. */
	readonly remote: ProviderView['remote'];
	readonly activeSession: Capability['activeSession'];
}

/**
 * Exactly the seed's object. Models of a server that is not there are left out, whatever a cache still holds. The seed
 * has no word for "nobody knows": `remote` is `unreachable` until a call has proved otherwise.
 */
export function capabilityOf({ servers, models, remote, activeSession }: CapabilityParts): Capability {
	const present = new Set(
		servers.filter(({ state }) => state === 'running' || state === 'loading').map(({ id }) => id),
	);
	const localModels = models.filter(({ serverId }) => present.has(serverId));
	return {
		local: localState(servers, localModels),
		localModels,
		remote: remote === 'unknown' ? 'unreachable' : remote,
		activeSession,
	};
}

/**
 * `ready`: a running server has a model that this machine can carry. A cold one counts too: its server loads it when
 * it is asked, and `ModelFit.loaded` tells that it takes a while.
 */
function localState(servers: readonly LocalServerView[], models: readonly ModelFit[]): Capability['local'] {
	const running = new Set(servers.filter(({ state }) => state === 'running').map(({ id }) => id));
	if (models.some(({ serverId, fit }) => running.has(serverId) && fit !== 'OVER')) return 'ready';
	return servers.some(({ state }) => state === 'loading') ? 'loading' : 'unsupported';
}
