/** Asks the operating system for the memory of this machine: rarely, with a time limit, never while it is read. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import {
	type DeviceMemory,
	parseCgroupLimit,
	parseMeminfo,
	parseNvidiaSmi,
	parseRegistry,
	parseRocmSmi,
	parseSysctl,
	parseSystemProfiler,
	parseVramFiles,
	smallestKnown,
	unknownDevice,
} from './device-memory.ts';

/** What the look at the machine needs of it. Both give an empty text for what is not there, is too slow, or fails. */
export interface Machine {
	readonly platform: NodeJS.Platform;
	/** What a program prints; also when it ends with an error, because some print what they know before. */
	readonly run: (program: string, args: readonly string[]) => Promise<string>;
	readonly read: (path: string) => Promise<string>;
	readonly list: (directory: string) => Promise<string[]>;
	/** Bytes, as the runtime knows it. */
	readonly totalMemory: () => number;
}

const PROGRAM_TIMEOUT_MS = 3_000;
const OUTPUT_LIMIT = 1024 * 1024;

export const thisMachine: Machine = {
	platform: process.platform,
	run: (program, args) =>
		new Promise((resolve) => {
			const options = {
				timeout: PROGRAM_TIMEOUT_MS,
				killSignal: 'SIGKILL',
				maxBuffer: OUTPUT_LIMIT,
				windowsHide: true,
				env: { ...process.env, LC_ALL: 'C' },
			} as const;
			// A machine without this program is the usual case, not a fault.
			execFile(program, args, options, (_error, output) => resolve(output));
		}),
	read: (path) => readFile(path, 'utf8').catch(() => ''),
	list: (directory) => readdir(directory).catch(() => []),
	totalMemory: totalmem,
};

/** The memory of a machine. Never rejects: what cannot be read is unknown. */
export async function readDeviceMemory(machine: Machine = thisMachine): Promise<DeviceMemory> {
	const told = await systemMemory(machine);
	const systemBytes = told.systemBytes ?? smallestKnown([machine.totalMemory() || null]);
	if (told.isUnified) return { gpuBytes: null, isUnified: true, systemBytes };
	return { gpuBytes: await gpuMemory(machine), isUnified: false, systemBytes };
}

async function systemMemory(machine: Machine): Promise<Pick<DeviceMemory, 'systemBytes' | 'isUnified'>> {
	if (machine.platform === 'darwin') {
		return parseSysctl(await machine.run('sysctl', ['hw.memsize', 'hw.optional.arm64']));
	}
	if (machine.platform !== 'linux') return { systemBytes: null, isUnified: false };
	const [meminfo, cgroup2, cgroup1] = await Promise.all([
		machine.read('/proc/meminfo'),
		machine.read('/sys/fs/cgroup/memory.max'),
		machine.read('/sys/fs/cgroup/memory/memory.limit_in_bytes'),
	]);
	const sizes = [parseMeminfo(meminfo), parseCgroupLimit(cgroup2), parseCgroupLimit(cgroup1)];
	return { systemBytes: smallestKnown(sizes), isUnified: false };
}

const displayAdapters =
	'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}';

async function gpuMemory(machine: Machine): Promise<number | null> {
	if (machine.platform === 'darwin') {
		return parseSystemProfiler(await machine.run('system_profiler', ['SPDisplaysDataType', '-json']));
	}
	const query = ['--query-gpu=memory.total', '--format=csv,noheader,nounits'];
	const nvidia = parseNvidiaSmi(await machine.run('nvidia-smi', query));
	if (nvidia !== null) return nvidia;
	if (machine.platform === 'win32') {
		const value = 'HardwareInformation.qwMemorySize';
		return parseRegistry(await machine.run('reg', ['query', displayAdapters, '/s', '/v', value]));
	}
	const cards = (await machine.list('/sys/class/drm')).filter((name) => /^card\d+$/.test(name));
	const files = cards.map((card) => machine.read(`/sys/class/drm/${card}/device/mem_info_vram_total`));
	const amd = parseVramFiles(await Promise.all(files));
	return amd ?? parseRocmSmi(await machine.run('rocm-smi', ['--showmeminfo', 'vram', '--json']));
}

/** The machine is looked at once in this time, ms. */
export const DEVICE_AGE_MS = 10 * 60_000;

/** The last look at the machine, kept. */
export class DeviceWatch {
	readonly #read: () => Promise<DeviceMemory>;
	readonly #now: () => number;
	#memory = unknownDevice;
	#readAt: number | null = null;
	#reading: Promise<void> | null = null;

	/** `read` must not reject; `now` in ms. */
	constructor(read: () => Promise<DeviceMemory>, now: () => number) {
		this.#read = read;
		this.#now = now;
	}

	/** From memory; all unknown before the first look. */
	get memory(): DeviceMemory {
		return this.#memory;
	}

	/** Looks if the last look is too old (or the clock was set back). One look at a time. */
	refresh(): Promise<void> {
		const age = this.#readAt === null ? Number.POSITIVE_INFINITY : this.#now() - this.#readAt;
		if (age >= 0 && age < DEVICE_AGE_MS) return Promise.resolve();
		this.#reading ??= this.#look().finally(() => {
			this.#reading = null;
		});
		return this.#reading;
	}

	async #look(): Promise<void> {
		this.#memory = await this.#read();
		this.#readAt = this.#now();
	}
}
