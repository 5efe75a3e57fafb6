/** Find or do: every command, every agent, by a few letters. An agent leads on to what can be done with it. */
import { Command as Cmdk } from 'cmdk';
import { useRef, useState, useSyncExternalStore } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { clientWords, exactNumber } from '../../../shared/format.ts';
import type { FloorPicture } from '../../../shared/picture.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { MOST_SHOWN, type PaletteEntry, paletteList } from '../../store/palette-entries.ts';
import { windowStorage } from '../../store/preferences.ts';
import { keepRecent, readRecent } from '../../store/recent-commands.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Failure } from '../../widgets/failure.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { agentIdAt } from '../floor/agent-focus.ts';
import { commandScreen } from '../shell/command-screen.ts';
import { PaletteItem } from './palette-item.tsx';
import './command-palette.css';

export function CommandPalette() {
	const context = useFloorContext();
	const { view, floor, clock } = context;
	// Read before the palette takes the focus.
	const [inHandId] = useState(agentInHand);
	const [recent] = useState(() => readRecent(windowStorage()));
	const [typed, setTyped] = useState('');
	const [chosenId, setChosenId] = useState<string | null>(null);
	const [pending, setPending] = useState(false);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const field = useRef<HTMLInputElement>(null);
	// Once a second is often enough for a list that one reads.
	const current = () => floor.getState().picture;
	const picture = useSyncExternalStore(clock.subscribe, current, current);
	const agentOf = (id: string | null) => (id === null ? null : agentIn(picture, id));
	const chosen = agentOf(chosenId);
	const list = paletteList({
		typed,
		view: view.getState(),
		picture,
		inHand: agentOf(drawerOr(view.getState().drawerAgentId, inHandId)),
		chosen,
		recent,
	});
	const shown = list.sections.reduce((sum, { entries }) => sum + entries.length, 0);
	const close = () => view.setState(({ dialog }) => (dialog?.kind === 'palette' ? { dialog: null } : {}));
	const choose = (agentId: string | null) => {
		setChosenId(agentId);
		setTyped('');
		field.current?.focus();
	};
	const run = async (entry: PaletteEntry) => {
		if (pending) return;
		if (entry.kind === 'agent') return choose(entry.agent.id);
		const { command, agent } = entry;
		const host = { ...context, screen: commandScreen, agentId: agent?.id ?? null };
		keepRecent(windowStorage(), command.id);
		if (!command.asksEngine) {
			close();
			// The focus goes back first; then the command may take it.
			requestAnimationFrame(() => void command.run(host));
			return;
		}
		setPending(true);
		setError(null);
		try {
			await command.run(host);
			close();
		} catch (cause) {
			setError(channelErrorOf(cause));
		}
		setPending(false);
	};
	return (
		<DialogFrame
			shape="wide"
			testId="palette"
			title={
				chosen === null ? (
					'Find or do'
				) : (
					<>
						What to do with <Untrusted text={chosen.name} limit={80} />
					</>
				)
			}
			description={
				chosen === null ? (
					'Commands and agents by a few letters; Enter runs, Esc closes.'
				) : (
					<>
						{clientWords(chosen.client)} <Untrusted text={chosen.directory} limit={200} mono />
					</>
				)
			}
			onClose={close}
			onOpenAutoFocus={(event) => {
				event.preventDefault();
				field.current?.focus();
			}}
		>
			<Cmdk
				className="palette"
				label={chosen === null ? 'Find or do' : 'Find an action'}
				shouldFilter={false}
				vimBindings={false}
				loop
				onKeyDown={(event) => {
					if (event.key === 'Backspace' && typed === '' && chosenId !== null) choose(null);
				}}
			>
				<div className="palette-field">
					{chosen === null ? (
						<Icon name="search" />
					) : (
						<button type="button" className="button" onClick={() => choose(null)}>
							Back
						</button>
					)}
					<Cmdk.Input
						ref={field}
						className="field"
						placeholder={chosen === null ? 'A command, an agent, a directory…' : 'An action…'}
						maxLength={200}
						value={typed}
						onValueChange={setTyped}
					/>
				</div>
				<Cmdk.List className="palette-list" label={chosen === null ? 'Commands and agents' : 'Actions'}>
					{list.sections.map(({ title, entries }) => (
						<Cmdk.Group key={title} heading={title}>
							{entries.map((entry) => (
								<PaletteItem
									key={keyOf(entry)}
									id={keyOf(entry)}
									entry={entry}
									onRun={() => void run(entry)}
								/>
							))}
						</Cmdk.Group>
					))}
				</Cmdk.List>
				{list.found === 0 && <p className="palette-none">Nothing is called that.</p>}
				<p className="palette-count quiet" role="status">
					{foundWords(list.found, shown, typed)}
				</p>
				{error && <Failure error={error} onDismiss={() => setError(null)} />}
			</Cmdk>
		</DialogFrame>
	);
}

/** Said once typing has narrowed the list. */
function foundWords(found: number, shown: number, typed: string): string {
	if (found > shown) return `The first ${MOST_SHOWN} of ${exactNumber(found)}: type more to narrow it.`;
	if (typed === '') return '';
	return found === 1 ? '1 found' : `${exactNumber(found)} found`;
}

function keyOf(entry: PaletteEntry): string {
	return entry.kind === 'agent' ? `agent ${entry.agent.id}` : `command ${entry.command.id}`;
}

function agentInHand(): string | null {
	return typeof document === 'undefined' ? null : agentIdAt(document.activeElement);
}

function drawerOr(drawerAgentId: string | null, focusedId: string | null): string | null {
	return drawerAgentId ?? focusedId;
}

function agentIn(picture: FloorPicture, id: string): AgentView | null {
	return picture.agents.get(id)?.value ?? null;
}
