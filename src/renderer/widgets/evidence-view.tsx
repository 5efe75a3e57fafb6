/** What the ladder counted: enough for a person to check the verdict. */
import type { Evidence } from '../../shared/breaker-state.ts';
import { evidenceCountWords } from '../../shared/format.ts';
import type { BreakerLevel } from '../../shared/words.ts';
import { Ago, ClockTime } from './age.tsx';
import { Meter } from './meter.tsx';
import { Untrusted } from './untrusted.tsx';
import './evidence-view.css';

interface EvidenceProps {
	evidence: Evidence;
	level: BreakerLevel;
}

export function EvidenceView(props: EvidenceProps) {
	return (
		<div className="evidence">
			<EvidenceCount {...props} />
			<EvidenceOccurrences evidence={props.evidence} />
		</div>
	);
}

/** How many of how many, and since when. */
export function EvidenceCount({ evidence, level }: EvidenceProps) {
	return (
		<>
			<p className="evidence-count">
				<Meter count={evidence.count} limit={evidence.limit} level={level} />
				<span className="nowrap figures">{evidenceCountWords(evidence)}</span>
			</p>
			<p className="quiet">
				since <Ago at={evidence.since} />, last <Ago at={evidence.lastAt} />
			</p>
		</>
	);
}

/** What was counted, the last three, and what clears it. */
export function EvidenceOccurrences({ evidence }: { evidence: Evidence }) {
	return (
		<div className="evidence-last">
			<p>
				<Untrusted text={evidence.counted} limit={240} />
			</p>
			{evidence.lastOccurrences.length > 0 && (
				<ul>
					{evidence.lastOccurrences.map((occurrence, index) => (
						// The three have no identity of their own; they are replaced together.
						// biome-ignore lint/suspicious/noArrayIndexKey: see above
						<li key={index}>
							<span className="quiet">
								<ClockTime at={occurrence.at} />
							</span>
							<Untrusted text={occurrence.text} limit={240} mono line />
						</li>
					))}
				</ul>
			)}
			<p>
				Clears: <Untrusted text={evidence.clears} limit={300} />
			</p>
		</div>
	);
}
