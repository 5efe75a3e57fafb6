/**
 * Connecting an agent program, and taking the connection back: the plan is shown as a diff before anything is written, and
 * what was found on disk afterwards is what is reported.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChannelErrorData, HookPlan } from '../../shared/channels.ts';
import { clientWords } from '../../shared/format.ts';
import type { HookClient } from '../../shared/words.ts';
import { useFloorContext, useStatus } from '../store/floor-context.tsx';
import { channelErrorOf } from '../transport/transport-errors.ts';
import { DiffView } from './diff-view.tsx';
import { Failure } from './failure.tsx';
import { Untrusted } from './untrusted.tsx';
import './hooks-panel.css';

type Step =
	| { readonly kind: 'rest' }
	| { readonly kind: 'asking' }
	| { readonly kind: 'planned'; readonly plan: HookPlan; readonly remove: boolean }
	| { readonly kind: 'done'; readonly plan: HookPlan; readonly remove: boolean };

/** What a person types to start it. */
const commandOf: Readonly<Record<HookClient, string>> = {
	'claude-code': 'claude',
	codex: 'codex',
	'gemini-cli': 'gemini',
	'copilot-cli': 'copilot',
	opencode: 'opencode',
	'qwen-code': 'qwen',
	cursor: 'cursor',
};

const statusWords = {
	installed: 'Connected: every session reports here.',
	partly: 'Partly connected: some events do not reach the floor.',
	absent: 'Not connected.',
	unreadable: 'Its settings file cannot be read, so it was left alone.',
	unknown: 'Not looked at yet.',
} as const;

interface HooksPanelProps {
	client?: HookClient;
	/** The connect button is what this place is for. */
	main?: boolean;
	/** Asked for already: the change is shown at once. */
	planFirst?: boolean;
	/** Where the place goes away when the change is not wanted. */
	onCancel?: () => void;
}

export function HooksPanel({
	client = 'claude-code',
	main = false,
	planFirst = false,
	onCancel,
}: HooksPanelProps) {
	const name = clientWords(client);
	const { transport } = useFloorContext();
	const status = useStatus()?.hooks[client] ?? 'unknown';
	const [step, setStep] = useState<Step>({ kind: 'rest' });
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const ask = async (channel: 'hooks:plan' | 'hooks:apply', remove: boolean) => {
		const before = step;
		setError(null);
		setStep({ kind: 'asking' });
		try {
			const plan = await transport.request(channel, { client, remove });
			setStep({ kind: channel === 'hooks:plan' ? 'planned' : 'done', plan, remove });
		} catch (cause) {
			setError(channelErrorOf(cause));
			setStep(before);
		}
	};
	const askFirst = useEffectEvent(() => void ask('hooks:plan', false));
	useEffect(() => {
		if (planFirst) askFirst();
	}, [planFirst]);
	if (main && step.kind === 'rest' && status === 'installed') return null;
	return (
		<div className="hooks">
			{(step.kind === 'rest' || step.kind === 'asking') && (
				<div className="hooks-rest">
					{!main && <p>{statusWords[status]}</p>}
					<div className="hooks-buttons">
						<button
							type="button"
							className={main ? 'button button-large button-main' : 'button'}
							data-testid={`connect-${client}`}
							aria-label={
								main ? undefined : `${status === 'installed' ? 'Check the connection of' : 'Connect'} ${name}`
							}
							aria-busy={step.kind === 'asking'}
							onClick={() => void ask('hooks:plan', false)}
						>
							{status === 'installed' && !main ? 'Check the connection…' : `Connect ${name}…`}
						</button>
						{!main && (status === 'installed' || status === 'partly') && (
							<button
								type="button"
								className="button"
								data-testid={`disconnect-${client}`}
								aria-label={`Disconnect ${name}`}
								onClick={() => void ask('hooks:plan', true)}
							>
								Disconnect…
							</button>
						)}
					</div>
				</div>
			)}
			{step.kind === 'planned' && (
				<Plan
					plan={step.plan}
					remove={step.remove}
					onApply={() => void ask('hooks:apply', step.remove)}
					onCancel={onCancel ?? (() => setStep({ kind: 'rest' }))}
					name={name}
				/>
			)}
			{step.kind === 'done' && <Result plan={step.plan} remove={step.remove} client={client} />}
			{error && <Failure error={error} onDismiss={() => setError(null)} />}
		</div>
	);
}

