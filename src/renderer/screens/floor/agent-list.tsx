/**
 * Every agent, in groups, as rows or as cards. One flat list of siblings under one parent, so that an agent that changes
 * its group is moved and not drawn anew; the focus moves with it. Only what is near the screen is in the document, and
 * the agent that Tab comes to, wherever it is.
 */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useFloor, useFloorContext, useView } from '../../store/floor-context.tsx';
import { itemIndexOf, itemsOf } from '../../store/floor-items.ts';
import { openIds, stableLayout } from '../../store/floor-layout.ts';
import type { ViewStore } from '../../store/view-store.ts';
import { SeenSessions } from '../seen/seen-sessions.tsx';
import { AgentCard } from './agent-card.tsx';
import { agentIdAt, focusDrawnAgent } from './agent-focus.ts';
import { AgentRow } from './agent-row.tsx';
import { AttentionCounts } from './attention-counts.tsx';
import { FilterBox } from './filter-box.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FloorLooks } from './floor-looks.tsx';
import { GroupHeading } from './group-heading.tsx';
import { ListRestContext, useListRest } from './list-rest.ts';
import { useVirtualItems } from './use-virtual-items.ts';
import './agent-list.css';

/** From this many on, agents that need you are two lines high, so that all of them are seen at once. */
const CROWD = 7;

/** `children` lie between the counts and the agents. */
export function AgentList({ children }: { children: ReactNode }) {
	const { view } = useFloorContext();
	const filter = useView((state) => state.filter);
	const look = useView(({ preferences }) => preferences.look);
	const grouping = useView(({ preferences }) => preferences.grouping);
	const folds = useView(({ preferences }) => preferences.folds);
	const active = useView((state) => state.activeAgentId);
	const select = useMemo(() => stableLayout({ filter, grouping }), [filter, grouping]);
	const layout = useFloor(({ picture }) => select(picture));
	const list = useRef<HTMLDivElement>(null);
	const rest = useListRest();
	const columns = useColumns(list, look === 'cards');
	const items = useMemo(() => itemsOf(layout, folds, columns), [layout, folds, columns]);
	const order = useMemo(() => openIds(layout, folds), [layout, folds]);
	const tabStop = active !== null && order.includes(active) ? active : (order[0] ?? null);
	const keptIndex = useMemo(() => itemIndexOf(items, tabStop), [items, tabStop]);
	const { virtualizer, scrollMargin } = useVirtualItems({ items, look, keptIndex, list });
	const needy = layout.groups.reduce(
		(sum, { tally }) => sum + (tally[0]?.[0] === 'needs-you' ? tally[0][1] : 0),
		0,
	);
	useKeptFocus();
	useFocusedAgent();
	return (
		<ListRestContext value={rest}>
			<div className="list-bar">
				<AttentionCounts />
				<FilterBox shown={layout.shown} total={layout.total} first={order[0] ?? null} />
				<FloorLooks />
				<FilterChips />
			</div>
			{children}
			{layout.shown === 0 && <p className="list-nothing">No agent matches “{filter}”.</p>}
			{/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes which agent the focus is on */}
			<div
				ref={list}
				className={`agents agents-${look}`}
				style={{ height: virtualizer.getTotalSize() }}
				onFocus={(event) => {
					const agentId = agentIdAt(event.target);
					if (agentId !== null) view.setState({ activeAgentId: agentId });
				}}
			>
				{virtualizer.getVirtualItems().map(({ index, key, start }) => {
					const item = items[index];
					if (item === undefined) return null;
					return (
						<div
							key={String(key)}
							ref={virtualizer.measureElement}
							data-index={index}
							className="floor-item"
							style={{
								transform: `translateY(${start - scrollMargin}px)`,
								gridTemplateColumns: `repeat(${item.kind === 'heading' ? 1 : columns}, minmax(0, 1fr))`,
							}}
						>
							{item.kind === 'heading' ? (
								<GroupHeading group={item.group} folded={item.folded} />
							) : (
								item.ids.map((agentId, at) => {
									const props = {
										agentId,
										tabStop: agentId === tabStop,
										position: item.position + at,
										of: order.length,
									};
									return look === 'cards' ? (
										<AgentCard key={agentId} {...props} />
									) : (
										<AgentRow key={agentId} {...props} crowd={needy >= CROWD} />
									);
								})
							)}
						</div>
					);
				})}
			</div>
			<SeenSessions filter={filter} />
		</ListRestContext>
	);
}

/** Narrowest card and the gap between two, in rem. */
const CARD = { width: 20, gap: 0.75 };

/** How many agents stand beside each other. */
function useColumns(list: RefObject<HTMLElement | null>, cards: boolean): number {
	const [columns, setColumns] = useState(3);
	useLayoutEffect(() => {
		const element = list.current;
		if (!cards || element === null) return;
		const measure = () => {
			const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
			const fit = (element.clientWidth + CARD.gap * rem) / ((CARD.width + CARD.gap) * rem);
			setColumns(Math.max(1, Math.floor(fit)));
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		return () => observer.disconnect();
	}, [list, cards]);
	return cards ? columns : 1;
}

/** A row that is moved in the document loses the focus; it is given back before anybody sees it. */
function useKeptFocus(): void {
	// Read while drawing, that is just before the rows are moved.
	const before = typeof document === 'undefined' ? null : agentIdAt(document.activeElement);
	useLayoutEffect(() => {
		if (before !== null && document.activeElement === document.body) focusDrawnAgent(before);
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
