/**
 * One repository's state file, for the time in which a floor has the machine-wide state and does not answer. Read and
 * written as a script would (seed 000, "PowerShell Functions"): the floor takes over later what stands there.
 */
import { join } from 'node:path';
import { isSameModel } from '../../shared/model-names.ts';
import type { ModelsSettings } from '../../shared/models-settings.ts';
import {
	emptyModelsView,
	type ModelCaller,
	type ModelChoiceView,
	type ModelReport,
	type ModelsView,
} from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { modelLocksDirectory } from '../app/model-book.ts';
import { squadDirectoryOf } from '../app/squad-directory.ts';
import {
	type Circuit,
	closedCircuit,
	onFallbackLimit,
	onFallbackSuccess,
	onPreferredLimit,
	onPreferredSuccess,
} from '../models/model-breaker.ts';
import { parseStateFile, printStateFile } from '../models/state-file.ts';
import { defaultStateRecord, STATE_FILE, type StateRecord } from '../models/state-record.ts';
import { updateLockedFile } from '../store/locked-file.ts';
import { StoreError } from '../store/store-error.ts';
import type { ModelAuthority, Reported } from './model-authority.ts';

export class MirrorAuthority implements ModelAuthority {
	readonly #dataDirectory: string;
	readonly #settings: ModelsSettings;

	constructor(dataDirectory: string, settings: ModelsSettings) {
		this.#dataDirectory = dataDirectory;
		this.#settings = settings;
	}

	/** Whether the cooldown is over is the floor's to say: until it does, the fallback is used. */
	current(caller: ModelCaller): Promise<ModelChoiceView> {
		return this.#update(caller, (record) => ({ record, result: choiceOf(record, caller) }));
	}

	report(report: ModelReport): Promise<Reported> {
		return this.#update(report, (before) => {
			refuseOtherChain(before, report);
			const record = reported(before, report, Date.now());
			const result = { choice: choiceOf(record, report), before: emptyModelsView, after: emptyModelsView };
			return { record, result };
		});
	}

	view(): Promise<ModelsView> {
		return Promise.reject(unanswered('Nothing can be said of the other repositories.'));
	}

	probe(): Promise<ModelsView> {
		return Promise.reject(unanswered('Nothing was changed.'));
	}

	hold(): Promise<ModelsView> {
		return Promise.reject(unanswered('Nothing was changed.'));
	}

	async #update<T>(
		caller: ModelCaller,
		change: (record: StateRecord) => { readonly record: StateRecord; readonly result: T },
	): Promise<T> {
		const { root, isMirrored } = squadDirectoryOf(caller.directory);
		const beginning = this.#beginning(caller);
		if (!isMirrored) {
			const { record, result } = change(beginning);
			if (record === beginning) return result;
			throw unanswered('This repository has no .squad directory, so the report was not kept.');
		}
		const options = {
			locksDirectory: modelLocksDirectory(this.#dataDirectory),
			forScripts: true,
			meaning: 'What was to be reported of the model is lost.',
		};
		const { result } = await updateLockedFile(join(root, STATE_FILE), options, (present) => {
			const parsed = present === null ? null : parseStateFile(present, Date.now());
			if (parsed?.ok === false) return { kind: 'damaged', problem: parsed.problem };
			const before = parsed?.record ?? beginning;
			const { record, result: answer } = change(before);
			if (record === before) return { kind: 'keep', result: answer };
			return { kind: 'write', bytes: printStateFile(record, present), result: answer };
		});
		return result;
	}

	/** Where there is no file: what the floor would begin one with. */
	#beginning({ preferredModel, provider }: ModelCaller): StateRecord {
		const { chains } = this.#settings;
		const asked = chains.filter((chain) => preferredModel === undefined || prefers(chain, preferredModel));
		const chain = asked.find((each) => each.provider === provider) ?? asked[0];
		if (chain === undefined) {
			return preferredModel === undefined
				? defaultStateRecord
				: { ...defaultStateRecord, preferredModel, fallbackChain: [] };
		}
		return {
			...defaultStateRecord,
			preferredModel: chain.preferredModel,
			fallbackChain: chain.fallbackChain,
			cooldownMinutes: chain.cooldownMinutes,
		};
	}
}

function prefers(chain: Pick<StateRecord, 'preferredModel'>, model: string): boolean {
	return isSameModel(chain.preferredModel, model);
}

/** The file knows one chain: what is said of another would be lost without a word. */
function refuseOtherChain(record: StateRecord, { outcome, model, preferredModel }: ModelReport): void {
	if (outcome === 'success' || outcome === 'other') return;
	const known = [record.preferredModel, ...record.fallbackChain];
	const about = model ?? preferredModel ?? record.preferredModel;
	if (known.some((each) => isSameModel(each, about))) return;
	throw unanswered(
		`The state file of this repository knows nothing of ${visibleText(about, { limit: 80 })}, so the report was not kept.`,
	);
}

function unanswered(meaning: string): StoreError {
	return new StoreError({
		code: 'in-use',
		message: 'A floor has the machine-wide state of the models, but does not answer.',
		meaning,
		remedy: 'Wait a moment and try again, or end that floor.',
	});
}

function choiceOf(record: StateRecord, { preferredModel }: ModelCaller): ModelChoiceView {
	const { state, fallbackChain, currentFallbackIndex } = record;
	// The file knows one chain.
	const isOwn = preferredModel === undefined || prefers(record, preferredModel);
	const preferred = isOwn ? record.preferredModel : preferredModel;
	const isOther = !isOwn || state === 'closed';
	const fallback = fallbackChain[Math.min(currentFallbackIndex, fallbackChain.length - 1)];
	const model = isOther || fallback === undefined ? preferred : fallback;
	return {
		model,
		preferredModel: preferred,
		state: isOther ? 'closed' : state,
		isFallback: model !== preferred,
		isProbe: false,
		resumeAt: null,
		why: '',
	};
}

function reported(record: StateRecord, report: ModelReport, now: number): StateRecord {
	const { preferredModel, fallbackChain, cooldownMinutes } = record;
	const { outcome, model = choiceOf(record, report).model, retryAfterMs = null } = report;
	const circuit: Circuit = { ...closedCircuit, ...record, notBefore: record.resumeAt };
	const index = model === null ? -1 : fallbackChain.indexOf(model);
	if (outcome === 'rate-limit' && model === preferredModel) {
		const cooldownMs = cooldownMinutes * 60_000;
		return after(record, onPreferredLimit(circuit, { now, wishMs: retryAfterMs, cooldownMs, random: 0 }));
	}
	if (outcome === 'rate-limit' && index !== -1) {
		const limit = { now, index, fallbackCount: fallbackChain.length, cooldownResetBy: 'preferred' } as const;
		return after(record, onFallbackLimit(circuit, limit));
	}
	if (outcome !== 'success') return record;
	return after(
		record,
		model === preferredModel ? onPreferredSuccess(circuit, now) : onFallbackSuccess(circuit),
	);
}

function after(record: StateRecord, circuit: Circuit): StateRecord {
	const { state, currentFallbackIndex, openedAt, halfOpenSuccesses, consecutiveFailures, metrics } = circuit;
	return {
		...record,
		state,
		currentFallbackIndex,
		openedAt,
		halfOpenSuccesses,
		consecutiveFailures,
		metrics,
		resumeAt: circuit.notBefore,
	};
}
