/** `agent-floor failover`: who waits for a decision, and the decision, without a window. */
import { parseArgs } from 'node:util';
import type { FailoverPopup, FailoverView } from '../../shared/failover-view.ts';
import type { FloorSnapshot } from '../../shared/snapshot.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { type Command, dataDirectoryOf, UsageError } from './command.ts';
import { RunningFloor } from './running-floor.ts';

export const failoverCommand: Command = {
	name: 'failover',
	summary: 'Show providers, local models and what waits; switch, wait or queue',
	usage: `Usage: agent-floor failover [--json] [--data=DIR]
       agent-floor failover switch [MODEL]   [Switch & continue] with the recommended model, or with MODEL
       agent-floor failover wait             [Wait for network]
       agent-floor failover queue            [Queue for retry]

With several popups, --provider=ID names the one that is meant. Exit code 1 when no floor runs, or nothing waits.`,
	async run({ args, env, homeDirectory, out, err }) {
		const { values, positionals } = parseArgs({
			args: [...args],
			allowPositionals: true,
			options: {
				json: { type: 'boolean', default: false },
				data: { type: 'string' },
				provider: { type: 'string' },
			},
		});
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.find(directory);
		if (!floor) {
			err(`No floor runs on ${directory}. Start it with npm start.`);
			return 1;
		}
		const snapshot = await floor.request('floor:snapshot', undefined);
		const [verb, model] = positionals;
		if (verb === undefined) {
			out(values.json ? JSON.stringify(snapshot.failover) : overview(snapshot));
			return 0;
		}
		const popup = popupOf(snapshot.failover, values.provider);
		if (!popup) {
			err('Nothing waits for a decision.');
			return 1;
		}
		if (verb === 'switch') await floor.request('failover:switch', chosen(popup, model));
		else if (verb === 'wait') await floor.request('failover:wait', { popupId: popup.id });
		else if (verb === 'queue') await floor.request('failover:queue', { popupId: popup.id });
		else throw new UsageError(`"${verb}" is not switch, wait or queue`);
		out(`Done: ${verb}, for ${turns(popup)} of ${popup.providerName}.`);
		return 0;
	},
};

/** Throws a `UsageError` when several wait and none is named. */
function popupOf({ popups }: FailoverView, providerId: string | undefined): FailoverPopup | undefined {
	if (providerId !== undefined) return popups.find((popup) => popup.providerId === providerId);
	if (popups.length > 1) {
		throw new UsageError(
			`several wait: name one with --provider=${popups.map((popup) => popup.providerId).join('|')}`,
		);
	}
	return popups[0];
}

/** Throws a `UsageError` when that model cannot take the turns. */
function chosen(popup: FailoverPopup, model: string | undefined): { popupId: string; modelId: string } {
	const found =
		model === undefined
			? popup.candidates[0]
			: popup.candidates.find((candidate) => candidate.model === model || candidate.modelId === model);
	if (found) return { popupId: popup.id, modelId: found.modelId };
	const excluded = popup.excluded.find((one) => one.model === model || one.modelId === model);
	const why = excluded?.excluded ?? popup.refusal;
	throw new UsageError(why === '' ? `no local model "${model}" is known` : why);
}

function overview({ status, failover }: FloorSnapshot): string {
	const { providers, localServers, capability, popups, outbox, consents } = failover;
	const lines = [`${status.tier}: ${status.tierReason}`, '', 'Providers'];
	for (const { name, remote, breaker, reason } of providers) {
		lines.push(
			`  ${name.padEnd(16)} ${remote.padEnd(13)} breaker ${breaker}${reason === '' ? '' : `  (${reason})`}`,
		);
	}
	lines.push('', 'Local servers');
	for (const { id, state, baseUrl, problem } of localServers) {
		lines.push(`  ${id.padEnd(16)} ${state.padEnd(13)} ${baseUrl}${problem === '' ? '' : `  (${problem})`}`);
	}
	for (const { id, fit, fitReason, context } of capability.localModels) {
		const tokens = context.inUse === null ? 'context unknown' : `${context.inUse} tokens of context`;
		lines.push(`    ${visibleText(id, { limit: 60 }).padEnd(40)} ${fit.padEnd(12)} ${tokens}; ${fitReason}`);
	}
	for (const popup of popups) {
		lines.push('', popup.sentence, `  ${turns(popup)}. ${popup.recommendation || popup.refusal}`);
	}
	if (consents.length > 0) lines.push('', `${consents.length} destructive commands wait for your consent.`);
	if (outbox.queued + outbox.uncertain > 0) {
		lines.push('', `Outbox: ${outbox.queued} queued, ${outbox.uncertain} uncertain.`);
	}
	return lines.join('\n');
}

function turns({ turns: held }: FailoverPopup): string {
	return `${held.length} ${held.length === 1 ? 'turn is' : 'turns are'} held`;
}
