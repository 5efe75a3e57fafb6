/** What the keys do. */
import { type AgentAction, actionMeanings, actionWords } from '../../store/agent-actions.ts';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import { actionKeys, DECISION_KEY } from '../../store/floor-keys.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import './keys-dialog.css';

const floorKeys: readonly (readonly [readonly string[], string])[] = [
	[['↑', '↓'], 'The agent before, the agent after'],
	[['Home', 'End'], 'The first agent, the last one'],
	[['Enter'], 'Open the agent'],
	[['Tab'], 'On to the buttons of the agent'],
	[['Esc'], 'Close what is open, clear the filter'],
];
const anywhereKeys: readonly (readonly [readonly string[], string])[] = [
	[['/'], 'Filter the agents'],
	[[DECISION_KEY], 'To what waits for your answer: a lost provider, a command that wants consent'],
	[['?'], 'This list'],
];
const agentKeys = Object.entries(actionKeys).map(
	([action, key]) =>
		[
			[key],
			`${actionWords[action as AgentAction].replace('…', '')}: ${lowerFirst(actionMeanings[action as AgentAction])}`,
		] as const,
);

export function KeysDialog() {
	const { view } = useFloorContext();
	const singleKeys = useView(({ preferences }) => preferences.singleKeys);
	const toggle = () =>
		view.setState(({ preferences }) => ({
			preferences: { ...preferences, singleKeys: !preferences.singleKeys },
		}));
	return (
		<DialogFrame
			testId="keys-dialog"
			title="Keys"
			description="Letters act on the agent in focus, and only there."
			onClose={() => view.setState({ dialog: null })}
		>
			<div className="dialog-body">
				<KeyTable rows={floorKeys} />
				<KeyTable rows={[...agentKeys, ...anywhereKeys]} />
				<label className="check">
					<input type="checkbox" checked={singleKeys} onChange={toggle} />
					<span>
						Letters and signs act by themselves{' '}
						<span className="soft">(off: arrows, Enter, Tab and Esc only)</span>
					</span>
				</label>
			</div>
		</DialogFrame>
	);
}

function KeyTable({ rows }: { rows: readonly (readonly [readonly string[], string])[] }) {
	return (
		<dl className="keys">
			{rows.map(([keys, meaning]) => (
				<div key={meaning}>
					<dt>
						{keys.map((key) => (
							<kbd key={key}>{key}</kbd>
						))}
					</dt>
					<dd>{meaning}</dd>
				</div>
			))}
		</dl>
	);
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
