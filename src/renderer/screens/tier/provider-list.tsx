/** Every provider: what is known of it, since when, and when it is tried next. */
import type { ProviderView } from '../../../shared/capability.ts';
import { callDurationWords, sentenceWords } from '../../../shared/format.ts';
import { breakerWords, callsWords, remoteWords } from '../../store/failover-words.ts';
import { Ago, Left, useTimed } from '../../widgets/age.tsx';
import { type Presence, PresenceGlyph } from '../../widgets/glyphs.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

const presences: Record<ProviderView['remote'], Presence> = {
	reachable: 'yes',
	unreachable: 'no',
	unauthorised: 'barred',
	unknown: 'unknown',
};

export function ProviderList({ providers }: { providers: readonly ProviderView[] }) {
	if (providers.length === 0) return <p className="soft">No provider is set up.</p>;
	return (
		<ul className="panel-list">
			{providers.map((provider) => (
				<Provider key={provider.id} provider={provider} />
			))}
		</ul>
	);
}

function Provider({ provider }: { provider: ProviderView }) {
	const { id, name, remote, breaker, reason, lastSuccessAt, lastFailureAt, p95LatencyMs } = provider;
	return (
		<li data-testid="provider" data-provider={id} data-remote={remote} data-breaker={breaker}>
			<p className="panel-name">
				<PresenceGlyph presence={presences[remote]} />
				<strong>
					<Untrusted text={name} limit={60} />
				</strong>{' '}
				{remoteWords[remote]}
			</p>
			{reason !== '' && (
				<p>
					<Untrusted text={sentenceWords(reason)} limit={300} />
				</p>
			)}
			<p className="soft">
				{lastSuccessAt === null ? (
					'no answer yet'
				) : (
					<>
						last answer <Ago at={lastSuccessAt} />
					</>
				)}
				{lastFailureAt !== null && (
					<>
						, last failure <Ago at={lastFailureAt} />
					</>
				)}
				; {callsWords(provider)}
				{p95LatencyMs !== null && `, p95 ${callDurationWords(p95LatencyMs)} to the first byte`};{' '}
				{breakerWords[breaker]}
				<NextTrial provider={provider} />
			</p>
		</li>
	);
}

function NextTrial({ provider: { nextTrialAt, retryAfterUntil } }: { provider: ProviderView }) {
	const due = useTimed((now) => nextTrialAt !== null && nextTrialAt <= now);
	const told = useTimed((now) => retryAfterUntil !== null && retryAfterUntil > now);
	return (
		<>
			{nextTrialAt !== null &&
				(due ? (
					', the next call is a trial'
				) : (
					<>
						, next trial in <Left until={nextTrialAt} />
					</>
				))}
			{told && retryAfterUntil !== null && (
				<>
					; it asked not to be called for <Left until={retryAfterUntil} />
				</>
			)}
		</>
	);
}
