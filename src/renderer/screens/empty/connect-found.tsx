/**
 * Connecting everything that was found, at one go: which programs, then every change, then one button, and how each one
 * went. Nothing is written before all of it was on screen.
 */
import { useEffect, useRef, useState } from 'react';
import type { ChannelErrorData, HookPlan } from '../../../shared/channels.ts';
import type { Connection } from '../../../shared/connection-view.ts';
import { clientWords } from '../../../shared/format.ts';
import type { HookClient } from '../../../shared/words.ts';
import { count } from '../../store/failover-words.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { DiffView } from '../../widgets/diff-view.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { PresenceGlyph } from '../../widgets/glyphs.tsx';
import { commandOf } from '../../widgets/hooks-panel.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { isConnectable } from '../connections/connection-words.ts';

/** How one program was answered for. */
export type Answer =
	| { readonly kind: 'plan'; readonly plan: HookPlan }
	| { readonly kind: 'failed'; readonly error: ChannelErrorData };

type Answers = ReadonlyMap<HookClient, Answer>;

type Step =
	| { readonly kind: 'choosing' }
	| { readonly kind: 'asking'; readonly what: 'plans' | 'writes' }
	| { readonly kind: 'planned'; readonly plans: Answers }
	| { readonly kind: 'done'; readonly results: Answers };

interface ConnectFoundProps {
	/** Those that are on this machine. */
	found: readonly Connection[];
	/** Something was written. */
	onChanged: () => void;
}

export function ConnectFound({ found, onChanged }: ConnectFoundProps) {
	const { transport } = useFloorContext();
	const [left, setLeft] = useState<ReadonlySet<HookClient>>(new Set());
	const [step, setStep] = useState<Step>({ kind: 'choosing' });
	const offered = found.filter(isConnectable).map(({ client }) => client);
	const chosen = offered.filter((client) => !left.has(client));
	const ask = async (channel: 'hooks:plan' | 'hooks:apply', clients: readonly HookClient[]) => {
		const answers = new Map<HookClient, Answer>();
		// One after the other: each is told, whatever became of the one before.
		for (const client of clients) {
			try {
				answers.set(client, { kind: 'plan', plan: await transport.request(channel, { client }) });
			} catch (cause) {
				answers.set(client, { kind: 'failed', error: channelErrorOf(cause) });
			}
		}
		return answers;
	};
	const plan = async () => {
		setStep({ kind: 'asking', what: 'plans' });
		setStep({ kind: 'planned', plans: await ask('hooks:plan', chosen) });
	};
	const write = async (clients: readonly HookClient[]) => {
		setStep({ kind: 'asking', what: 'writes' });
		setStep({ kind: 'done', results: await ask('hooks:apply', clients) });
		onChanged();
	};
	const toggle = (client: HookClient) => {
		const next = new Set(left);
		if (!next.delete(client)) next.add(client);
		setLeft(next);
	};
	if (step.kind === 'planned') {
		return (
			<FoundPlans
				plans={step.plans}
				left={left}
				onToggle={toggle}
				onWrite={(clients) => void write(clients)}
				onBack={() => setStep({ kind: 'choosing' })}
			/>
		);
	}
	if (step.kind === 'done') return <FoundResults results={step.results} />;
	const asking = step.kind === 'asking';
	return (
		<fieldset className="found" data-testid="found-programs">
			<legend>Found on this machine</legend>
			<ul>
				{found.map((connection) => (
					<FoundProgram
						key={connection.client}
						connection={connection}
						ticked={!left.has(connection.client)}
						onToggle={() => toggle(connection.client)}
					/>
				))}
			</ul>
			{offered.length > 0 && (
				<button
					type="button"
					className="button button-large button-main"
					data-testid="connect-found"
					disabled={chosen.length === 0}
					aria-busy={asking}
					onClick={() => void plan()}
				>
					{asking && step.what === 'writes' ? 'Writing…' : `Connect ${whatWords(chosen)}…`}
				</button>
			)}
			{offered.length > 0 && (
				<p className="soft">You see every change first; nothing is written before that.</p>
			)}
		</fieldset>
	);
}

/** "Claude Code", "3 programs". */
function whatWords(clients: readonly HookClient[]): string {
	const [only] = clients;
	return clients.length === 1 && only !== undefined ? clientWords(only) : count(clients.length, 'program');
}

interface FoundProgramProps {
	connection: Connection;
	ticked: boolean;
	onToggle: () => void;
}

function FoundProgram({ connection, ticked, onToggle }: FoundProgramProps) {
	const { client, status, foundAt, problem } = connection;
	const name = clientWords(client);
	if (!isConnectable(connection)) {
		return (
			<li>
				<PresenceGlyph presence={status === 'installed' ? 'yes' : 'no'} /> <strong>{name}</strong>{' '}
				{status === 'installed' ? 'is connected' : <Untrusted text={problem} limit={300} />}
			</li>
		);
	}
	return (
		<li>
			<label className="check">
				<input type="checkbox" checked={ticked} onChange={onToggle} />
				<span>
					<strong>{name}</strong>{' '}
					<span className="soft">
						<Untrusted text={foundAt} limit={200} mono />
					</span>
				</span>
			</label>
		</li>
	);
}

