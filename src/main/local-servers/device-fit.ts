/** Whether a model sits well on this machine (seed 003, section 3: COMFORTABLE > TIGHT > OVER). Pure. */
import type { DeviceFit } from '../../shared/capability.ts';
import { compactNumber } from '../../shared/format.ts';
import { type DeviceMemory, memoryWords } from './device-memory.ts';
import type { ModelFacts } from './reading.ts';

export interface FitFacts
	extends Pick<ModelFacts, 'loaded' | 'sizeBytes' | 'bytesPerToken' | 'memory' | 'context'> {
	/** False: the server runs on another machine, whose memory cannot be read from here. */
	readonly isHere: boolean;
	/** Its server takes the memory for a model and its context when it starts, or does not start. */
	readonly isReserved: boolean;
}

export interface FitVerdict {
	readonly fit: DeviceFit;
	/** For the card, after the model's name: "fits your GPU". */
	readonly clause: string;
	/** The clause with its numbers: "Fits your GPU: about 19 GB of 24 GB GPU memory." */
	readonly reason: string;
}

/** Share of GPU (or unified) memory up to which a model leaves room for the rest. */
export const COMFORTABLE_SHARE = 0.8;
/** Share of system memory that models can have beside the system itself. */
export const SYSTEM_SHARE = 0.9;

const KIB = 1024;
const GIB = 1024 ** 3;
/** Context that is reckoned with when the server does not tell how much it gives, tokens. */
const USUAL_CONTEXT = 32_768;

/**
 * What a model takes with its context full, bytes; `null` when its size is not known. Without the architecture a
 * token counts 25 KiB for each GB of weights, within 32 and 256 KiB: what public models of that size need at most.
 */
export function estimatedBytes(
	facts: Pick<FitFacts, 'sizeBytes' | 'bytesPerToken'>,
	tokens: number,
): number | null {
	const { sizeBytes, bytesPerToken } = facts;
	if (sizeBytes === null) return null;
	const rule = Math.min(256, Math.max(32, 25 * (sizeBytes / GIB))) * KIB;
	return sizeBytes + tokens * (bytesPerToken ?? rule);
}

/** Tokens that the estimate is made for: those in use, else the usual number within the model's own limit. */
export function contextToFit(context: ModelFacts['context']): number {
	return context.inUse ?? Math.min(USUAL_CONTEXT, context.max ?? USUAL_CONTEXT);
}

/** Measured where the server tells, else estimated; `UNKNOWN` when neither can be. */
export function deviceFit(facts: FitFacts, device: DeviceMemory): FitVerdict {
	const measured = measuredFit(facts);
	if (measured) return measured;
	if (!facts.isHere) {
		return unknown('its server runs on another machine, whose memory cannot be read from here');
	}
	const tokens = contextToFit(facts.context);
	const need = estimatedBytes(facts, tokens);
	if (need === null) return unknown('its server does not tell its size');
	const estimate = `about ${memoryWords(need)} with ${compactNumber(tokens)} tokens of context`;
	const verdict = device.isUnified ? unifiedFit(need, estimate, device) : cardFit(need, estimate, device);
	// It does run: an estimate that says it cannot is too high.
	if (facts.loaded === true && verdict.fit === 'OVER') {
		return said('TIGHT', 'is loaded, though tightly', `${estimate} would be more than this machine has`);
	}
	return verdict;
}

function measuredFit({ loaded, memory, isReserved, isHere }: FitFacts): FitVerdict | null {
	if (loaded !== true) return null;
	if (isReserved) {
		return said(
			'COMFORTABLE',
			'fits its device',
			'its server took the memory for it and its context at the start',
		);
	}
	if (memory === null) return null;
	const all = memoryWords(memory.total);
	const whose = isHere ? 'your' : 'its';
	if (memory.gpu >= memory.total) {
		return said('COMFORTABLE', `fits ${whose} GPU`, `loaded, all ${all} of it in GPU memory`);
	}
	if (memory.gpu === 0)
		return said('TIGHT', `runs on ${whose} processor`, `loaded, all ${all} of it in system memory`);
	const part = memoryWords(memory.gpu);
	return said(
		'TIGHT',
		`runs partly beside ${whose} GPU`,
		`loaded, ${part} of ${all} in GPU memory, the rest in system memory`,
	);
}

function unifiedFit(need: number, estimate: string, { systemBytes }: DeviceMemory): FitVerdict {
	if (systemBytes === null) return unknown("this machine's memory could not be read");
	const numbers = `${estimate}, of ${memoryWords(systemBytes)} unified memory`;
	if (need <= COMFORTABLE_SHARE * systemBytes) return said('COMFORTABLE', 'fits your memory', numbers);
	if (need <= SYSTEM_SHARE * systemBytes) return said('TIGHT', 'barely fits your memory', numbers);
	return said('OVER', 'does not fit this machine', numbers);
}

function cardFit(need: number, estimate: string, { gpuBytes, systemBytes }: DeviceMemory): FitVerdict {
	if (gpuBytes !== null) {
		const numbers = `${estimate}, of ${memoryWords(gpuBytes)} GPU memory`;
		if (need <= COMFORTABLE_SHARE * gpuBytes) return said('COMFORTABLE', 'fits your GPU', numbers);
		if (need <= gpuBytes) return said('TIGHT', 'barely fits your GPU', numbers);
	}
	if (systemBytes === null) return unknown("this machine's memory could not be read");
	const system = `${memoryWords(systemBytes)} system memory`;
	const where =
		gpuBytes === null ? `${system} (no GPU memory was found)` : `${memoryWords(gpuBytes)} GPU and ${system}`;
	const numbers = `${estimate}, of ${where}`;
	if (need > (gpuBytes ?? 0) + SYSTEM_SHARE * systemBytes)
		return said('OVER', 'does not fit this machine', numbers);
	return said('TIGHT', gpuBytes === null ? 'runs on your processor' : 'runs partly beside your GPU', numbers);
}

function said(fit: DeviceFit, clause: string, numbers: string): FitVerdict {
	return { fit, clause, reason: `${clause[0]?.toUpperCase()}${clause.slice(1)}: ${numbers}.` };
}

function unknown(why: string): FitVerdict {
	return said('UNKNOWN', 'fit not known', why);
}
