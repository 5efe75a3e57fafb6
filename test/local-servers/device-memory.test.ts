/** What the tools of each system print. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	memoryWords,
	parseCgroupLimit,
	parseMeminfo,
	parseNvidiaSmi,
	parseRegistry,
	parseRocmSmi,
	parseSysctl,
	parseSystemProfiler,
	parseVramFiles,
} from '../../src/main/local-servers/device-memory.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

describe('nvidia-smi', () => {
	it.each([
		['one GPU', '24564\n', 24_564 * MIB],
		['two GPUs', '24564\n24564\n', 49_128 * MIB],
		['Windows line ends', '24564\r\n', 24_564 * MIB],
		['a GPU that shares the system memory', '[N/A]\n', null],
		['one that tells and one that does not', '8192\n[Insufficient Permissions]\n', 8192 * MIB],
		['no driver', "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", null],
		['no such program', '', null],
	])('%s', (_what, text, bytes) => {
		expect(parseNvidiaSmi(text)).toBe(bytes);
	});
});

describe('AMD', () => {
	const card = { 'VRAM Total Memory (B)': '25753026560', 'VRAM Total Used Memory (B)': '1234567890' };
	it.each([
		['one card', JSON.stringify({ card0: card }), 25_753_026_560],
		['two cards', JSON.stringify({ card0: card, card1: card }), 2 * 25_753_026_560],
		[
			'a card that does not tell',
			JSON.stringify({ card0: { 'VRAM Total Memory (B)': 'N/A' }, system: 'x' }),
			null,
		],
		['a warning instead', 'WARNING: AMD GPU device(s) is/are in a low-power state.', null],
		['null', 'null', null],
	])('rocm-smi: %s', (_what, text, bytes) => {
		expect(parseRocmSmi(text)).toBe(bytes);
	});

	it('the files of the driver', () => {
		expect(parseVramFiles(['17163091968\n', ''])).toBe(17_163_091_968);
		expect(parseVramFiles([])).toBeNull();
	});
});

describe('macOS', () => {
	it('Apple silicon has one memory', () => {
		expect(parseSysctl('hw.memsize: 38654705664\nhw.optional.arm64: 1\n')).toEqual({
			systemBytes: 36 * GIB,
			isUnified: true,
		});
	});

	it.each(['hw.memsize: 17179869184\n', 'hw.memsize: 17179869184\nhw.optional.arm64: 0\n'])(
		'an Intel Mac has not: %j',
		(text) => {
			expect(parseSysctl(text)).toEqual({ systemBytes: 16 * GIB, isUnified: false });
		},
	);

	it.each([
		[{ spdisplays_vram: '8 GB' }, 8 * GIB],
		[{ _spdisplays_vram: '1536 MB' }, 1536 * MIB],
		[{ spdisplays_vram: 'dynamic' }, null],
		[{}, null],
	])('the card of an Intel Mac: %j', (display, bytes) => {
		expect(parseSystemProfiler(JSON.stringify({ SPDisplaysDataType: [display] }))).toBe(bytes);
	});
});

describe('Linux', () => {
	it('the memory of the machine and the limit of a container', () => {
		expect(parseMeminfo('MemTotal:       65763080 kB\nMemFree:         1000 kB\n')).toBe(65_763_080 * 1024);
		expect(parseMeminfo('MemFree: 1 kB')).toBeNull();
		expect(parseCgroupLimit('8589934592\n')).toBe(8 * GIB);
		expect(parseCgroupLimit('max\n')).toBeNull();
		expect(parseCgroupLimit('9223372036854771712\n')).toBeNull();
	});
});

describe('Windows', () => {
	const text = String.raw`
HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\0000
    HardwareInformation.qwMemorySize    REG_QWORD    0x200000000

HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\0001
    HardwareInformation.qwMemorySize    REG_QWORD    0x5fd000000

End of search: 2 match(es) found.
`;
	it('the largest card that the registry knows', () => {
		expect(parseRegistry(text)).toBe(0x5fd000000);
		expect(
			parseRegistry('ERROR: The system was unable to find the specified registry key or value.'),
		).toBeNull();
	});
});

it('any text gives bytes or nothing', () => {
	const parsers = [
		parseNvidiaSmi,
		parseRocmSmi,
		parseSystemProfiler,
		parseRegistry,
		parseMeminfo,
		parseCgroupLimit,
		(text: string) => parseSysctl(text).systemBytes,
	];
	const digits = fc.string({ unit: fc.constantFrom(...'0123456789 \nx-.e') });
	const text = fc.oneof(
		fc.string(),
		digits,
		fc.json(),
		digits.map((each) => `MemTotal: ${each} kB`),
	);
	fc.assert(
		fc.property(text, (each) => {
			for (const parse of parsers) {
				const bytes = parse(each);
				if (bytes !== null) expect(Number.isFinite(bytes) && bytes > 0).toBe(true);
			}
		}),
	);
});

it.each([
	[24 * GIB, '24 GB'],
	[24_564 * MIB, '24 GB'],
	[1.5 * GIB, '1.5 GB'],
	[9.96 * GIB, '10 GB'],
	[2 * GIB, '2 GB'],
	[512 * MIB, '512 MB'],
	[1000 * MIB, '1 GB'],
])('%i bytes are %s', (bytes, words) => {
	expect(memoryWords(bytes)).toBe(words);
});
