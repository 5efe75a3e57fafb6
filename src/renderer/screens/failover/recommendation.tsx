/** The model that is recommended, and the four scores that say why (seed 003, section 3.2). */
import type { Candidate, ScorePart } from '../../../shared/failover-view.ts';
import { partWords, scoreWords } from '../../store/failover-words.ts';
import { ShareBar } from '../../widgets/share-bar.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './recommendation.css';

const SENTENCE_LIMIT = 400;

export function Recommendation({ text, candidate }: { text: string; candidate: Candidate }) {
	return (
		<div className="recommendation" data-testid="recommendation">
			<p className="recommendation-words">
				<Emphasised text={text} name={candidate.model} />
			</p>
			<ScoreParts parts={candidate.parts} />
			{candidate.cold && <p className="soft">It is not loaded: the first answer takes a while longer.</p>}
		</div>
	);
}

/** The sentence with the model's name standing out. */
function Emphasised({ text, name }: { text: string; name: string }) {
	const at = name === '' ? -1 : text.indexOf(name);
	if (at < 0) return <Untrusted text={text} limit={SENTENCE_LIMIT} />;
	return (
		<>
			<Untrusted text={text.slice(0, at)} limit={SENTENCE_LIMIT} />
			<strong>
				<Untrusted text={name} limit={80} />
			</strong>
			<Untrusted text={text.slice(at + name.length)} limit={SENTENCE_LIMIT} />
		</>
	);
}

export function ScoreParts({ parts }: { parts: readonly ScorePart[] }) {
	return (
		<ul className="score-parts">
			{parts.map(({ part, score, why }) => (
				<li key={part}>
					<span>{partWords[part]}</span>
					<ShareBar share={score} />
					<span className="score figures">
						{scoreWords(score)}
						<span className="unseen"> of 100</span>
					</span>
					<span className="soft">
						<Untrusted text={why} limit={160} />
					</span>
				</li>
			))}
		</ul>
	);
}
