/** Asks a local server to fetch a model, through its own pull API and the outbox. */
import { type FormEvent, useId, useState } from 'react';
import type { LocalServerView } from '../../../shared/capability.ts';
import { serverKindWords, serverWords } from '../../store/failover-words.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { useRequest } from '../../store/use-request.ts';
import { Failure } from '../../widgets/failure.tsx';

export function PullModel({ servers }: { servers: readonly LocalServerView[] }) {
	const { view } = useFloorContext();
	const [chosen, setChosen] = useState<string | null>(null);
	const serverId = chosen ?? servers[0]?.id ?? '';
	const [model, setModel] = useState('');
	const [asked, setAsked] = useState(false);
	const asking = useRequest();
	const serverField = useId();
	const modelField = useId();
	const ready = serverId !== '' && model.trim() !== '';
	const pull = async (event: FormEvent) => {
		event.preventDefault();
		if (!ready) return;
		setAsked(false);
		if ((await asking.ask('pull', 'models:pull', { serverId, model: model.trim() })) === null) return;
		setModel('');
		setAsked(true);
	};
	return (
		<section className="connection-part" data-testid="pull-model">
			<h4>Fetch a local model</h4>
			<p className="soft">
				The local server downloads it itself. It goes on in the outbox, also after a restart.
			</p>
			<form className="pull-form" onSubmit={pull}>
				<div>
					<label htmlFor={modelField} className="pull-label">
						Model, as the server names it
					</label>
					<input
						id={modelField}
						className="field"
						spellCheck={false}
						autoComplete="off"
						maxLength={600}
						value={model}
						onChange={(event) => setModel(event.currentTarget.value)}
					/>
				</div>
				<div>
					<label htmlFor={serverField} className="pull-label">
						Server
					</label>
					<select
						id={serverField}
						className="field"
						value={serverId}
						onChange={(event) => setChosen(event.currentTarget.value)}
					>
						{servers.map(({ id, kind, state }) => (
							<option key={id} value={id}>
								{serverKindWords[kind]}, {serverWords[state]}
							</option>
						))}
					</select>
				</div>
				<button
					type="submit"
					className="button button-large"
					disabled={!ready}
					aria-busy={asking.pending !== null}
				>
					Fetch
				</button>
			</form>
			{asked && (
				<p role="status">
					It is in the outbox.{' '}
					<button
						type="button"
						className="button"
						onClick={() => view.setState({ dialog: { kind: 'outbox' } })}
					>
						Open the outbox
					</button>
				</p>
			)}
			{asking.error && <Failure error={asking.error} onDismiss={asking.forget} />}
		</section>
	);
}
