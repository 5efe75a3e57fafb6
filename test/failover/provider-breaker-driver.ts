/** Drives a breaker on virtual steady time, and makes outcomes. */
import type { CallOutcome, CallOutcomeKind } from '../../src/main/failover/call.ts';
import {
	type AdmittedCall,
	type BreakerChange,
	ProviderBreaker,
	type ProviderBreakerOptions,
} from '../../src/main/failover/provider-breaker.ts';

const codes: Readonly<Record<CallOutcomeKind, Pick<CallOutcome, 'status' | 'code'>>> = {
	ok: { status: 200, code: '' },
	error: { status: 529, code: 'overloaded_error' },
	lost: { status: null, code: 'ECONNREFUSED' },
	cut: { status: 200, code: 'UND_ERR_SOCKET' },
	timeout: { status: null, code: 'UND_ERR_HEADERS_TIMEOUT' },
	'rate-limited': { status: 429, code: 'rate_limit_error' },
	unauthorised: { status: 401, code: 'authentication_error' },
	neutral: { status: 400, code: 'invalid_request_error' },
};

export function outcomeOf(kind: CallOutcomeKind, more: Partial<CallOutcome> = {}): CallOutcome {
	return { kind, ...codes[kind], latencyMs: null, retryAfterMs: null, ...more };
}

export class BreakerDriver {
	now = 1_000_000;
	readonly changes: BreakerChange[] = [];
	readonly breaker: ProviderBreaker;

	constructor(options: ProviderBreakerOptions = {}) {
		this.breaker = new ProviderBreaker({ ...options, onChange: (change) => this.changes.push(change) });
	}

	wait(ms: number): this {
		this.now += ms;
		return this;
	}

	/** A call that has to be admitted. */
	admit(): AdmittedCall {
		const admission = this.breaker.admit(this.now);
		if (!admission.admitted) throw new Error(`not admitted, again in ${admission.retryInMs} ms`);
		return admission.call;
	}

	/** How long a call has to wait that must not be admitted, ms. */
	refusedFor(): number {
		const admission = this.breaker.admit(this.now);
		if (admission.admitted) throw new Error('admitted');
		return admission.retryInMs;
	}

	settle(call: AdmittedCall, kind: CallOutcomeKind, more?: Partial<CallOutcome>): boolean {
		return this.breaker.settle(call, outcomeOf(kind, more), this.now);
	}

	/** Calls that end at once, one after the other. */
	calls(count: number, kind: CallOutcomeKind, more?: Partial<CallOutcome>): this {
		for (let call = 0; call < count; call += 1) this.settle(this.admit(), kind, more);
		return this;
	}

	get state(): string {
		return this.breaker.state(this.now);
	}

	get counts() {
		return this.breaker.counts(this.now);
	}
}
