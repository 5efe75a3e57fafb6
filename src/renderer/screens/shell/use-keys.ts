/** Binds the keys of the window to the document. */
import { useEffect } from 'react';
import type { Command } from '../../store/command.ts';
import { type FloorContextValue, useFloorContext } from '../../store/floor-context.tsx';
import { moveTarget, requestFor } from '../../store/floor-keys.ts';
import { layoutOf, openIds } from '../../store/floor-layout.ts';
import { agentIdAt, focusAgent } from '../floor/agent-focus.ts';
import { commandScreen } from './command-screen.ts';

export function useKeys(): void {
	const context = useFloorContext();
	useEffect(() => {
		const onKey = (event: KeyboardEvent): void => {
			if (event.defaultPrevented) return;
			const { dialog, drawerAgentId, page, preferences } = context.view.getState();
			const agentId = drawerAgentId ?? (page === 'floor' ? agentIdAt(document.activeElement) : null);
			const request = requestFor(event, {
				page,
				onAgent: drawerAgentId === null && agentId !== null,
				drawer: drawerAgentId !== null,
				typing: isTyping(document.activeElement),
				modal: dialog !== null || document.querySelector('[role="menu"], [role="listbox"]') !== null,
				palette: dialog?.kind === 'palette',
				singleKeys: preferences.singleKeys,
			});
			if (request === null) return;
			event.preventDefault();
			if (request.kind === 'run') {
				run(context, request.command, agentId);
				return;
			}
			const from = agentId ?? context.view.getState().activeAgentId;
			const target = moveTarget(agentsOnFloor(context), from, request.to);
			if (target !== null) focusAgent(context.view, target);
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, [context]);
}

/** No key runs what asks the engine without a place of its own to tell a failure in: those are the palette's. */
function run({ transport, floor, view }: FloorContextValue, command: Command, agentId: string | null): void {
	const { dialog } = view.getState();
	if (command.id === 'window.palette' && dialog?.kind === 'palette') {
		view.setState({ dialog: null });
		return;
	}
	const { picture } = floor.getState();
	const agent = agentId === null ? null : (picture.agents.get(agentId)?.value ?? null);
	if (!command.available({ view: view.getState(), picture, agent })) return;
	void command.run({ transport, floor, view, screen: commandScreen, agentId });
}

/** In the order of the floor, drawn or not. */
function agentsOnFloor({ floor, view }: FloorContextValue): string[] {
	const { filter, preferences } = view.getState();
	const { grouping, folds } = preferences;
	return openIds(layoutOf(floor.getState().picture, { filter, grouping }), folds);
}

/** Boxes to tick take no text: letters stay keys there. */
function isTyping(element: Element | null): boolean {
	return (
		element instanceof HTMLElement &&
		(element.isContentEditable ||
			element.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
	);
}
