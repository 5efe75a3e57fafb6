/** What a changed setting would have done with what was recorded: beside it, and never for another value. */
import { useEffect, useState } from 'react';
import type { SettingsPatch } from '../../../shared/settings.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { useTimed } from '../../widgets/age.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';
import { askPreview, type PreviewAnswer } from './preview-asking.ts';
import { previewWords, sessionWords } from './preview-words.ts';

interface SettingEffectProps {
	patch: SettingsPatch;
	/** In words: as it is, and as it would be. */
	from: string;
	to: string;
}

export function SettingEffect({ patch, from, to }: SettingEffectProps) {
	const { transport } = useFloorContext();
	const question = JSON.stringify([patch, from]);
	const [told, setTold] = useState<{ question: string; answer: PreviewAnswer } | null>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: `question` is the patch by its value
	useEffect(
		() => askPreview(transport, patch, (answer) => setTold({ question, answer })),
		[transport, question],
	);
	const answer = told?.question === question ? told.answer : null;
	return (
		<div className="setting-effect" role="status" data-testid="setting-effect" aria-busy={answer === null}>
			{answer === null ? (
				<p className="quiet">Playing what was recorded with {to}…</p>
			) : (
				<EffectAnswer answer={answer} from={from} to={to} />
			)}
		</div>
	);
}

interface EffectAnswerProps {
	answer: PreviewAnswer;
	from: string;
	to: string;
}

export function EffectAnswer({ answer, from, to }: EffectAnswerProps) {
	const { clock } = useFloorContext();
	const words = useTimed((now) =>
		answer.kind === 'told' ? previewWords(answer.preview, from, to, now) : '',
	);
	if (answer.kind === 'failed') {
		const { message, remedy } = answer.error;
		return (
			<p className="soft">
				What it would have done is not known: <Untrusted text={`${message} ${remedy}`.trim()} limit={400} />
			</p>
		);
	}
	const { changed, changedSessions, notes } = answer.preview;
	return (
		<>
			<p>{words}</p>
			{changed.length > 0 && (
				<details>
					<summary>
						{changed.length < changedSessions
							? `The ${changed.length} most telling sessions`
							: 'Which sessions'}
					</summary>
					<ul className="effect-sessions">
						{changed.map((session) => (
							<li key={session.sessionId}>
								<p>
									<Untrusted text={session.name} limit={80} /> {sessionWords(session, clock.now())}
								</p>
								<UntrustedPath path={session.directory} />
							</li>
						))}
					</ul>
				</details>
			)}
			{notes.map((note) => (
				<p key={note} className="quiet">
					<Untrusted text={note} limit={300} />
				</p>
			))}
		</>
	);
}
