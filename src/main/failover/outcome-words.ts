/** What came of a call, and why a breaker is open, in sentences for people. Codes from outside are made visible. */
import { callDurationWords } from '../../shared/format.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { BREAKER_RULES } from './breaker-rules.ts';
import type { CallOutcome } from './call.ts';
import { describeLoss, isLossCode } from './loss.ts';
import type { Opening } from './provider-breaker.ts';
import type { FailedCall } from './saved-breaker.ts';
import { sentence } from './sentence.ts';

const WINDOW = `${BREAKER_RULES.windowMs / 1000} s`;

/** One sentence: "Anthropic answered with an error (529 overloaded_error)." */
export function describeOutcome(
	outcome: Pick<CallOutcome, 'kind' | 'status' | 'code'>,
	name: string,
): string {
	const { kind, code } = outcome;
	if (isLossCode(code)) return describeLoss(code, name, kind === 'cut');
	return sentence(`${name} ${deeds[kind]}${marks(outcome)}.`);
}

const deeds: Readonly<Record<CallOutcome['kind'], string>> = {
	ok: 'answered',
	error: 'answered with an error',
	lost: 'cannot be reached',
	cut: 'broke off in the middle of its answer',
	timeout: 'did not answer in time',
	'rate-limited': 'asked for fewer calls',
	unauthorised: "refused the caller's credentials",
	neutral: 'refused this one request',
};

/** " (529 overloaded_error)"; a 200 around an error says nothing and is left out. */
function marks({ status, code }: Pick<CallOutcome, 'status' | 'code'>): string {
	const number = status === null || (status >= 200 && status < 300) ? '' : String(status);
	const parts = [number, code === number ? '' : visibleText(code, { limit: 60 })].filter(
		(part) => part !== '',
	);
	return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
}

/** One sentence: why the breaker opened and how its trials went. */
export function describeOpening({ cause, failedTrials, lastTrial }: Opening, name: string): string {
	return sentence(`${causeWords(cause, name)}${trialWords(failedTrials, lastTrial)}.`);
}

function causeWords(cause: Opening['cause'], name: string): string {
	switch (cause.kind) {
		case 'lost':
			return describeOutcome(cause.last, name).slice(0, -1);
		case 'error-rate':
			return `${cause.errors} of ${cause.calls} calls to ${name} failed within ${WINDOW}${lastWords(cause.last)}`;
		case 'latency':
			return `${name} answers too late: 95 % of ${cause.calls} calls within ${WINDOW} had their first byte after up to ${callDurationWords(cause.p95Ms)}, above ${callDurationWords(BREAKER_RULES.slowMs)}`;
	}
}

function lastWords(last: FailedCall): string {
	const said = marks(last).slice(2, -1);
	return said === '' ? '' : `, the last with ${said}`;
}

function trialWords(failed: number, last: FailedCall | null): string {
	const count =
		failed === 0 ? '' : `; ${failed} trial ${failed === 1 ? 'call has' : 'calls have'} failed since`;
	if (last === null) return count;
	if (last.kind === 'rate-limited') return `${count}; the last trial call was rate-limited${marks(last)}`;
	return `${count}${lastWords(last)}`;
}
