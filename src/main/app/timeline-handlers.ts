/** What the window asks about one agent's past, its usage and its work tree. */
import { isAbsolute } from 'node:path';
import { ChannelError, type RequestHandlers } from '../../shared/channels.ts';
import type { TimelinePage, TreeChanges } from '../../shared/timeline.ts';
import { NO_USAGE } from '../../shared/usage-view.ts';
import type { Agent } from '../floor/agent.ts';
import type { Floor } from '../floor/floor.ts';
import { gitChanges } from '../machine/git-changes.ts';
import type { WorkTreeScanner } from '../machine/work-tree.ts';
import { isDirectory } from './squad-directory.ts';

export type TimelineHandlers = Pick<RequestHandlers, 'agent:timeline' | 'agent:changes' | 'agent:usage'>;

export interface TimelineHandlerParts {
	readonly floor: Floor;
	readonly now: () => number;
	readonly page: (agentId: string, before: number | null, limit: number) => TimelinePage;
	/** By model, of what the session files say. */
	readonly modelsOf: (agent: Agent) => Awaited<ReturnType<TimelineHandlers['agent:usage']>>;
	readonly workTrees: Pick<WorkTreeScanner, 'newestChange'>;
}

export function createTimelineHandlers(parts: TimelineHandlerParts): TimelineHandlers {
	const known = (agentId: string): Agent => {
		const agent = parts.floor.agent(agentId);
		if (agent) return agent;
		throw new ChannelError({
			code: 'unknown-agent',
			message: 'This agent is no longer on the floor.',
			meaning: 'Its timeline may still be there; its work tree is not looked at.',
			remedy: 'Choose an agent of the floor.',
		});
	};
	return {
		'agent:timeline': ({ agentId, before, limit }) => parts.page(agentId, before, limit),
		'agent:changes': ({ agentId }) => changesOf(known(agentId), parts),
		'agent:usage': ({ agentId }) => {
			const agent = known(agentId);
			const models = parts.modelsOf(agent);
			const counted = models.reduce((sum, { amount }) => sum + amount.work, 0);
			const { usage } = agent;
			if (usage === null || usage.work <= counted) return models;
			// Somebody else counted it (the gateway, telemetry), and not by model.
			const { input, output, cacheRead, cacheCreation, work, localWork, costUsd, unpricedModels } = usage;
			const whole = { input, output, cacheRead, cacheCreation, work, localWork, costUsd, unpricedModels };
			return [
				{
					model: agent.model ?? '',
					local: localWork === work && work > 0,
					amount: { ...NO_USAGE, ...whole },
				},
			];
		},
	};
}

async function changesOf(
	{ directory, demo }: Agent,
	{ now, workTrees }: TimelineHandlerParts,
): Promise<TreeChanges> {
	const none = (note: string): TreeChanges => ({ asOf: now(), source: 'none', files: [], more: 0, note });
	if (demo) return none('A played agent has no work tree.');
	if (directory === '') return none('Where it works is not known.');
	if (!isAbsolute(directory) || !isDirectory(directory))
		return none('Its directory is not there any more, or is not yours to read.');
	const changes = await gitChanges(directory);
	if (typeof changes === 'object')
		return { asOf: now(), source: 'git', files: [...changes.files], more: changes.more, note: '' };
	// Without git, only when something changed is known, and what that was.
	const { changedAt, path, complete } = await workTrees.newestChange(directory);
	const why =
		changes === 'cut'
			? 'Git took too long, or too much has changed.'
			: 'It is no git work tree, or git is not installed.';
	if (changedAt === null || path === null) return none(why);
	const rest = complete ? '' : ' Not every file was looked at yet.';
	return {
		asOf: now(),
		source: 'scan',
		files: [{ path, change: 'changed', added: null, removed: null, at: changedAt }],
		more: 0,
		note: `${why} Only the newest change is known.${rest}`,
	};
}
