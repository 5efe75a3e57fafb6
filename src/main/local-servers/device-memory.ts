/** How much memory this machine has for models, read from what its tools print. Pure: text in, bytes out. */
import { fieldOf, looseText, readJson } from './loose-fields.ts';

export interface DeviceMemory {
	/** Of all GPUs together, bytes; `null`: none was found that tells its memory. */
	readonly gpuBytes: number | null;
	/** GPU and programs share the system's memory (Apple silicon); `gpuBytes` is then `null`. */
	readonly isUnified: boolean;
	/** What programs may use, a container's limit included, bytes; `null`: not known. */
	readonly systemBytes: number | null;
}

export const unknownDevice: DeviceMemory = { gpuBytes: null, isUnified: false, systemBytes: null };

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
/** More than this is no size of a memory: a limit that means "none", or a misread number. */
const LARGEST = 2 ** 50;

/**
 * `nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits`: MiB, a line for each GPU. A GPU that does not
 * tell ("[N/A]": one that shares the system's memory) counts for nothing.
 */
export function parseNvidiaSmi(text: string): number | null {
	const sizes = text.split('\n').flatMap((line) => (/^\s*\d+\s*$/.test(line) ? [Number(line) * MIB] : []));
	return total(sizes);
}

/** `rocm-smi --showmeminfo vram --json`: bytes as text, an object for each card. */
export function parseRocmSmi(text: string): number | null {
	const cards = readJson(text);
	if (typeof cards !== 'object' || cards === null) return null;
	const sizes = Object.values(cards).map((card) => Number(fieldOf(card, 'VRAM Total Memory (B)')));
	return total(sizes);
}

/** `/sys/class/drm/card<n>/device/mem_info_vram_total` of each card: bytes. */
export function parseVramFiles(texts: readonly string[]): number | null {
	return total(texts.map(wholeNumber));
}

/** `sysctl hw.memsize hw.optional.arm64`; the second is missing on a Mac with an Intel processor. */
export function parseSysctl(text: string): Pick<DeviceMemory, 'systemBytes' | 'isUnified'> {
	const value = (name: string) => new RegExp(`^${name}:\\s*(\\d+)\\s*$`, 'm').exec(text)?.[1] ?? '';
	return {
		systemBytes: total([wholeNumber(value('hw\\.memsize'))]),
		isUnified: value('hw\\.optional\\.arm64') === '1',
	};
}

const units: Readonly<Record<string, number>> = { MB: MIB, GB: GIB };

/** `system_profiler SPDisplaysDataType -json` on a Mac with memory of its own on the card: "8 GB". */
export function parseSystemProfiler(text: string): number | null {
	const displays = fieldOf(readJson(text), 'SPDisplaysDataType');
	if (!Array.isArray(displays)) return null;
	return total(
		displays.map((display: unknown) => {
			const told = looseText.parse(
				fieldOf(display, 'spdisplays_vram') ?? fieldOf(display, '_spdisplays_vram'),
			);
			const [, size, unit] = /^(\d+)\s*(MB|GB)$/.exec(told ?? '') ?? [];
			return Number(size) * (units[unit ?? ''] ?? Number.NaN);
		}),
	);
}

/**
 * `reg query <display adapters> /s /v HardwareInformation.qwMemorySize` on Windows: hexadecimal bytes. (The older
 * `AdapterRAM` ends at 4 GB.) The registry keeps a line for each driver that was ever installed, so the largest counts.
 */
export function parseRegistry(text: string): number | null {
	const found = text.matchAll(
		/HardwareInformation\.qwMemorySize\s+REG_(?:QWORD|BINARY)\s+(0x[0-9a-f]{1,16})\b/gi,
	);
	const sizes = [...found].map((match) => Number(match[1])).filter(isSize);
	return sizes.length === 0 ? null : Math.max(...sizes);
}

/** `/proc/meminfo`: "MemTotal:       65536000 kB". */
export function parseMeminfo(text: string): number | null {
	const kilobytes = /^MemTotal:\s+(\d{1,15}) kB\s*$/m.exec(text)?.[1];
	return total([wholeNumber(kilobytes ?? '') * KIB]);
}

/** `memory.max` of cgroup 2 ("max": none) or `memory.limit_in_bytes` of cgroup 1 (near 2^63: none), bytes. */
export function parseCgroupLimit(text: string): number | null {
	return total([wholeNumber(text)]);
}

/** The smaller of what there is and what is allowed. */
export function smallestKnown(sizes: readonly (number | null)[]): number | null {
	const known = sizes.filter((size) => size !== null);
	return known.length === 0 ? null : Math.min(...known);
}

/** "24 GB", "1.5 GB", "512 MB": in steps of 1024, as makers of memory count. */
export function memoryWords(bytes: number): string {
	const [scaled, unit] = bytes < 0.95 * GIB ? [bytes / MIB, 'MB'] : [bytes / GIB, 'GB'];
	const digits = unit === 'GB' && scaled < 9.95 ? 1 : 0;
	return `${scaled.toFixed(digits).replace(/\.0$/, '')} ${unit}`;
}

function wholeNumber(text: string): number {
	return /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
}

function isSize(size: number): boolean {
	return Number.isFinite(size) && size > 0 && size < LARGEST;
}

function total(sizes: readonly number[]): number | null {
	const told = sizes.filter(isSize);
	return told.length === 0 ? null : told.reduce((sum, size) => sum + size, 0);
}
