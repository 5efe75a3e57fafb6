/**
 * Connecting an agent program, and taking the connection back: the plan is shown as a diff before anything is written, and
 * what was found on disk afterwards is what is reported.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChannelErrorData, HookPlan } from '../../shared/channels.ts';
import { clientWords } from '../../shared/format.ts';
import type { HookStatus } from '../../shared/snapshot.ts';
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
export const commandOf: Readonly<Record<HookClient, string>> = {
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
	partly: 'Installed, but not running, or not all of them: events do not reach the floor.',
	absent: 'Not connected.',
	unreadable: 'Its settings file cannot be read, so it was left alone.',
	unknown: 'Not looked at yet.',
} as const;

/** What is asked of a program that has hooks already. */
const askWords: Partial<Record<HookStatus, string>> = {
	installed: 'Check the connection…',
	partly: 'See why…',
};
const askLabels: Partial<Record<HookStatus, string>> = {
	installed: 'Check the connection of',
	partly: 'See why the hooks do not run:',
};

/** What was not tried with the program itself says so. */
const untried: ReadonlySet<HookClient> = new Set(['cursor']);

interface HooksPanelProps {
	client?: HookClient;
	/** The connect button is what this place is for. */
	main?: boolean;
	/** Asked for already: the change is shown at once. */
	planFirst?: boolean;
	/** Whether it is connected is said beside it already. */
	bare?: boolean;
	/** Where the place goes away when the change is not wanted. */
	onCancel?: () => void;
	/** Something was written. */
	onChanged?: () => void;
}

export function HooksPanel({
	client = 'claude-code',
	main = false,
	planFirst = false,
	bare = false,
	onCancel,
	onChanged,
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
			if (channel === 'hooks:apply') onChanged?.();
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
					{!main && !bare && <p>{statusWords[status]}</p>}
					<div className="hooks-buttons">
						<button
							type="button"
							className={main ? 'button button-large button-main' : 'button'}
							data-testid={`connect-${client}`}
							aria-label={main ? undefined : `${askLabels[status] ?? 'Connect'} ${name}`}
							aria-busy={step.kind === 'asking'}
							onClick={() => void ask('hooks:plan', false)}
						>
							{(main ? undefined : askWords[status]) ?? `Connect ${name}…`}
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
			{untried.has(client) && (
				<p className="quiet">Built by its public description, not tried with the program.</p>
			)}
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

export function ReadablePlan({ plan, remove, onApply, onCancel }: Omit<PlanProps, 'name'>) {
	const heading = useRef<HTMLParagraphElement>(null);
	const buttons = useRef<HTMLDivElement>(null);
	// Not the button: a key held down on the one before would answer what nobody has read yet.
	useEffect(() => {
		heading.current?.focus();
		buttons.current?.scrollIntoView({ block: 'nearest' });
	}, []);
	const nothing = plan.diff === '';
	const stuck = nothing && !remove && plan.status === 'partly' && plan.problem !== '';
	return (
		<>
			<p ref={heading} tabIndex={-1} className="hooks-heading">
				{headWords(plan, remove, stuck)} <Untrusted text={plan.file} mono limit={600} />
				{stuck ? ', but they are not running.' : '.'}
				{!nothing && ` ${careWords(plan)}`}
			</p>
			{plan.problem !== '' && (nothing || !remove) && (
				<p className="hooks-problem">
					<Untrusted text={plan.problem} limit={600} />
				</p>
			)}
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

/** `stuck`: all is there, and would not run. */
function headWords({ diff }: HookPlan, remove: boolean, stuck: boolean): string {
	if (stuck) return 'The hooks are installed in';
	if (diff === '') return `Nothing to ${remove ? 'remove' : 'change'} in`;
	return remove ? 'This will be taken out of' : 'This will be added to';
}

function careWords({ diff }: HookPlan): string {
	const isNew = diff.startsWith('--- /dev/null\n');
	return isNew
		? 'The file is new: there is none yet.'
		: 'The file is backed up first, and everything else in it stays as it is.';
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
					<strong>{stuckOrStatus(plan)}</strong> <Untrusted text={plan.problem} limit={600} />
				</p>
			)}
			<p className="quiet">
				<Untrusted text={plan.file} mono limit={600} />
			</p>
		</div>
	);
}

function stuckOrStatus({ status, problem }: HookPlan): string {
	return status === 'partly' && problem !== '' ? 'Installed, but not running.' : statusWords[status];
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