interface FoundPlansProps {
	plans: Answers;
	left: ReadonlySet<HookClient>;
	onToggle: (client: HookClient) => void;
	onWrite: (clients: readonly HookClient[]) => void;
	onBack: () => void;
}

/** Every change, before anything is written. */
export function FoundPlans({ plans, left, onToggle, onWrite, onBack }: FoundPlansProps) {
	const heading = useRef<HTMLParagraphElement>(null);
	// Not the button: a key held down on the one before would answer what nobody has read yet.
	useEffect(() => heading.current?.focus(), []);
	const ready = [...plans].flatMap(([client, answer]) => (changes(answer) ? [client] : []));
	const chosen = ready.filter((client) => !left.has(client));
	return (
		<div className="found" data-testid="found-plans">
			<p ref={heading} tabIndex={-1} className="hooks-heading">
				This will be added. Each file is backed up first, and everything else in it stays as it is.
			</p>
			<ul className="found-plans">
				{[...plans].map(([client, answer]) => (
					<li key={client}>
						<FoundPlan
							client={client}
							answer={answer}
							ticked={!left.has(client)}
							onToggle={() => onToggle(client)}
						/>
					</li>
				))}
			</ul>
			<div className="hooks-buttons">
				<button
					type="button"
					className="button button-large button-main"
					data-testid="connect-write"
					disabled={chosen.length === 0}
					onClick={() => onWrite(chosen)}
				>
					Connect {whatWords(chosen)}
				</button>
				<button type="button" className="button button-large" onClick={onBack}>
					Cancel
				</button>
			</div>
		</div>
	);
}

function changes(answer: Answer): boolean {
	return answer.kind === 'plan' && answer.plan.status !== 'unreadable' && answer.plan.diff !== '';
}

interface FoundPlanProps {
	client: HookClient;
	answer: Answer;
	ticked: boolean;
	onToggle: () => void;
}

function FoundPlan({ client, answer, ticked, onToggle }: FoundPlanProps) {
	const name = clientWords(client);
	if (answer.kind === 'failed') {
		return (
			<>
				<strong>{name}</strong>
				<Failure error={answer.error} />
			</>
		);
	}
	const { file, problem, diff } = answer.plan;
	return (
		<>
			{changes(answer) ? (
				<label className="check">
					<input type="checkbox" checked={ticked} onChange={onToggle} />
					<span>
						<strong>{name}</strong>{' '}
						<span className="soft">
							<Untrusted text={file} limit={400} mono />
						</span>
					</span>
				</label>
			) : (
				<p>
					<strong>{name}</strong> is left as it is.
				</p>
			)}
			{problem !== '' && (
				<p className="hooks-problem">
					<Untrusted text={problem} limit={600} />
				</p>
			)}
			{changes(answer) && <DiffView diff={diff} label={`What will change for ${name}`} />}
		</>
	);
}

/** How each one went. What failed says what to do. */
export function FoundResults({ results }: { results: Answers }) {
	const heading = useRef<HTMLParagraphElement>(null);
	useEffect(() => heading.current?.focus(), []);
	const connected = [...results].filter(([, answer]) => isConnected(answer)).map(([client]) => client);
	return (
		<div className="found" data-testid="found-results">
			<p ref={heading} tabIndex={-1} className="hooks-heading" role="status">
				{connected.length === results.size
					? `Connected: ${connected.map(clientWords).join(', ')}.`
					: `${connected.length} of ${count(results.size, 'program')} connected.`}
			</p>
			<ul className="found-plans">
				{[...results].map(([client, answer]) => (
					<li key={client} data-testid={`result-${client}`}>
						<FoundResult client={client} answer={answer} />
					</li>
				))}
			</ul>
		</div>
	);
}

function isConnected(answer: Answer): boolean {
	return answer.kind === 'plan' && answer.plan.status === 'installed';
}

function FoundResult({ client, answer }: { client: HookClient; answer: Answer }) {
	const name = clientWords(client);
	if (answer.kind === 'failed') {
		return (
			<>
				<strong>{name} was not connected.</strong>
				<Failure error={answer.error} />
			</>
		);
	}
	const { file, problem } = answer.plan;
	return (
		<>
			<p>
				<PresenceGlyph presence={isConnected(answer) ? 'yes' : 'no'} /> <strong>{name}</strong>{' '}
				{isConnected(answer) ? (
					<>
						is connected: start <code className="mono">{commandOf[client]}</code> in any directory.
					</>
				) : (
					'is not heard yet.'
				)}
			</p>
			{problem !== '' && (
				<p className="hooks-problem">
					<Untrusted text={problem} limit={600} />
				</p>
			)}
			<p className="quiet">
				<Untrusted text={file} limit={400} mono />
			</p>
		</>
	);
}
