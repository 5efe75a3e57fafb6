/** What a chain waits for, and who tests it. Without the engine nothing counts down. */
import { standingOf } from '../../../shared/attention.ts';
import { minuteWords } from '../../../shared/format.ts';
import { modelName } from '../../../shared/model-words.ts';
import type { ModelChainView } from '../../../shared/models-view.ts';
import { useFloorContext, useLostSince } from '../../store/floor-context.tsx';
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

/** The whole chain is limited. */
function Waiting({ chain }: { chain: ModelChainView }) {
	const { waitUntil } = chain;
	if (standingOf({ ...chain, spendLimit: null }) !== 'exhausted') return null;
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
	if (probe === null) return `The next call tests ${name}.`;
	return (
		<>
			<strong>
				<Untrusted text={probe.holder} limit={120} />
			</strong>{' '}
			makes the test call, since <Span since={probe.since} />.
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

/** "… at 17:15, in 5 m 48 s". */
function Due({ at, before, due }: DueProps) {
	const { clock } = useFloorContext();
	const isDue = useTimed((now) => at <= now);
	const lost = useLostSince() !== null;
	const time = `${before} ${minuteWords(at, clock.now())}`;
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
