/** `agent-floor failover`: who waits for a decision, and the decision, without a window. */
import { parseArgs } from 'node:util';
import type { FailoverPopup, FailoverView } from '../../shared/failover-view.ts';
import type { FloorSnapshot } from '../../shared/snapshot.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { type Command, type CommandContext, dataDirectoryOf, type ExitCode, UsageError } from './command.ts';
import { commandWords, consentList, failoverOverview, turnsWords } from './failover-overview.ts';
import { RunningFloor } from './running-floor.ts';

const verbs = ['switch', 'wait', 'queue', 'allow', 'deny'] as const;
type Verb = (typeof verbs)[number];

export const failoverCommand: Command = {
	name: 'failover',
	summary: 'Show providers, local models and what waits; switch, wait or queue; allow or deny',
	usage: `Usage: agent-floor failover [--json] [--data=DIR]
       agent-floor failover switch [MODEL]   [Switch & continue] with the recommended model, or with MODEL
       agent-floor failover wait             [Wait for network]
       agent-floor failover queue            [Queue for retry]
       agent-floor failover allow|deny [ID]  [Allow once] or [Deny] for a destructive command that waits

Without a word it shows what waits, each command with its ID. With several popups, --provider=ID names
the one that is meant; with several commands, ID is needed. Exit code 1 when no floor runs, or nothing waits.`,
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
		const [word, which, ...more] = positionals;
		const verb = verbs.find((known) => known === word);
		if (word !== undefined && verb === undefined) {
			throw new UsageError(`"${word}" is not switch, wait, queue, allow or deny`);
		}
		if (more.length > 0) throw new UsageError('too many words');
		const directory = dataDirectoryOf({ env, homeDirectory }, values.data);
		const floor = await RunningFloor.findOrSay(directory, err);
		if (!floor) return 1;
		const snapshot = await floor.request('floor:snapshot', undefined);
		if (verb === undefined) {
			out(values.json ? JSON.stringify(snapshot.failover) : failoverOverview(snapshot));
			return 0;
		}
		const say = { out, err };
		if (verb === 'allow' || verb === 'deny') return answerConsent(floor, snapshot, verb, which, say);
		return decide(floor, popupOf(snapshot.failover, values.provider), verb, which, say);
	},
};

type Say = Pick<CommandContext, 'out' | 'err'>;

async function decide(
	floor: RunningFloor,
	popup: FailoverPopup | undefined,
	verb: Exclude<Verb, 'allow' | 'deny'>,
	model: string | undefined,
	{ out, err }: Say,
): Promise<ExitCode> {
	if (verb !== 'switch' && model !== undefined) throw new UsageError('too many words');
	if (!popup) {
		err('Nothing waits for a decision.');
		return 1;
	}
	const { id: popupId } = popup;
	const which = turnsWords(popup);
	const isOne = popup.turns.length === 1;
	if (verb === 'switch') {
		const { modelId, name } = chosen(popup, model);
		await floor.request('failover:switch', { popupId, modelId });
		out(`Done: ${which} ${isOne ? 'goes' : 'go'} on with ${visibleText(name, { limit: 80 })}.`);
	} else if (verb === 'wait') {
		await floor.request('failover:wait', { popupId });
		out(`Done: ${which} ${isOne ? 'waits' : 'wait'} for the network, until failover.holdSeconds are over.`);
	} else {
		await floor.request('failover:queue', { popupId });
		out(
			`Done: ${which} ${isOne ? 'was' : 'were'} queued for retry; see Outbox in the window for the answer.`,
		);
	}
	return 0;
}

async function answerConsent(
	floor: RunningFloor,
	{ failover, at }: FloorSnapshot,
	verb: 'allow' | 'deny',
	id: string | undefined,
	{ out, err }: Say,
): Promise<ExitCode> {
	const { consents } = failover;
	if (id === undefined && consents.length > 1) {
		err(`${consents.length} commands wait; name the one that you mean:\n${consentList(consents, at)}`);
		return 2;
	}
	const consent = id === undefined ? consents[0] : consents.find((one) => one.id === id);
	if (!consent) {
		err(
			id === undefined ? 'No command waits for your consent.' : `No command "${id}" waits for your consent.`,
		);
		return 1;
	}
	await floor.request('consent:answer', { consentId: consent.id, allow: verb === 'allow' });
	out(`${verb === 'allow' ? 'Allowed, this once' : 'Denied'}:\n${commandWords(consent)}`);
	return 0;
}

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
function chosen(popup: FailoverPopup, model: string | undefined): { modelId: string; name: string } {
	const found =
		model === undefined
			? popup.candidates[0]
			: popup.candidates.find((candidate) => candidate.model === model || candidate.modelId === model);
	if (found) return { modelId: found.modelId, name: found.model };
	const excluded = popup.excluded.find((one) => one.model === model || one.modelId === model);
	const why = excluded?.excluded ?? popup.refusal;
	throw new UsageError(why === '' ? `no local model "${model}" is known` : why);
}
