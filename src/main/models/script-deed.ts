/** What a script (the seed's functions, a person's editor) did to a repository's state file, read from its change. */
import type { ModelChain } from './model-desk.ts';

export type ScriptDeed =
	/** Update-CircuitBreakerOnRateLimit. `at`: as the file says; `null` where it says nothing usable. */
	| { readonly kind: 'limited'; readonly model: string; readonly at: number | null }
	/** Get-CurrentModel found the cooldown over and took the preferred model: the test call is under way. */
	| { readonly kind: 'probe-begun' }
	/** Another floor took the test call that was under way there for over: it ended, and not with a limit. */
	| { readonly kind: 'probe-ended' }
	/** Update-CircuitBreakerOnSuccess while half-open, this often. */
	| { readonly kind: 'succeeded'; readonly count: number }
	/** The model in use answered after limits: `consecutiveFailures` is 0 again. */
	| { readonly kind: 'answered' }
	/** The preferred model is not to be tried before then, ms since the epoch: the file's `resumeAt`. */
	| { readonly kind: 'wished'; readonly until: number }
	/** The circuit was closed: by the second success, or by hand. */
	| { readonly kind: 'closed' }
	/** The configuration was edited; it holds for this repository. */
	| { readonly kind: 'configured'; readonly chain: ModelChain };
