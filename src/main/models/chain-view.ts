/** Chains as window, tray, command line and state files see them. */
import type { ChainModelView, ModelChainView } from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { categoryOf } from './categories.ts';
import { type ChainEntry, cooldownMsOf, modelsOf } from './chain-book.ts';
import { freeAt, mayStandIn, mayTest } from './decide.ts';
import type { ModelMachine } from './machine.ts';
import { resumeAt } from './model-breaker.ts';
import type { StateRecord } from './state-record.ts';
import { chainWords } from './words.ts';

const nobody = { provider: null, caller: null, tried: new Set<string>() };

export function chainView(entry: ChainEntry, machine: ModelMachine, now: number): ModelChainView {
	const { chain, circuit, id, source } = entry;
	const { provider, preferredModel, fallbackChain, cooldownMinutes } = chain;
	const probe = machine.probes.underWay(provider, preferredModel, now);
	const modelInUse = machine.inUse(entry);
	const decision = machine.peek(entry, { ...nobody, now });
	const trouble = modelsOf(chain).flatMap((model) => machine.facts.spendTrouble(provider, model) ?? [])[0];
	return {
		id,
		provider,
		preferredModel,
		fallbackChain: [...fallbackChain],
		cooldownMinutes,
		state: circuit.state,
		currentFallbackIndex: machine.fallbackIndex(entry),
		openedAt: circuit.openedAt,
		halfOpenSuccesses: circuit.halfOpenSuccesses,
		consecutiveFailures: circuit.consecutiveFailures,
		metrics: circuit.metrics,
		modelInUse,
		why: chainWords(entry, modelInUse, probe !== null),
		resumeAt: future(resumeAt(circuit, cooldownMsOf(chain)), now),
		waitUntil: decision.kind === 'wait' ? decision.resumeAt : null,
		probe: probe === null ? null : { holder: probe.holder, since: probe.since, until: probe.until },
		held: circuit.hold !== null,
		spendLimit:
			trouble === undefined
				? null
				: { model: trouble.model, said: visibleText(trouble.said), at: trouble.at },
		models: [
			preferredView(entry, machine, now),
			...fallbackChain.map((model) => fallbackView(model, entry, modelInUse, machine, now)),
		],
		source,
		repositories: machine.book.repositoriesOf(id),
	};
}

function preferredView(entry: ChainEntry, machine: ModelMachine, now: number): ChainModelView {
	const { chain, circuit, because } = entry;
	const model = { model: chain.preferredModel, category: categoryOf(chain.preferredModel) };
	if (circuit.state === 'closed') return { ...model, state: 'in-use', until: null, why: '' };
	if (circuit.hold !== null) return { ...model, state: 'skipped', until: null, why: 'You hold it back.' };
	if (mayTest(entry, { ...nobody, now }, machine.parts)) {
		return { ...model, state: 'ready', until: null, why: '' };
	}
	const until = future(resumeAt(circuit, cooldownMsOf(chain)), now);
	return { ...model, state: 'limited', until, why: visibleText(because.said) || 'It was rate-limited.' };
}

function fallbackView(
	model: string,
	entry: ChainEntry,
	inUse: string | null,
	machine: ModelMachine,
	now: number,
): ChainModelView {
	const { provider, preferredModel } = entry.chain;
	const is = { model, category: categoryOf(model) };
	if (!mayStandIn(model, entry, machine.parts.allowCostlier)) {
		const why =
			model === preferredModel
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
	const until = freeAt(model, entry, { provider, now }, machine.parts);
	if (until <= now) return { ...is, state: 'ready', until: null, why: '' };
	const said = visibleText(machine.facts.limit(provider, model)?.said ?? '');
	return { ...is, state: 'limited', until, why: said || 'It was rate-limited.' };
}

/** What the state file of a repository with this chain says. */
export function stateRecord(entry: ChainEntry, machine: ModelMachine): StateRecord {
	const { chain, circuit } = entry;
	return {
		state: circuit.state,
		preferredModel: chain.preferredModel,
		fallbackChain: chain.fallbackChain,
		currentFallbackIndex: machine.fallbackIndex(entry),
		cooldownMinutes: chain.cooldownMinutes,
		openedAt: circuit.openedAt,
		halfOpenSuccesses: circuit.halfOpenSuccesses,
		consecutiveFailures: circuit.consecutiveFailures,
		metrics: circuit.metrics,
		resumeAt: resumeAt(circuit, cooldownMsOf(chain)),
	};
}

function future(at: number | null, now: number): number | null {
	return at !== null && at > now ? at : null;
}
