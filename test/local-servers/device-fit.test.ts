import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	contextToFit,
	deviceFit,
	estimatedBytes,
	type FitFacts,
} from '../../src/main/local-servers/device-fit.ts';
import { type DeviceMemory, unknownDevice } from '../../src/main/local-servers/device-memory.ts';

const GIB = 1024 ** 3;
const KIB = 1024;

const coder: FitFacts = {
	loaded: false,
	sizeBytes: 17 * GIB,
	bytesPerToken: 96 * KIB,
	memory: null,
	context: { inUse: 32_768, max: 262_144 },
	isHere: true,
	isReserved: false,
};
const card = (gpu: number | null, system: number | null): DeviceMemory => ({
	gpuBytes: gpu === null ? null : gpu * GIB,
	isUnified: false,
	systemBytes: system === null ? null : system * GIB,
});
const unified = (system: number): DeviceMemory => ({
	gpuBytes: null,
	isUnified: true,
	systemBytes: system * GIB,
});

describe('estimated from size and context (17 GB and 3 GB)', () => {
	it.each([
		[
			card(25, 64),
			'COMFORTABLE',
			'Fits your GPU: about 20 GB with 32.8k tokens of context, of 25 GB GPU memory.',
		],
		[
			card(24, 64),
			'TIGHT',
			'Barely fits your GPU: about 20 GB with 32.8k tokens of context, of 24 GB GPU memory.',
		],
		[
			card(16, 64),
			'TIGHT',
			'Runs partly beside your GPU: about 20 GB with 32.8k tokens of context, of 16 GB GPU and 64 GB system memory.',
		],
		[
			card(8, 8),
			'OVER',
			'Does not fit this machine: about 20 GB with 32.8k tokens of context, of 8 GB GPU and 8 GB system memory.',
		],
		[
			card(null, 64),
			'TIGHT',
			'Runs on your processor: about 20 GB with 32.8k tokens of context, of 64 GB system memory (no GPU memory was found).',
		],
		[
			card(null, 16),
			'OVER',
			'Does not fit this machine: about 20 GB with 32.8k tokens of context, of 16 GB system memory (no GPU memory was found).',
		],
		[
			unified(36),
			'COMFORTABLE',
			'Fits your memory: about 20 GB with 32.8k tokens of context, of 36 GB unified memory.',
		],
		[
			unified(24),
			'TIGHT',
			'Barely fits your memory: about 20 GB with 32.8k tokens of context, of 24 GB unified memory.',
		],
		[
			unified(16),
			'OVER',
			'Does not fit this machine: about 20 GB with 32.8k tokens of context, of 16 GB unified memory.',
		],
		[unknownDevice, 'UNKNOWN', "Fit not known: this machine's memory could not be read."],
		[card(8, null), 'UNKNOWN', "Fit not known: this machine's memory could not be read."],
	])('%j: %s', (device, fit, reason) => {
		expect(deviceFit(coder, device)).toMatchObject({ fit, reason });
	});

	it('does not guess without a size, nor about another machine', () => {
		expect(deviceFit({ ...coder, sizeBytes: null }, card(24, 64))).toMatchObject({ fit: 'UNKNOWN' });
		const elsewhere = deviceFit({ ...coder, isHere: false }, card(1, 1));
		expect(elsewhere).toMatchObject({ fit: 'UNKNOWN', reason: expect.stringContaining('another machine') });
	});

	it('believes what runs more than its estimate', () => {
		expect(deviceFit({ ...coder, loaded: true }, card(8, 8))).toMatchObject({ fit: 'TIGHT' });
	});
});

describe('measured where the server tells', () => {
	const loaded = { ...coder, loaded: true };
	it.each([
		[
			{ total: 21 * GIB, gpu: 21 * GIB },
			'COMFORTABLE',
			'Fits your GPU: loaded, all 21 GB of it in GPU memory.',
		],
		[
			{ total: 21 * GIB, gpu: 12 * GIB },
			'TIGHT',
			'Runs partly beside your GPU: loaded, 12 GB of 21 GB in GPU memory, the rest in system memory.',
		],
		[
			{ total: 21 * GIB, gpu: 0 },
			'TIGHT',
			'Runs on your processor: loaded, all 21 GB of it in system memory.',
		],
	])('%j', (memory, fit, reason) => {
		// On a machine that would say the opposite, and for a server elsewhere as well.
		expect(deviceFit({ ...loaded, memory }, card(1, 1))).toMatchObject({ fit, reason });
		expect(deviceFit({ ...loaded, memory, isHere: false }, unknownDevice)).toMatchObject({ fit });
	});

	it('a server that reserves its memory runs in it', () => {
		const facts = { ...loaded, sizeBytes: null, isReserved: true };
		expect(deviceFit(facts, unknownDevice)).toMatchObject({ fit: 'COMFORTABLE', clause: 'fits its device' });
	});

	it('what was measured of a model that is not loaded any more counts for nothing', () => {
		const memory = { total: 1, gpu: 1 };
		expect(deviceFit({ ...coder, memory }, card(8, 8))).toMatchObject({ fit: 'OVER' });
	});
});

it('reckons with the context in use, else with a usual one within the limit', () => {
	expect(contextToFit({ inUse: 4096, max: 262_144 })).toBe(4096);
	expect(contextToFit({ inUse: null, max: 262_144 })).toBe(32_768);
	expect(contextToFit({ inUse: null, max: 8192 })).toBe(8192);
	expect(contextToFit({ inUse: null, max: null })).toBe(32_768);
});

it('the rule of thumb stays within its bounds', () => {
	const perToken = (size: number) =>
		((estimatedBytes({ sizeBytes: size * GIB, bytesPerToken: null }, 1000) ?? 0) - size * GIB) / 1000 / KIB;
	expect(perToken(0.5)).toBe(32);
	expect(perToken(4)).toBe(100);
	expect(perToken(40)).toBe(256);
});

it('property: more memory never fits worse, a larger model or context never better', () => {
	const order = { OVER: 0, TIGHT: 1, COMFORTABLE: 2, UNKNOWN: -1 };
	const gigabytes = fc.integer({ min: 1, max: 200 });
	fc.assert(
		fc.property(
			gigabytes,
			gigabytes,
			fc.option(gigabytes),
			fc.integer({ min: 1, max: 300_000 }),
			fc.boolean(),
			fc.constantFrom('gpu', 'system', 'size', 'context'),
			(size, system, gpu, tokens, isUnified, change) => {
				const facts = { ...coder, sizeBytes: size * GIB, context: { inUse: tokens, max: null } };
				const device = isUnified ? unified(system) : card(gpu, system);
				const base = order[deviceFit(facts, device).fit];
				const more = {
					gpu: { ...device, gpuBytes: device.gpuBytes === null ? null : device.gpuBytes * 2 },
					system: { ...device, systemBytes: 2 * system * GIB },
				};
				const larger = {
					size: { ...facts, sizeBytes: 2 * size * GIB },
					context: { ...facts, context: { inUse: 2 * tokens, max: null } },
				};
				if (change === 'gpu' || change === 'system') {
					expect(order[deviceFit(facts, more[change]).fit]).toBeGreaterThanOrEqual(base);
				} else {
					expect(order[deviceFit(larger[change], device).fit]).toBeLessThanOrEqual(base);
				}
			},
		),
	);
});
