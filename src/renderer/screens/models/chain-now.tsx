/** What a chain waits for, and who tests it. Without the engine nothing counts down. */
import { nextCallTests } from '../../../shared/attention.ts';
import { modelName } from '../../../shared/model-words.ts';
import type { ModelChainView } from '../../../shared/models-view.ts';
import { useLostSince } from '../../store/floor-context.tsx';
import { dueWords } from '../../store/model-words.ts';
import { Left, Span, useTimed } from '../../widgets/age.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

/** Nothing while the preferred model is in use. */
export function ChainNow({ chain }: { chain: ModelChainView }) {
	if (chain.state === 'closed') return null;
	return (
		<p className="chain-now" data-testid="chain-now">
			<Waiting chain={chain} />
			{chain.held ? (
				`${modelName(chain.preferredModel)} is not tested until you let it recover.`
			) : (
				<Recovery chain={chain} />
			)}
		</p>
	);
}

/** Nothing can be asked, and no test call decides. */
function Waiting({ chain }: { chain: ModelChainView }) {
	const { waitUntil, probe } = chain;
	if (!isStuck(chain) || nextCallTests(chain) || probe !== null) return null;
	return (
		<>
			<strong>
				{waitUntil === null ? (
					'Callers wait'
				) : (
					<Due at={waitUntil} before="Callers wait until" due="One of its models is free now" />
				)}
				.
			</strong>{' '}
		</>
	);
}

/** No fallback can be asked. Where there is none, calls go to the preferred model all the same. */
function isStuck({ fallbackChain, modelInUse }: ModelChainView): boolean {
	return fallbackChain.length > 0 && modelInUse === null;
}

function Recovery({ chain }: { chain: ModelChainView }) {
	const { preferredModel, state, resumeAt, probe } = chain;
	const name = modelName(preferredModel);
	if (state === 'open' && resumeAt !== null) {
		return (
			<>
				<Due at={resumeAt} before={`${name} is tested at`} due={`The next call tests ${name}`} />.
			</>
		);
	}
	if (probe === null) {
		return isStuck(chain)
			? `The next call tests ${name}; the others wait for it.`
			: `The next call tests ${name}.`;
	}
	return (
		<>
			<strong>
				<Untrusted text={probe.holder} limit={120} />
			</strong>{' '}
			makes the test call, since <Span since={probe.since} />.
			{isStuck(chain) && ' The others wait until it has ended or a fallback is free.'}
		</>
	);
}

interface DueProps {
	at: number;
	/** Stands before the time. */
	before: string;
	/** Said instead once the time is over. */
	due: string;
}

/** "… at 17:14:36, in 5 m 48 s". */
function Due({ at, before, due }: DueProps) {
	const when = useTimed((now) => dueWords(at, now));
	const isDue = useTimed((now) => at <= now);
	const lost = useLostSince() !== null;
	const time = `${before} ${when}`;
	if (lost) return `${time}, as last known`;
	if (isDue) return due;
	return (
		<>
			{time}, in{' '}
			<span data-testid="chain-countdown">
				<Left until={at} />
			</span>
		</>
	);
}
