/** One chain: how its circuit stands, since when and why, what stands in, who tests it, and how often that happened. */
import { useId } from 'react';
import { standingOf } from '../../../shared/attention.ts';
import { exactNumber, sentenceWords } from '../../../shared/format.ts';
import { modelName } from '../../../shared/model-words.ts';
import type { ModelChainView } from '../../../shared/models-view.ts';
import { count } from '../../store/failover-words.ts';
import { moneyCallsWords, scopeWords, switchWords } from '../../store/model-words.ts';
import { Ago, Span } from '../../widgets/age.tsx';
import { CircuitGlyph } from '../../widgets/circuit-glyph.tsx';
import { SeverityGlyph } from '../../widgets/severity-glyph.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';
import { ChainButtons } from './chain-buttons.tsx';
import { ChainModels } from './chain-models.tsx';
import { ChainNow } from './chain-now.tsx';

/** `id`: of its heading, where the dialog may open. */
export function ChainCard({ chain, id }: { chain: ModelChainView; id: string }) {
	const nameId = useId();
	const providerId = useId();
	const { preferredModel, provider, state, openedAt, why, repositories } = chain;
	const labelledBy = provider === null ? nameId : `${nameId} ${providerId}`;
	const standing = standingOf(chain);
	return (
		<article
			className={`chain ${standing === 'preferred' ? 'chain-quiet' : 'chain-plate'}`}
			aria-labelledby={labelledBy}
			data-testid="model-chain"
			data-chain-id={chain.id}
			data-circuit={state}
			data-standing={standing}
		>
			<header className="chain-head" id={id} tabIndex={-1}>
				<CircuitGlyph standing={standing} />
				<h3 id={nameId}>
					<Untrusted text={preferredModel} limit={80} />
				</h3>
				{provider !== null && (
					<p id={providerId} data-testid="chain-provider">
						at <Untrusted text={provider} limit={40} line />
					</p>
				)}
				<p className={`chain-standing chain-${standing}`} data-testid="chain-standing">
					{switchWords(chain)}
				</p>
				{openedAt !== null && (
					<p className="quiet">
						since <Span since={openedAt} />
					</p>
				)}
			</header>
			<SpendLimit chain={chain} />
			{why !== '' && (
				<p data-testid="chain-why">
					<Untrusted text={sentenceWords(why)} limit={400} />
				</p>
			)}
			<ChainNow chain={chain} />
			<ChainModels chain={chain} />
			<ChainButtons chain={chain} labelledBy={labelledBy} />
			<Metrics chain={chain} />
			<p className="quiet">{scopeWords(chain)}.</p>
			<Repositories directories={repositories} />
		</article>
	);
}

/** Money, not time: what it is, who can help, and what goes on meanwhile. */
function SpendLimit({ chain }: { chain: ModelChainView }) {
	const { spendLimit } = chain;
	if (spendLimit === null) return null;
	const name = modelName(spendLimit.model);
	return (
		<div className="chain-money" data-testid="chain-spend-limit">
			<p>
				<SeverityGlyph severity="urgent" /> <strong>{name} has reached a spending limit.</strong>{' '}
				<span className="quiet">
					<Ago at={spendLimit.at} />
				</span>
			</p>
			{spendLimit.said !== '' && (
				<p>
					The provider said: “<Untrusted text={spendLimit.said} limit={300} />”
				</p>
			)}
			<p>
				This is money, not a rate limit: waiting does not help. Add credit or raise the limit in your account
				with the provider. {moneyCallsWords(chain)}
			</p>
		</div>
	);
}

/** The two counters of the state file, in words; their names there on hover. */
function Metrics({ chain: { metrics, preferredModel, consecutiveFailures } }: { chain: ModelChainView }) {
	const { totalFallbacks, totalRecoveries, lastFallbackAt, lastRecoveryAt } = metrics;
	return (
		<dl className="chain-metrics">
			<div title="totalFallbacks and lastFallbackAt in the state file" data-testid="chain-fallbacks">
				<dt>Fallbacks</dt>
				<dd>
					<Counted number={totalFallbacks} last={lastFallbackAt} />
				</dd>
				<dd className="quiet">
					how often a limit of {modelName(preferredModel)} opened the circuit
					{consecutiveFailures > 1 && `; ${count(consecutiveFailures, 'limit')} since the last success`}
				</dd>
			</div>
			<div title="totalRecoveries and lastRecoveryAt in the state file" data-testid="chain-recoveries">
				<dt>Recoveries</dt>
				<dd>
					<Counted number={totalRecoveries} last={lastRecoveryAt} />
				</dd>
				<dd className="quiet">how often two successes in a row closed it again</dd>
			</div>
		</dl>
	);
}

function Counted({ number, last }: { number: number; last: number | null }) {
	return (
		<>
			<b>{exactNumber(number)}</b>
			{last !== null && (
				<>
					, last <Ago at={last} />
				</>
			)}
		</>
	);
}

/** Whose state files say the same. */
function Repositories({ directories }: { directories: readonly string[] }) {
	if (directories.length === 0) return null;
	return (
		<details className="chain-repositories">
			<summary>
				{directories.length === 1 ? '1 repository shares it' : `${directories.length} repositories share it`}
			</summary>
			<ul>
				{directories.map((directory) => (
					<li key={directory}>
						<UntrustedPath path={directory} />
					</li>
				))}
			</ul>
		</details>
	);
}
