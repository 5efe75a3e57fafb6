/** One agent whole: how it stands now, what it did, what every arm counts, what it was told, took and changed. */
import { Tabs } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import { clientWords } from '../../../shared/format.ts';
import { useAgent, useFloorContext, useView } from '../../store/floor-context.tsx';
import { layoutOf, openIds } from '../../store/floor-layout.ts';
import type { DrawerTab } from '../../store/view-store.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { TimelineTab } from '../timeline/timeline-tab.tsx';
import { ArmList } from './arm-list.tsx';
import { ChangesTab } from './changes-tab.tsx';
import { NotesTab } from './notes-tab.tsx';
import { NowTab } from './now-tab.tsx';
import { UsageTab } from './usage-tab.tsx';
import './agent-drawer.css';

export function AgentDrawer({ agentId }: { agentId: string }) {
	const { view } = useFloorContext();
	const agent = useAgent(agentId);
	const titleId = useId();
	return (
		<DialogFrame
			shape="drawer"
			testId="agent-drawer"
			title={
				<span id={titleId}>
					<Untrusted text={agent?.name ?? 'This agent is no longer known'} />
				</span>
			}
			description={
				agent && (
					<>
						{clientWords(agent.client)}
						{agent.model !== null && (
							<>
								{' '}
								· <Untrusted text={agent.model} limit={80} />
							</>
						)}
						{agent.directory !== '' && (
							<>
								{' '}
								· <Untrusted text={agent.directory} limit={1000} mono />
							</>
						)}
					</>
				)
			}
			onClose={() => view.setState({ drawerAgentId: null })}
			tools={<Neighbours agentId={agentId} />}
		>
			{agent && <AgentDetail agent={agent} titleId={titleId} />}
		</DialogFrame>
	);
}

/** The agents before and after this one, in the order of the floor. */
function Neighbours({ agentId }: { agentId: string }) {
	const { floor, view } = useFloorContext();
	const go = (step: number) => {
		const { filter, preferences } = view.getState();
		const arrangement = { filter, grouping: preferences.grouping };
		const ids = openIds(layoutOf(floor.getState().picture, arrangement), preferences.folds);
		const next = ids[ids.indexOf(agentId) + step];
		if (next !== undefined) view.setState({ drawerAgentId: next, activeAgentId: next });
	};
	return (
		<>
			<button type="button" className="button button-bare" aria-label="Agent before" onClick={() => go(-1)}>
				<Icon name="before" />
			</button>
			<button type="button" className="button button-bare" aria-label="Next agent" onClick={() => go(1)}>
				<Icon name="chevron" />
			</button>
		</>
	);
}

const tabs: readonly { readonly tab: DrawerTab; readonly words: string }[] = [
	{ tab: 'now', words: 'Now' },
	{ tab: 'timeline', words: 'Timeline' },
	{ tab: 'arms', words: 'Arms' },
	{ tab: 'notes', words: 'Notes & refusals' },
	{ tab: 'usage', words: 'Usage' },
	{ tab: 'changes', words: 'Changes' },
];

/** The inside of the drawer. */
export function AgentDetail({ agent, titleId }: { agent: AgentView; titleId: string }) {
	const { view } = useFloorContext();
	const open = useView(({ drawerTab }) => drawerTab);
	return (
		<Tabs.Root
			className="dialog-body drawer"
			value={open}
			onValueChange={(chosen) => {
				const known = tabs.find(({ tab }) => tab === chosen);
				if (known) view.setState({ drawerTab: known.tab });
			}}
		>
			<Tabs.List className="drawer-tabs" aria-label="Parts">
				{tabs.map(({ tab, words }) => (
					<Tabs.Trigger key={tab} className="drawer-tab" value={tab}>
						{words}
					</Tabs.Trigger>
				))}
			</Tabs.List>
			<Panel tab="now">
				<NowTab agent={agent} titleId={titleId} />
			</Panel>
			<Panel tab="timeline">
				<TimelineTab agent={agent} />
			</Panel>
			<Panel tab="arms">
				<ArmList agent={agent} labelledBy={titleId} />
			</Panel>
			<Panel tab="notes">
				<NotesTab agent={agent} />
			</Panel>
			<Panel tab="usage">
				<UsageTab agent={agent} />
			</Panel>
			<Panel tab="changes">
				<ChangesTab agent={agent} />
			</Panel>
		</Tabs.Root>
	);
}

function Panel({ tab, children }: { tab: DrawerTab; children: ReactNode }) {
	return (
		<Tabs.Content className="drawer-panel" value={tab}>
			{children}
		</Tabs.Content>
	);
}