interface PlanProps {
	/** Of the program. */
	name: string;
	plan: HookPlan;
	remove: boolean;
	onApply: () => void;
	onCancel: () => void;
}

function Plan({ name, plan, remove, onApply, onCancel }: PlanProps) {
	if (plan.status === 'unreadable') {
		return (
			<>
				<Unreadable plan={plan} name={name} />
				<div className="hooks-buttons">
					<button type="button" className="button button-large" onClick={onCancel}>
						Close
					</button>
				</div>
			</>
		);
	}
	return <ReadablePlan plan={plan} remove={remove} onApply={onApply} onCancel={onCancel} />;
}

function ReadablePlan({ plan, remove, onApply, onCancel }: Omit<PlanProps, 'name'>) {
	const heading = useRef<HTMLParagraphElement>(null);
	const buttons = useRef<HTMLDivElement>(null);
	// Not the button: a key held down on the one before would answer what nobody has read yet.
	useEffect(() => {
		heading.current?.focus();
		buttons.current?.scrollIntoView({ block: 'nearest' });
	}, []);
	const nothing = plan.diff === '';
	return (
		<>
			<p ref={heading} tabIndex={-1} className="hooks-heading">
				{nothing
					? `Nothing to ${remove ? 'remove' : 'change'} in `
					: `This will be ${remove ? 'taken out of' : 'added to'} `}
				<Untrusted text={plan.file} mono limit={600} />
				{nothing ? '.' : '. The file is backed up first, and everything else in it stays as it is.'}
			</p>
			{!nothing && <DiffView diff={plan.diff} label="What will change" />}
			<div ref={buttons} className="hooks-buttons">
				{!nothing && (
					<button type="button" className="button button-large button-main" onClick={onApply}>
						{remove ? 'Remove the hooks' : 'Install'}
					</button>
				)}
				<button type="button" className="button button-large" onClick={onCancel}>
					{nothing ? 'Close' : 'Cancel'}
				</button>
			</div>
		</>
	);
}

function Result({ plan, remove, client }: { plan: HookPlan; remove: boolean; client: HookClient }) {
	const reached = remove ? plan.status === 'absent' : plan.status === 'installed';
	if (plan.status === 'unreadable') return <Unreadable plan={plan} name={clientWords(client)} />;
	return (
		<div className="hooks-result" role="status" data-testid="hooks-result">
			{reached ? (
				<p>
					<strong>{remove ? 'Disconnected.' : 'Connected.'}</strong>{' '}
					{remove ? (
						'New sessions no longer report here.'
					) : (
						<>
							Start <code className="mono">{commandOf[client]}</code> in any directory: it appears here by
							itself.
						</>
					)}
				</p>
			) : (
				<p>
					<strong>{statusWords[plan.status]}</strong> <Untrusted text={plan.problem} limit={600} />
				</p>
			)}
			<p className="quiet">
				<Untrusted text={plan.file} mono limit={600} />
			</p>
		</div>
	);
}

function Unreadable({ plan, name }: { plan: HookPlan; name: string }) {
	return (
		<div className="failure" role="alert">
			<strong>
				<Untrusted text={plan.file} mono limit={600} /> cannot be read:{' '}
				<Untrusted text={plan.problem} limit={600} />
			</strong>
			<p>Nothing was written; {name} works on without the floor. Mend the file, then try again.</p>
		</div>
	);
}
