/** The operator's own words to the model. */
import { type FormEvent, useId, useRef, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { useAgent, useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

/** What the channel takes. */
const LONGEST = 4000;

export function SteerDialog({ agentId }: { agentId: string }) {
	const { transport, view } = useFloorContext();
	const agent = useAgent(agentId);
	const [words, setWords] = useState('');
	const [sending, setSending] = useState(false);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const fieldId = useId();
	const field = useRef<HTMLTextAreaElement>(null);
	const close = () => view.setState({ dialog: null });
	const send = async (event?: FormEvent) => {
		event?.preventDefault();
		if (sending || words.trim() === '') return;
		setSending(true);
		setError(null);
		try {
			await transport.request('control:steer', { agentId, words });
			close();
		} catch (cause) {
			setError(channelErrorOf(cause));
			setSending(false);
		}
	};
	return (
		<DialogFrame
			testId="steer-dialog"
			title={
				<>
					Steer <Untrusted text={agent?.name ?? 'an agent that is no longer known'} limit={80} />
				</>
			}
			description="Your words reach the model with its next reply that can carry them, usually at its next tool call. Until then they are queued."
			onClose={close}
			onOpenAutoFocus={(event) => {
				event.preventDefault();
				field.current?.focus();
			}}
		>
			<form className="dialog-body" onSubmit={send}>
				<div>
					<label htmlFor={fieldId} className="unseen">
						Your words
					</label>
					<textarea
						ref={field}
						id={fieldId}
						className="field"
						rows={5}
						maxLength={LONGEST}
						value={words}
						placeholder="What should it know or do differently?"
						onChange={(event) => setWords(event.currentTarget.value)}
						onKeyDown={(event) => {
							if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
						}}
					/>
				</div>
				{error && <Failure error={error} />}
				<div className="dialog-foot">
					<button type="button" className="button button-large" onClick={close}>
						Cancel
					</button>
					<button
						type="submit"
						className="button button-large button-main"
						disabled={words.trim() === ''}
						aria-busy={sending}
						title="Ctrl+Enter"
					>
						Send note
					</button>
				</div>
			</form>
		</DialogFrame>
	);
}
