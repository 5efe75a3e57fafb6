/** Binds the keys of the floor to the document. */
import { useEffect } from 'react';
import { actionsFor } from '../../store/agent-actions.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { commandFor, type FloorCommand, moveTarget } from '../../store/floor-keys.ts';
import { takeAction } from '../../store/take-action.ts';
import { focusNextDecision } from '../../widgets/decision-focus.ts';
import { agentIdAt, focusAgent } from './agent-focus.ts';

export function useFloorKeys(): void {
	const { transport, floor, view } = useFloorContext();
	useEffect(() => {
		const act = (command: FloorCommand, agentId: string | null): void => {
			switch (command.kind) {
				case 'show-keys':
					view.setState({ dialog: { kind: 'keys' } });
					break;
				case 'focus-filter':
					document.querySelector<HTMLElement>('.filter-field')?.focus();
					break;
				case 'focus-decision':
					focusNextDecision();
					break;
				case 'move': {
					const target = moveTarget(agentsOnScreen(), agentId ?? view.getState().activeAgentId, command.to);
					if (target !== null) focusAgent(target);
					break;
				}
				case 'act': {
					const agent = floor.getState().picture.agents.get(agentId ?? '')?.value;
					if (agent && actionsFor(agent).includes(command.action)) {
						void takeAction(transport, view, agent.id, command.action);
					}
				}
			}
		};
		const onKey = (event: KeyboardEvent): void => {
			if (event.defaultPrevented) return;
			const { dialog, drawerAgentId, preferences } = view.getState();
			const agentId = drawerAgentId ?? agentIdAt(document.activeElement);
			const command = commandFor(event, {
				onAgent: agentId !== null,
				typing: isTyping(document.activeElement),
				modal: dialog !== null || document.querySelector('[role="menu"]') !== null,
				singleKeys: preferences.singleKeys,
			});
			// The drawer has its own arrows and its own page.
			// A key held down asks once.
			if (event.repeat && command?.kind === 'act') return;
			if (command === null || (drawerAgentId !== null && command.kind !== 'act')) return;
			event.preventDefault();
			act(command, agentId);
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, [transport, floor, view]);
}

function agentsOnScreen(): string[] {
	return [...document.querySelectorAll<HTMLElement>('.agents [data-agent-id]')].map(
		({ dataset }) => dataset.agentId ?? '',
	);
}

function isTyping(element: Element | null): boolean {
	return (
		element instanceof HTMLElement &&
		(element.isContentEditable || element.matches('input, textarea, select'))
	);
}
