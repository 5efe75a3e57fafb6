/** Raising a cap by one click, and putting it back. The engine decides; its delta shows the effect. */
import { ChannelError } from '../../shared/channels.ts';
import type { FloorTransport } from '../../shared/transport.ts';
import { channelErrorOf } from '../transport/transport-errors.ts';
import { capIn, capPatch, type PassedCap, type RaisedCap, raisedCap } from './caps.ts';
import { setAsked, setRaised, type ViewStore } from './view-store.ts';

/** Raises the cap that was passed, and remembers how it was. A failure is kept at the agent, where it was asked. */
export async function raiseCap(
	transport: FloorTransport,
	view: ViewStore,
	agentId: string,
	passed: PassedCap,
): Promise<void> {
	await asking(view, agentId, async () => {
		const { arm, cap } = passed;
		const before = capIn(await transport.request('settings:get', {}), arm, agentId);
		const to = raisedCap(passed);
		await transport.request('settings:update', capPatch(arm, agentId, to));
		setRaised(view, agentId, { arm, was: cap, to, before });
	});
}

/** Puts back what stood there before, unless somebody has changed it since. */
export async function putBackCap(
	transport: FloorTransport,
	view: ViewStore,
	agentId: string,
	raised: RaisedCap,
): Promise<void> {
	await asking(view, agentId, async () => {
		const { arm, to, before } = raised;
		const now = capIn(await transport.request('settings:get', {}), arm, agentId);
		if (now !== to) {
			setRaised(view, agentId, null);
			throw new ChannelError({
				code: 'not-possible',
				message: 'This cap was changed since it was raised.',
				meaning: 'Nothing was put back; the cap is as it was set last.',
				remedy: 'Change it in the settings.',
			});
		}
		await transport.request('settings:update', capPatch(arm, agentId, before));
		setRaised(view, agentId, null);
	});
}

/** One question about an agent at a time, as for its other buttons. */
async function asking(view: ViewStore, agentId: string, act: () => Promise<void>): Promise<void> {
	if (view.getState().asked.get(agentId)?.error === null) return;
	setAsked(view, agentId, { action: 'raise-cap', error: null });
	try {
		await act();
		setAsked(view, agentId, null);
	} catch (error) {
		setAsked(view, agentId, { action: 'raise-cap', error: channelErrorOf(error) });
	}
}
