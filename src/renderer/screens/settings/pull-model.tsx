/** Asks a local server to fetch a model, through its own pull API and the outbox. */
import { type FormEvent, useId, useState } from 'react';
import type { LocalServerSettings } from '../../../shared/failover-settings.ts';
import { serverKindWords, serverWords } from '../../store/failover-words.ts';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import { useRequest } from '../../store/use-request.ts';
import { Failure } from '../../widgets/failure.tsx';

export function PullModel({ servers }: { servers: readonly LocalServerSettings[] }) {
	const { view } = useFloorContext();
	const seen = useFailover((failover) => failover.localServers);
	const [serverId, setServerId] = useState(servers[0]?.id ?? '');
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
	const stateOf = (id: string) => serverWords[seen.find((server) => server.id === id)?.state ?? 'unknown'];
	return (
		<section className="setting-group" data-testid="pull-model">
			<h3>Fetch a local model</h3>
			<p className="soft">
				The local server downloads it itself. It goes on in the outbox, also after a restart.
			</p>
			<form className="caps-add" onSubmit={pull}>
				<div>
					<label htmlFor={modelField} className="field-label">
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
					<label htmlFor={serverField} className="field-label">
						Server
					</label>
					<select
						id={serverField}
						className="field"
						value={serverId}
						onChange={(event) => setServerId(event.currentTarget.value)}
					>
						{servers.map(({ id, kind }) => (
							<option key={id} value={id}>
								{serverKindWords[kind]}, {stateOf(id)}
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
