/** Stopping an agent: refuse its calls (undone by Resume), or also end its process (not undone). */
import { type FormEvent, useId, useRef, useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { useAgent, useFloorContext } from '../../store/floor-context.tsx';
import { offerOrderUndo } from '../../store/take-action.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './stop-dialog.css';

export function StopDialog({ agentId }: { agentId: string }) {
	const { transport, view, floor } = useFloorContext();
	const agent = useAgent(agentId);
	const [endProcess, setEndProcess] = useState(false);
	const [words, setWords] = useState('');
	const [asking, setAsking] = useState(false);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const safe = useRef<HTMLInputElement>(null);
	const wordsId = useId();
	const close = () => view.setState({ dialog: null });
	const stop = async (event: FormEvent) => {
		event.preventDefault();
		if (asking) return;
		setAsking(true);
		setError(null);
		try {
			const said = words.trim();
			const stopped = await transport.request('control:stop', {
				agentId,
				endProcess,
				...(said === '' ? {} : { words: said }),
			});
			close();
			// A process that was ended does not come back.
			if (agent && !endProcess) offerOrderUndo({ transport, view, floor }, agent, stopped);
		} catch (cause) {
			setError(channelErrorOf(cause));
			setAsking(false);
		}
	};
	return (
		<DialogFrame
			testId="stop-dialog"
			title={
				<>
					Stop <Untrusted text={agent?.name ?? 'an agent that is no longer known'} limit={80} />?
				</>
			}
			description="It stays stopped, also over a restart, until you resume it. Its working tree is never touched."
			onClose={close}
			onOpenAutoFocus={(event) => {
				// The focus starts on the choice that can be undone.
				event.preventDefault();
				safe.current?.focus();
			}}
		>
			<form className="dialog-body" onSubmit={stop}>
				<fieldset className="choices">
					<legend className="unseen">How to stop it</legend>
					<label className="choice">
						<input
							ref={safe}
							type="radio"
							name="how"
							checked={!endProcess}
							onChange={() => setEndProcess(false)}
						/>
						<span>
							<strong>Refuse every tool call and prompt</strong>
							<span className="soft">The process stays. Resume undoes it.</span>
						</span>
					</label>
					<label className="choice">
						<input type="radio" name="how" checked={endProcess} onChange={() => setEndProcess(true)} />
						<span>
							<strong>Also end its process tree</strong>
							<span className="soft">{processWords(agent)} This cannot be undone.</span>
						</span>
					</label>
				</fieldset>
				<div>
					<label htmlFor={wordsId} className="field-label">
						Why, for the model to read (optional)
					</label>
					<input
						id={wordsId}
						className="field"
						maxLength={4000}
						value={words}
						onChange={(event) => setWords(event.currentTarget.value)}
					/>
				</div>
				{error && <Failure error={error} />}
				<div className="dialog-foot">
					<button type="button" className="button button-large" onClick={close}>
						Cancel
					</button>
					<button
						type="submit"
						className={`button button-large ${endProcess ? 'button-grave' : 'button-main'}`}
						aria-busy={asking}
					>
						{endProcess ? 'Stop and end process' : 'Stop'}
					</button>
				</div>
			</form>
		</DialogFrame>
	);
}

function processWords(agent: AgentView | null): string {
	const process = agent?.process;
	if (!process) return 'Its process is not known, so it can probably not be ended from here.';
	if (process.alive === false) return `Process ${process.pid} was seen gone.`;
	return `Process ${process.pid} and everything it started.`;
}
