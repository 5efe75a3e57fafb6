/** How an action is asked for. The engine decides; its delta shows the effect. */
import type { AgentView } from '../../shared/agent-view.ts';
import { ChannelError } from '../../shared/channels.ts';
import type { FloorTransport } from '../../shared/transport.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { channelErrorOf } from '../transport/transport-errors.ts';
import type { AgentAction } from './agent-actions.ts';
import type { FloorStore } from './floor-store.ts';
import { offerUndo } from './undo.ts';
import { setAsked, type ViewStore } from './view-store.ts';

/** Actions that need no dialog. */
export type DirectAction = Exclude<AgentAction, 'steer' | 'stop'>;

const channels = {
	hold: 'control:hold',
	constrain: 'control:constrain',
	resume: 'control:resume',
	'reset-evidence': 'control:resetEvidence',
} as const satisfies Record<DirectAction, string>;

/** Longest name in the words of the undo bar, characters. */
const NAME_LIMIT = 60;

/**
 * Opens the dialog of an action, or asks the engine at once. A failure is kept at the agent, where it was asked. With
 * `floor`, an order can be taken back afterwards.
 */
export async function takeAction(
	transport: FloorTransport,
	view: ViewStore,
	agentId: string,
	action: AgentAction,
	floor?: FloorStore,
): Promise<void> {
	if (action === 'steer' || action === 'stop') {
		view.setState({ dialog: { kind: action, agentId } });
		return;
	}
	// One question at a time: the answer to the first may change what the second would mean.
	if (view.getState().asked.get(agentId)?.error === null) return;
	const before = floor && agentIn(floor, agentId);
	setAsked(view, agentId, { action, error: null });
	try {
		const after = await transport.request(channels[action], { agentId });
		setAsked(view, agentId, null);
		if (floor && before && (action === 'hold' || action === 'constrain')) {
			offerOrderUndo({ transport, view, floor }, before, after);
		}
	} catch (error) {
		setAsked(view, agentId, { action, error: channelErrorOf(error) });
	}
}

interface Asking {
	readonly transport: FloorTransport;
	readonly view: ViewStore;
	readonly floor: FloorStore;
}

const doneWords = { hold: 'Held', constrain: 'Constrained', stop: 'Stopped' } as const;

/**
 * Offers the way back from an order that was just given. Nothing is offered where the engine has none: lifting an order
 * lifts the ladder's own level too, so an agent that the ladder had barred could do more than before.
 */
export function offerOrderUndo(
	{ transport, view, floor }: Asking,
	before: AgentView,
	after: AgentView,
): void {
	const given = after.order;
	const barred = before.order === null && (before.level === 'constrained' || before.level === 'stopped');
	if (given === null || barred) return;
	const name = visibleText(before.name, { limit: NAME_LIMIT });
	// Resuming starts the count again: said beforehand, where there is one.
	const forgets = before.order === null && before.level !== 'healthy';
	const words = `${doneWords[given.kind]} ${name}.${forgets ? ' Undo also forgets what the ladder has counted.' : ''}`;
	offerUndo(view, words, async () => {
		const now = agentIn(floor, after.id)?.order ?? null;
		if (now !== null && (now.kind !== given.kind || now.at !== given.at)) throw givenAnother(name);
		// Somebody has resumed it meanwhile: it is as it was, or as they want it.
		if (now === null) return;
		await putBack(transport, before);
	});
}

async function putBack(transport: FloorTransport, { id: agentId, order }: AgentView): Promise<void> {
	if (order === null) {
		await transport.request('control:resume', { agentId });
		return;
	}
	const words = order.words === '' ? {} : { words: order.words };
	if (order.kind === 'stop') await transport.request('control:stop', { agentId, ...words });
	else await transport.request(channels[order.kind], { agentId, ...words });
}

function agentIn(floor: FloorStore, agentId: string): AgentView | null {
	return floor.getState().picture.agents.get(agentId)?.value ?? null;
}

function givenAnother(name: string): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: `${name} was given another order since.`,
		meaning: 'Nothing was taken back; the newer order holds.',
		remedy: 'Resume it, if no order should hold.',
	});
}
