/** What scripts did to a repository's state file, taken over: it counts for the whole machine. */
import { MAX_RETRY_AFTER_MS } from '../../shared/retry-after.ts';
import type { ChainEntry } from './chain-book.ts';
import type { ModelMachine } from './machine.ts';
import { lengthened, onFallbackSuccess, resumeAt, SUCCESSES_TO_CLOSE } from './model-breaker.ts';
import { cooldownMsOf, modelsOf } from './model-chain.ts';
import { spelledIn } from './model-names.ts';
import type { Call, Outcomes } from './outcomes.ts';
import type { ScriptDeed } from './script-deed.ts';

/** Does to the machine what a script did to the file of `directory`. */
export function adoptDeed(
	directory: string,
	deed: ScriptDeed,
	machine: ModelMachine,
	outcomes: Outcomes,
	now: number,
): void {
	if (deed.kind === 'configured') {
		machine.setRepository(directory, deed.chain);
		return;
	}
	const entry = machine.book.ofDirectory(directory, null);
	if (entry === null) return;
	switch (deed.kind) {
		case 'limited': {
			const limited = { kind: 'limited', retryAfterMs: null, said: '' } as const;
			outcomes.take(callOf(entry, deed.model), limited, plausibleTime(deed.at, now));
			break;
		}
		case 'succeeded': {
			const call = callOf(entry, entry.chain.preferredModel);
			for (let count = 0; count < Math.min(deed.count, SUCCESSES_TO_CLOSE); count += 1) {
				outcomes.take(call, { kind: 'ok' }, now);
			}
			break;
		}
		case 'probe-ended':
			endTest(directory, entry, machine, now);
			break;
		case 'answered':
			machine.set(entry, onFallbackSuccess(entry.circuit));
			break;
		case 'wished':
			lengthen(entry, deed.until, machine);
			break;
		case 'closed':
			outcomes.recovered(entry.chain, now);
			break;
		case 'probe-begun':
			beginTest(directory, entry, machine, now);
			break;
	}
}

/** Whose test call it is when a script in `directory` makes it: a script tells no name. */
export function scriptKey(directory: string): string {
	return `script\n${directory}`;
}

function beginTest(directory: string, entry: ChainEntry, machine: ModelMachine, now: number): void {
	const { provider, preferredModel } = entry.chain;
	const caller = scriptKey(directory);
	machine.beginTest(entry);
	const isFree = machine.probes.isFree(provider, preferredModel, caller, now);
	if (entry.circuit.state !== 'half-open' || !isFree) return;
	const holder = `a script in ${directory}`;
	const serial = machine.nextSerial();
	machine.takeProbe({ account: provider, model: preferredModel, holder, caller, serial });
}

function endTest(directory: string, { chain }: ChainEntry, machine: ModelMachine, now: number): void {
	const { provider, preferredModel } = chain;
	const probe = machine.probes.underWay(provider, preferredModel, now);
	if (probe?.caller === scriptKey(directory)) machine.releaseProbe(provider, preferredModel, probe.serial);
}

/** Exactly until then, jitter included: floors that share a file come to rest on one time. */
function lengthen({ chain }: ChainEntry, until: number, machine: ModelMachine): void {
	const { provider, preferredModel } = chain;
	const limit = machine.facts.limit(provider, preferredModel);
	if (limit !== null) machine.facts.extendLimit(limit, until);
	for (const entry of machine.book.preferring(provider, preferredModel)) {
		const at = resumeAt(entry.circuit, cooldownMsOf(entry.chain));
		if (at === null || until <= Math.round(at)) continue;
		machine.set(entry, lengthened(entry.circuit, until - entry.circuit.jitterMs));
	}
}

function callOf(entry: ChainEntry, named: string): Call {
	const { chain } = entry;
	const model = spelledIn(modelsOf(chain), named) ?? named;
	return { entry, provider: chain.provider, model, serial: null, success: 'counts' };
}

/** When something happened, where a file says it: not in the future, and not longer ago than a wish can reach. */
function plausibleTime(at: number | null, now: number): number {
	return at === null || at > now || at < now - MAX_RETRY_AFTER_MS ? now : at;
}
