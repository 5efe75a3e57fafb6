/**
 * Every agent, in groups. One flat list of siblings under one parent, so that an agent that changes its group is
 * moved and not drawn anew; the focus moves with it.
 */
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react';
import type { AgentGroup } from '../../../shared/attention.ts';
import { useFloor, useFloorContext, useView } from '../../store/floor-context.tsx';
import { type FloorGroup, groupWords, stableLayout } from '../../store/floor-layout.ts';
import type { ViewStore } from '../../store/view-store.ts';
import { Icon } from '../../widgets/icon.tsx';
import { SeenSessions } from '../seen/seen-sessions.tsx';
import { agentIdAt, focusAgent } from './agent-focus.ts';
import { AgentRow } from './agent-row.tsx';
import { AttentionCounts } from './attention-counts.tsx';
import { FilterBox } from './filter-box.tsx';
import './agent-list.css';

/** This many rows are drawn whole at once; a floor longer than that is drawn as one scrolls. */
const EAGER_ROWS = 60;

/** `children` lie between the counts and the agents. */
export function AgentList({ children }: { children: ReactNode }) {
	const { view } = useFloorContext();
	const filter = useView((state) => state.filter);
	const select = useMemo(() => stableLayout(filter), [filter]);
	const layout = useFloor(({ picture }) => select(picture));
	const exitedOpen = useView((state) => state.exitedOpen);
	const active = useView((state) => state.activeAgentId);
	const isOpen = (group: AgentGroup) => group !== 'exited' || exitedOpen;
	const visible = layout.groups.flatMap(({ group, ids }) => (isOpen(group) ? ids : []));
	const tabStop = active !== null && visible.includes(active) ? active : visible[0];
	const eager = new Set(visible.slice(0, EAGER_ROWS));
	useKeptFocus();
	useFocusedAgent();
	return (
		<>
			<div className="list-bar">
				<AttentionCounts />
				<FilterBox shown={layout.shown} total={layout.total} />
			</div>
			{children}
			{layout.shown === 0 && <p className="list-nothing">No agent matches “{filter}”.</p>}
			{/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes which agent the focus is on */}
			<div
				className="agents"
				onFocus={(event) => {
					const agentId = agentIdAt(event.target);
					if (agentId !== null) view.setState({ activeAgentId: agentId });
				}}
			>
				{layout.groups.flatMap((group) => [
					<GroupHeading key={`group ${group.group}`} group={group} open={isOpen(group.group)} />,
					...(isOpen(group.group) ? group.ids : []).map((agentId) => (
						<AgentRow
							key={`agent ${agentId}`}
							agentId={agentId}
							tabStop={agentId === tabStop}
							eager={eager.has(agentId)}
						/>
					)),
				])}
			</div>
			<SeenSessions filter={filter} />
		</>
	);
}

function GroupHeading({ group: { group, ids }, open }: { group: FloorGroup; open: boolean }) {
	const { view } = useFloorContext();
	const words = (
		<>
			{groupWords[group]} <span className="group-count">{ids.length}</span>
		</>
	);
	if (group !== 'exited') return <h2 className={`group group-${group}`}>{words}</h2>;
	return (
		<h2 className="group">
			<button
				type="button"
				className="group-toggle"
				aria-expanded={open}
				onClick={() => view.setState({ exitedOpen: !open })}
			>
				<Icon name="chevron" turned={open} />
				{words}
			</button>
		</h2>
	);
}

/** A row that is moved in the document loses the focus; it is given back before anybody sees it. */
function useKeptFocus(): void {
	// Read while drawing, that is just before the rows are moved.
	const before = typeof document === 'undefined' ? null : agentIdAt(document.activeElement);
	useLayoutEffect(() => {
		if (before !== null && document.activeElement === document.body) focusAgent(before);
	});
}

/** Keeps the view's `focusedAgentId` true to the document: whatever moves the focus, also a row that goes away. */
function useFocusedAgent(): void {
	const { view } = useFloorContext();
	useEffect(() => {
		const note = (element: EventTarget | null) => noteFocus(view, element);
		const onFocusIn = (event: FocusEvent) => note(event.target);
		const onFocusOut = (event: FocusEvent) => note(event.relatedTarget);
		document.addEventListener('focusin', onFocusIn);
		document.addEventListener('focusout', onFocusOut);
		return () => {
			document.removeEventListener('focusin', onFocusIn);
			document.removeEventListener('focusout', onFocusOut);
		};
	}, [view]);
	// A row taken out of the document says nothing when it had the focus.
	useEffect(() => {
		if (document.hasFocus()) noteFocus(view, document.activeElement);
	});
}

function noteFocus(view: ViewStore, element: EventTarget | null): void {
	const focusedAgentId = element instanceof Element ? agentIdAt(element) : null;
	if (view.getState().focusedAgentId !== focusedAgentId) view.setState({ focusedAgentId });
}
