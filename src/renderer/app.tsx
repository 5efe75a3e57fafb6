/** The window: the floor, and what may lie over it. */
import { useEffect } from 'react';
import { emptyFailoverView } from '../shared/failover-view.ts';
import { agentsOf, incidentsOf } from '../shared/picture.ts';
import { composeTitle } from '../shared/tray.ts';
import { AgentDrawer } from './screens/agent/agent-drawer.tsx';
import { KeysDialog } from './screens/dialogs/keys-dialog.tsx';
import { SteerDialog } from './screens/dialogs/steer-dialog.tsx';
import { StopDialog } from './screens/dialogs/stop-dialog.tsx';
import { DecisionsDock } from './screens/failover/decisions-dock.tsx';
import { CompareDialog } from './screens/improve/compare-dialog.tsx';
import { OffersDialog } from './screens/improve/improve-offers.tsx';
import { ModelsDialog } from './screens/models/models-dialog.tsx';
import { OutboxDialog } from './screens/outbox/outbox-dialog.tsx';
import { CommandPalette } from './screens/palette/command-palette.tsx';
import { ConnectDialog } from './screens/seen/connect-dialog.tsx';
import { UnsavedSettings } from './screens/settings/unsaved-dialog.tsx';
import { Shell } from './screens/shell/shell.tsx';
import { useKeys } from './screens/shell/use-keys.ts';
import { ProvidersDialog } from './screens/tier/providers-dialog.tsx';
import { UsageDialog } from './screens/usage/usage-dialog.tsx';
import { useFloorContext, useView } from './store/floor-context.tsx';
import type { OpenDialog } from './store/view-store.ts';
import { LiveRegions } from './widgets/live-regions.tsx';

export function App() {
	const dialog = useView((state) => state.dialog);
	const drawerAgentId = useView((state) => state.drawerAgentId);
	useKeys();
	useTitle();
	return (
		<>
			<Shell />
			<DecisionsDock />
			{drawerAgentId !== null && <AgentDrawer key={drawerAgentId} agentId={drawerAgentId} />}
			<Dialog dialog={dialog} />
			<UnsavedSettings />
			<LiveRegions />
		</>
	);
}

function Dialog({ dialog }: { dialog: OpenDialog }) {
	switch (dialog?.kind) {
		case 'steer':
			return <SteerDialog agentId={dialog.agentId} />;
		case 'stop':
			return <StopDialog agentId={dialog.agentId} />;
		case 'connect':
			return <ConnectDialog key={dialog.client} client={dialog.client} />;
		case 'usage':
			return <UsageDialog />;
		case 'keys':
			return <KeysDialog />;
		case 'outbox':
			return <OutboxDialog />;
		case 'offers':
			return <OffersDialog />;
		case 'compare':
			return <CompareDialog key={dialog.offerId} offerId={dialog.offerId} />;
		case 'providers':
			return <ProvidersDialog />;
		case 'models':
			return <ModelsDialog chainId={dialog.chainId ?? null} />;
		case 'palette':
			return <CommandPalette />;
		default:
			return null;
	}
}

/** The title counts what needs the operator with the tray's own composer, so the two cannot disagree. */
function useTitle(): void {
	const { floor, clock } = useFloorContext();
	useEffect(() => {
		let drawn: unknown = null;
		const draw = () => {
			const { picture } = floor.getState();
			const status = picture.status.value;
			if (picture === drawn || status === null) return;
			drawn = picture;
			const agents = agentsOf(picture);
			const incidents = incidentsOf(picture);
			const failover = picture.failover.value ?? emptyFailoverView;
			const title = composeTitle({ status, agents, incidents, failover });
			if (document.title !== title) document.title = title;
		};
		return clock.subscribe(draw);
	}, [floor, clock]);
}
