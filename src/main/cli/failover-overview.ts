/** What `agent-floor failover` prints: providers, local models, and everything that waits for a person. */
import type { ProviderView } from '../../shared/capability.ts';
import type { ConsentView, FailoverPopup } from '../../shared/failover-view.ts';
import { agoWords, spanWords } from '../../shared/format.ts';
import type { FloorSnapshot, FloorStatus } from '../../shared/snapshot.ts';
import { visibleText } from '../../shared/untrusted-text.ts';

/** The whole command is shown: nobody consents to what they cannot see. */
const COMMAND_LIMIT = 100_000;

export interface Overview extends Pick<FloorSnapshot, 'failover'> {
	readonly status: Pick<FloorStatus, 'tier' | 'tierReason'>;
	/** Ages and spans are told from here, on the floor's clock. */
	readonly at: number;
}

export function failoverOverview({ status, failover, at }: Overview): string {
	const { providers, localServers, capability, popups, outbox, consents } = failover;
	const lines = [`${status.tier}: ${visibleText(status.tierReason, { limit: 600 })}`, '', 'Providers'];
	for (const provider of providers)
		lines.push(`  ${short(provider.name).padEnd(16)} ${providerWords(provider, at)}`);
	lines.push('', 'Local servers');
	for (const { id, state, baseUrl, problem } of localServers) {
		lines.push(`  ${short(id).padEnd(16)} ${state.padEnd(13)} ${short(baseUrl)}${inBrackets(problem)}`);
	}
	for (const { id, fit, fitReason, context } of capability.localModels) {
		const tokens = context.inUse === null ? 'context unknown' : `${context.inUse} tokens of context`;
		lines.push(
			`    ${visibleText(id, { limit: 60 }).padEnd(40)} ${fit.padEnd(12)} ${tokens}; ${short(fitReason)}`,
		);
	}
	for (const popup of popups) {
		const advice = visibleText(popup.recommendation || popup.refusal, { limit: 600 });
		lines.push('', visibleText(popup.sentence, { limit: 600 }), `  ${heldWords(popup)}. ${advice}`);
	}
	if (consents.length > 0) lines.push('', consentsHeading(consents.length), consentList(consents, at));
	if (outbox.queued + outbox.uncertain > 0) {
		lines.push('', `Outbox: ${outbox.queued} queued, ${outbox.uncertain} uncertain.`);
	}
	return lines.join('\n');
}

/** One block a command, with its ID and how it is answered. `now` on the floor's clock. */
export function consentList(consents: readonly ConsentView[], now: number): string {
	return consents
		.map((consent) => {
			const left = consent.expiresAt - now;
			const time = left > 0 ? `${spanWords(left)} left` : 'its time is over';
			return `${commandWords(consent)}\n    ${time}: agent-floor failover allow|deny ${consent.id}`;
		})
		.join('\n');
}

/** Whose command it is, where it would run, what it is in full, and what it would do. */
export function commandWords({ agentName, directory, tool, target, why }: ConsentView): string {
	const place = directory === '' ? 'a directory that is not known' : short(directory);
	return [
		`  ${short(agentName)} in ${place}, ${short(tool)}`,
		indented(visibleText(target, { limit: COMMAND_LIMIT, multiline: true })),
		`    ${visibleText(why, { limit: 400 })}`,
	].join('\n');
}

export function turnsWords({ turns, providerName }: FailoverPopup): string {
	return `${turns.length === 1 ? '1 turn' : `${turns.length} turns`} of ${providerName}`;
}

function heldWords({ turns }: FailoverPopup): string {
	return turns.length === 1 ? '1 turn is held' : `${turns.length} turns are held`;
}

function providerWords(provider: ProviderView, now: number): string {
	const { remote, breaker, reason, lastSuccessAt, lastFailureAt, calls, rateLimited } = provider;
	const lastCallAt = Math.max(lastSuccessAt ?? 0, lastFailureAt ?? 0);
	const wasCalled = lastCallAt > 0 || calls + rateLimited > 0;
	if (remote === 'unknown' && breaker === 'closed' && reason === '') {
		if (!wasCalled) return 'no call yet';
		return lastCallAt > 0
			? `not known: last call ${agoWords(lastCallAt, now)}`
			: 'not known: no answer that says anything';
	}
	return `${remote.padEnd(13)} breaker ${breaker}${inBrackets(reason)}`;
}

function consentsHeading(count: number): string {
	return count === 1
		? '1 destructive command waits for your consent'
		: `${count} destructive commands wait for your consent`;
}

function inBrackets(text: string): string {
	return text === '' ? '' : `  (${visibleText(text)})`;
}

function short(text: string): string {
	return visibleText(text, { limit: 200 });
}

function indented(text: string): string {
	return text
		.split('\n')
		.map((line) => `    ${line}`)
		.join('\n');
}
