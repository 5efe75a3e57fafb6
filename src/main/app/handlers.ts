/** What the window may ask, answered. The channel's schema has checked the arguments before they come here. */
import type { AgentView } from '../../shared/agent-view.ts';
import { ChannelError, type HistoryRow, type HookPlan, type RequestHandlers } from '../../shared/channels.ts';
import type { Settings, SettingsPatch } from '../../shared/settings.ts';
import type { HookClient } from '../../shared/words.ts';
import type { Agent } from '../floor/agent.ts';
import type { Floor } from '../floor/floor.ts';
import { order, resetEvidence, resume, steer } from '../floor/orders.ts';
import { viewOf } from '../floor/view.ts';
import type { ConnectionHandlers } from './connection-handlers.ts';
import type { FailoverHandlers } from './failover-handlers.ts';
import type { IncidentHandlers } from './incident-handlers.ts';
import type { InsightsHandlers } from './insights-handlers.ts';
import type { ModelHandlers } from './model-handlers.ts';
import type { PreviewHandlers } from './preview-handlers.ts';
import type { ProcessEnder } from './process-ender.ts';
import type { Publisher } from './publisher.ts';
import type { TimelineHandlers } from './timeline-handlers.ts';

export interface HandlerParts {
	readonly floor: Floor;
	readonly publisher: Publisher;
	readonly ender: ProcessEnder;
	readonly now: () => number;
	readonly history: (agentId: string) => HistoryRow[];
	readonly getSettings: () => Settings;
	readonly updateSettings: (patch: SettingsPatch) => Promise<Settings>;
	readonly planHooks: (client: HookClient, remove: boolean) => Promise<HookPlan>;
	readonly applyHooks: (client: HookClient, remove: boolean) => Promise<HookPlan>;
	readonly startDemo: () => Promise<number>;
	readonly stopDemo: () => number;
	readonly failover: FailoverHandlers;
	readonly models: ModelHandlers;
	readonly records: TimelineHandlers &
		InsightsHandlers &
		IncidentHandlers &
		PreviewHandlers &
		ConnectionHandlers;
}

export function createHandlers(parts: HandlerParts): RequestHandlers {
	const { floor, publisher, ender, now } = parts;
	const shown = (agent: Agent): AgentView => {
		publisher.schedule();
		return viewOf(agent, now());
	};
	return {
		'floor:snapshot': () => publisher.snapshot(),
		'agent:history': ({ agentId }) => parts.history(agentId),
		'control:steer': ({ agentId, words }) => shown(steer(floor, agentId, words, now())),
		'control:hold': ({ agentId, words }) => shown(order(floor, agentId, 'hold', words ?? '', now())),
		'control:constrain': ({ agentId, words }) =>
			shown(order(floor, agentId, 'constrain', words ?? '', now())),
		'control:stop': ({ agentId, words, endProcess }) => {
			const agent = order(floor, agentId, 'stop', words ?? '', now());
			if (endProcess) ender.end(agentId);
			return shown(agent);
		},
		'control:resume': ({ agentId }) => shown(resume(floor, agentId, now())),
		'control:resetEvidence': ({ agentId }) => shown(resetEvidence(floor, agentId, now())),
		'incident:dismiss': ({ incidentId }) => {
			const incident = floor.incidents.dismiss(incidentId, now());
			if (incident) return incident;
			throw new ChannelError({
				code: 'not-possible',
				message: 'That incident is no longer in the list.',
				meaning: 'Nothing was changed.',
				remedy: 'Reload the window to see the present list.',
			});
		},
		'settings:get': () => parts.getSettings(),
		'settings:update': (patch) => parts.updateSettings(patch),
		'hooks:plan': ({ client, remove }) => parts.planHooks(client, remove),
		'hooks:apply': ({ client, remove }) => parts.applyHooks(client, remove),
		...parts.failover,
		...parts.models,
		...parts.records,
		'demo:start': async () => ({ agents: await parts.startDemo() }),
		'demo:stop': () => ({ agents: parts.stopDemo() }),
	};
}
