/** Binds the keys of the window to the document. */
import { useEffect } from 'react';
import type { Command } from '../../store/commands.ts';
import { type FloorContextValue, useFloorContext } from '../../store/floor-context.tsx';
import { moveTarget, requestFor } from '../../store/floor-keys.ts';
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
			const target = moveTarget(agentsOnScreen(), from, request.to);
			if (target !== null) focusAgent(target);
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

function agentsOnScreen(): string[] {
	return [...document.querySelectorAll<HTMLElement>('.agents [data-agent-id]')].map(
		({ dataset }) => dataset.agentId ?? '',
	);
}

/** Boxes to tick take no text: letters stay keys there. */
function isTyping(element: Element | null): boolean {
	return (
		element instanceof HTMLElement &&
		(element.isContentEditable ||
			element.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
	);
}
