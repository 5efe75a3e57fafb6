/** What a run of the matrix stands on: a gateway with its failover, a provider, a local server, and an operator. */
import type { ProviderView } from '../../../src/shared/capability.ts';
import type { FailoverPopup } from '../../../src/shared/failover-view.ts';
import type { ModelChainSettings } from '../../../src/shared/models-settings.ts';
import type { ModelChainView } from '../../../src/shared/models-view.ts';
import type { ProviderStub } from '../provider-stub.ts';
import type { Fault } from './faults.ts';

/** What the local model says, and who it is. */
export const LOCAL_TEXT = 'Answered on this machine.';
export const LOCAL_MODEL = 'coder:30b';
export const CLOUD_MODEL = 'cloud-model';

export interface World {
	/** Base URL of an agent, with its token. */
	readonly baseUrl: string;
	readonly provider: ProviderStub;
	readonly local: ProviderStub;
	/** Resolves with the popup that opens next, or is open. */
	popup(): Promise<FailoverPopup>;
	/** How many opened so far. */
	readonly popupCount: number;
	/** Those that are open. */
	popups(): readonly FailoverPopup[];
	/** [Switch & continue] */
	switchTo(popup: FailoverPopup): void;
	/** What is known of the provider. */
	providerView(): ProviderView;
	/** What is known of the provider's models; `null`: no chain names any. */
	chainView(): ModelChainView | null;
	/** The clock of the model breakers, ms. It stands still until `later`. */
	readonly modelsNow: number;
	later(ms: number): void;
	/** Faults of the floor's own. */
	readonly unexpected: readonly unknown[];
	close(): Promise<void>;
}

export interface WorldOptions {
	/** Then the provider's own error is passed on, s. */
	readonly holdSeconds: number;
	/** Where the provider stands. */
	readonly provider: Fault['provider'];
	/** A silent upstream has failed after this, ms. */
	readonly silenceMs: number;
	/** What stands in for a limited model; absent: nothing does. */
	readonly chain?: ModelChainSettings;
}
