/** Every chain of models: which is limited, what stands in, until when, and what the operator can do about it. */
import { chainsToRead } from '../../../shared/attention.ts';
import type { ModelsView } from '../../../shared/models-view.ts';
import { useFloorContext, useLostSince, useModels, useStatus } from '../../store/floor-context.tsx';
import { modelsSummary } from '../../store/model-words.ts';
import { useSteadyOrder } from '../../store/use-steady-order.ts';
import { Ago } from '../../widgets/age.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';
import { ChainCard } from './chain-card.tsx';
import './models-dialog.css';

/** `chainId`: the chain that it opens at; `null`: at its top. */
export function ModelsDialog({ chainId }: { chainId: string | null }) {
	const { view } = useFloorContext();
	const models = useModels((whole) => whole);
	const known = useStatus() !== null;
	const lostSince = useLostSince();
	return (
		<DialogFrame
			shape="wide"
			testId="models-dialog"
			title="Rate limits"
			description={
				<>
					{known ? modelsSummary(models) : 'Not known yet.'}{' '}
					{lostSince !== null && (
						<>
							Last known <Ago at={lostSince} />: the engine does not answer.{' '}
						</>
					)}
					What one caller learns of a model holds for every agent and loop on this machine.
				</>
			}
			onClose={() => view.setState({ dialog: null })}
			onOpenAutoFocus={(event) => {
				const card = chainId === null ? null : document.getElementById(cardId(chainId));
				if (card === null) return;
				event.preventDefault();
				card.focus();
				card.scrollIntoView({ block: 'nearest' });
			}}
		>
			<div className="dialog-body">
				<ModelsPage />
			</div>
		</DialogFrame>
	);
}

/** The inside of the dialog. */
export function ModelsPage() {
	const models = useModels((whole) => whole);
	const toRead = chainsToRead(models);
	const order = useSteadyOrder(toRead.map(({ id }) => id));
	const chains = order.flatMap((id) => toRead.filter((chain) => chain.id === id));
	return (
		<>
			<Problems problems={models.problems} />
			{chains.length === 0 && (
				<p className="soft">
					No chain is set up, and no model was seen limited. A chain names a preferred model and what may
					stand in for it: <code className="mono">models.chains</code> in the settings file.
				</p>
			)}
			{chains.length > 0 && (
				<ul className="chains">
					{chains.map((chain) => (
						<li key={chain.id}>
							<ChainCard chain={chain} id={cardId(chain.id)} />
						</li>
					))}
				</ul>
			)}
		</>
	);
}

function cardId(chainId: string): string {
	return `chain-${encodeURIComponent(chainId)}`;
}

/** State files of repositories that the floor could not use. */
function Problems({ problems }: Pick<ModelsView, 'problems'>) {
	if (problems.length === 0) return null;
	return (
		<section className="failure chain-problems" aria-label="Problems with state files">
			<strong>
				{problems.length === 1 ? 'A state file' : `${problems.length} state files`} could not be used
			</strong>
			<ul>
				{problems.map(({ file, problem, at }) => (
					<li key={`${file} ${at}`} data-testid="model-problem">
						<UntrustedPath path={file} />
						<p>
							<Untrusted text={problem} limit={400} />{' '}
							<span className="quiet">
								<Ago at={at} />
							</span>
						</p>
					</li>
				))}
			</ul>
		</section>
	);
}
