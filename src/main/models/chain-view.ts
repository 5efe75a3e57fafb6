/** Chains as window, tray, command line and state files see them. */

import { isSameModel } from '../../shared/model-names.ts';
import type { ChainModelView, ModelChainView } from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { callerKey } from './callers.ts';
import { categoryOf } from './categories.ts';
import type { ChainEntry } from './chain-book.ts';
import { type Asking, freeAt, mayStandIn, mayTest, nothingTried } from './decide.ts';
import type { ModelMachine } from './machine.ts';
import { type Circuit, resumeAt } from './model-breaker.ts';
import { cooldownMsOf, modelsOf } from './model-chain.ts';
import type { Probe } from './probes.ts';
import { scriptKey } from './scripts.ts';
import type { StateRecord } from './state-record.ts';
import { chainWords } from './words.ts';

const HOUR_MS = 3_600_000;

export function chainViews(machine: ModelMachine, now: number): ModelChainView[] {
	const { book } = machine;
	const repositories = book.repositoriesByChain();
	return book.all().map((entry) => ({
		...chainView(entry, machine, now),
		repositories: repositories.get(entry.id) ?? [],
	}));
}

function chainView(
	entry: ChainEntry,
	machine: ModelMachine,
	now: number,
): Omit<ModelChainView, 'repositories'> {
	const { chain, circuit, id, source } = entry;
	const { provider, preferredModel, fallbackChain, cooldownMinutes } = chain;
	const probe = machine.probes.underWay(provider, preferredModel, now);
	// A chain of all providers is shown as it stands where its limit came from.
	const seenFrom = provider ?? entry.because.provider;
	const asking = { provider: seenFrom, tried: nothingTried, now };
	const modelInUse = machine.inUse(entry, seenFrom);
	const decision = machine.peek(entry, asking);
	const trouble = modelsOf(chain).flatMap((model) => machine.facts.spendTrouble(provider, model) ?? [])[0];
	return {
		id,
		provider,
		preferredModel,
		fallbackChain: [...fallbackChain],
		cooldownMinutes,
		state: circuit.state,
		currentFallbackIndex: circuit.currentFallbackIndex,
		openedAt: circuit.openedAt,
		halfOpenSuccesses: circuit.halfOpenSuccesses,
		consecutiveFailures: circuit.consecutiveFailures,
		metrics: circuit.metrics,
		modelInUse,
		why: chainWords(entry, modelInUse, probe !== null),
		resumeAt: future(resumeAt(circuit, cooldownMsOf(chain)), now),
		waitUntil: decision.kind === 'wait' && !decision.isGuess ? decision.resumeAt : null,
		probe: probe === null ? null : { holder: probe.holder, since: probe.since, until: probe.until },
		held: circuit.hold !== null,
		spendLimit:
			trouble === undefined
				? null
				: { model: trouble.model, said: visibleText(trouble.said), at: trouble.at },
		models: [
			preferredView(entry, asking, machine),
			...fallbackChain.map((model) => fallbackView(model, entry, modelInUse, asking, machine)),
		],
		source,
	};
}

function preferredView(entry: ChainEntry, asking: Asking, machine: ModelMachine): ChainModelView {
	const { chain, circuit, because } = entry;
	const model = { model: chain.preferredModel, category: categoryOf(chain.preferredModel) };
	if (circuit.state === 'closed') return { ...model, state: 'in-use', until: null, why: '' };
	if (circuit.hold !== null) return { ...model, state: 'skipped', until: null, why: 'You hold it back.' };
	if (mayTest(entry, asking, machine.parts)) {
		return { ...model, state: 'ready', until: null, why: '' };
	}
	const until = future(resumeAt(circuit, cooldownMsOf(chain)), asking.now);
	return { ...model, state: 'limited', until, why: visibleText(because.said) || 'It was rate-limited.' };
}

function fallbackView(
	model: string,
	entry: ChainEntry,
	inUse: string | null,
	asking: Asking,
	machine: ModelMachine,
): ChainModelView {
	const { provider: account, preferredModel } = entry.chain;
	const { provider, now } = asking;
	const is = { model, category: categoryOf(model) };
	if (!mayStandIn(model, entry, machine.parts.allowCostlier)) {
		const why = isSameModel(model, preferredModel)
			? 'It is the preferred model itself.'
			: `It is of a costlier category than ${visibleText(preferredModel)}, and the settings do not allow that.`;
		return { ...is, state: 'skipped', until: null, why };
	}
	if (model === inUse) return { ...is, state: 'in-use', until: null, why: '' };
	const unserved = machine.facts.unserved(provider, model, now);
	if (unserved !== null) {
		const why = visibleText(unserved.said) || 'It is not served there.';
		return { ...is, state: 'skipped', until: unserved.until, why };
	}
	const until = freeAt(model, entry, asking, machine.parts);
	if (until <= now) return { ...is, state: 'ready', until: null, why: '' };
	const said = visibleText(machine.facts.limit(account, model)?.said ?? '');
	return { ...is, state: 'limited', until, why: said || 'It was rate-limited.' };
}

/** What the state file of that repository says, if this is its chain (`state-record.ts`). */
export function stateRecord(
	{ chain, circuit }: ChainEntry,
	directory: string,
	{ probes }: Pick<ModelMachine, 'probes'>,
	now: number,
): StateRecord {
	const { preferredModel, fallbackChain, cooldownMinutes, provider } = chain;
	const { currentFallbackIndex, consecutiveFailures, metrics } = circuit;
	const probe = probes.underWay(provider, preferredModel, now);
	const isTester = circuit.state === 'half-open' && isHeldIn(directory, probe);
	const mayTryAt = isTester ? null : tryableAt(circuit, cooldownMsOf(chain), probe, now);
	return {
		state: circuit.state === 'half-open' && !isTester ? 'open' : circuit.state,
		preferredModel,
		fallbackChain,
		currentFallbackIndex,
		cooldownMinutes,
		openedAt: mayTryAt === null ? circuit.openedAt : mayTryAt - cooldownMsOf(chain),
		halfOpenSuccesses: isTester ? circuit.halfOpenSuccesses : 0,
		consecutiveFailures,
		metrics,
		resumeAt: mayTryAt,
	};
}

/** When somebody who does not hold the test call may try the preferred model, whole ms; `null` while closed. */
function tryableAt(circuit: Circuit, cooldownMs: number, probe: Probe | null, now: number): number | null {
	const { state, openedAt, hold } = circuit;
	if (state === 'closed' || openedAt === null) return null;
	// Nobody knows how long: always an hour or two ahead, so that the file changes once an hour only.
	if (hold !== null) return (Math.floor(now / HOUR_MS) + 2) * HOUR_MS;
	// Half-open without a test call that is under way: whoever comes first makes it.
	const at = resumeAt(circuit, cooldownMs) ?? openedAt;
	return Math.round(probe === null ? at : Math.max(at, probe.until));
}

function isHeldIn(directory: string, probe: Probe | null): boolean {
	const caller = probe?.caller ?? null;
	return caller !== null && (caller === scriptKey(directory) || caller.startsWith(callerKey(directory, '')));
}

function future(at: number | null, now: number): number | null {
	return at !== null && at > now ? at : null;
}
