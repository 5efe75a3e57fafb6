/** What a script (the seed's functions, a person's editor) did to a repository's state file, read from its change. */
import type { ModelChain } from './model-desk.ts';

export type ScriptDeed =
	/** Update-CircuitBreakerOnRateLimit. `at`: as the file says; `null` where it says nothing usable. */
	| { readonly kind: 'limited'; readonly model: string; readonly at: number | null }
	/** Get-CurrentModel found the cooldown over and took the preferred model: the test call is under way. */
	| { readonly kind: 'probe-begun' }
	/** Update-CircuitBreakerOnSuccess while half-open, this often. */
	| { readonly kind: 'succeeded'; readonly count: number }
	/** The circuit was closed: by the second success, or by hand. */
	| { readonly kind: 'closed' }
	/** The configuration was edited; it holds for this repository. */
	| { readonly kind: 'configured'; readonly chain: ModelChain };
