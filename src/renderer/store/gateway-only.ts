/** An agent of whom only its calls through the gateway are known. Pure. */
import type { AgentView } from '../../shared/agent-view.ts';

/** True when something answered it and no hook has ever told of it: hooks bring a directory with the first word. */
export function isGatewayOnly({ served, directory, lastTools, doing, usage, demo }: AgentView): boolean {
	const silent = directory === '' && lastTools.length === 0 && doing === null && usage === null;
	return served !== null && silent && !demo;
}
