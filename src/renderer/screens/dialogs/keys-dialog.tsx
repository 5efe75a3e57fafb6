/** What the keys do: drawn from the commands themselves, so none is left out. */
import { actionMeanings } from '../../store/agent-actions.ts';
import { type Command, commandGroups } from '../../store/command.ts';
import { commands, movementKeys } from '../../store/commands.ts';
import { useFloorContext, useView } from '../../store/floor-context.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import './keys-dialog.css';

type KeyRow = readonly [keys: readonly string[], meaning: string];

const keyed = commands.filter(({ keys }) => keys.length > 0);

/** `title` of each group, and the keys of its commands. */
export const keyTables: readonly { readonly title: string; readonly rows: readonly KeyRow[] }[] = [
	{ title: 'Moving', rows: movementKeys },
	...Object.entries(commandGroups).map(([group, title]) => ({
		title,
		rows: keyed
			.filter((command) => command.group === group)
			.map((command) => [command.keys, meaningOf(command)] as const),
	})),
].filter(({ rows }) => rows.length > 0);

/** An action on an agent says what it does besides. */
function meaningOf({ id, words }: Command): string {
	const meaning = Object.entries(actionMeanings).find(([action]) => id === `agent.${action}`)?.[1];
	return meaning === undefined ? words : `${words}: ${lowerFirst(meaning)}`;
}

export function KeysDialog() {
	const { view } = useFloorContext();
	const singleKeys = useView(({ preferences }) => preferences.singleKeys);
	const toggle = () =>
		view.setState(({ preferences }) => ({
			preferences: { ...preferences, singleKeys: !preferences.singleKeys },
		}));
	return (
		<DialogFrame
			shape="wide"
			testId="keys-dialog"
			title="Keys"
			description="Letters act on the agent in focus on the floor, or on the one whose drawer is open, and nowhere else."
			onClose={() => view.setState({ dialog: null })}
		>
			<div className="dialog-body">
				<div className="key-tables">
					{keyTables.map(({ title, rows }) => (
						<section key={title}>
							<h3>{title}</h3>
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
						</section>
					))}
				</div>
				<label className="check">
					<input type="checkbox" checked={singleKeys} onChange={toggle} />
					<span>
						Letters, digits and signs act by themselves{' '}
						<span className="soft">(off: Ctrl+K, arrows, Enter, Tab and Esc only)</span>
					</span>
				</label>
			</div>
		</DialogFrame>
	);
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
