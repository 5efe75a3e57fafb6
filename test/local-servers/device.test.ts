import { expect, it } from 'vitest';
import {
	DEVICE_AGE_MS,
	DeviceWatch,
	type Machine,
	readDeviceMemory,
	thisMachine,
} from '../../src/main/local-servers/device.ts';
import { type DeviceMemory, unknownDevice } from '../../src/main/local-servers/device-memory.ts';

const GIB = 1024 ** 3;

/** A machine whose programs and files are those that are named here. */
function machine(
	platform: NodeJS.Platform,
	programs: Record<string, string>,
	files: Record<string, string> = {},
): Machine & { readonly ran: string[] } {
	const ran: string[] = [];
	return {
		ran,
		platform,
		run: async (program) => {
			ran.push(program);
			return programs[program] ?? '';
		},
		read: async (path) => files[path] ?? '',
		list: async (directory) => (directory === '/sys/class/drm' ? ['card0', 'card0-DP-1', 'version'] : []),
		totalMemory: () => 32 * GIB,
	};
}

const meminfo = { '/proc/meminfo': 'MemTotal:       67108864 kB\n' };

it.each<[string, Machine, DeviceMemory]>([
	[
		'Linux with an NVIDIA card in a container',
		machine(
			'linux',
			{ 'nvidia-smi': '24576\n' },
			{ ...meminfo, '/sys/fs/cgroup/memory.max': '8589934592\n' },
		),
		{ gpuBytes: 24 * GIB, isUnified: false, systemBytes: 8 * GIB },
	],
	[
		'Linux with an AMD card, from the driver',
		machine('linux', {}, { ...meminfo, '/sys/class/drm/card0/device/mem_info_vram_total': '17179869184\n' }),
		{ gpuBytes: 16 * GIB, isUnified: false, systemBytes: 64 * GIB },
	],
	[
		'Linux with an AMD card, from its tool',
		machine('linux', { 'rocm-smi': '{"card0":{"VRAM Total Memory (B)":"17179869184"}}' }, meminfo),
		{ gpuBytes: 16 * GIB, isUnified: false, systemBytes: 64 * GIB },
	],
	['Linux without a GPU', machine('linux', {}, meminfo), { ...unknownDevice, systemBytes: 64 * GIB }],
	[
		'Apple silicon',
		machine('darwin', { sysctl: 'hw.memsize: 38654705664\nhw.optional.arm64: 1\n' }),
		{ gpuBytes: null, isUnified: true, systemBytes: 36 * GIB },
	],
	[
		'a Mac with a card',
		machine('darwin', {
			sysctl: 'hw.memsize: 17179869184\n',
			system_profiler: '{"SPDisplaysDataType":[{"spdisplays_vram":"8 GB"}]}',
		}),
		{ gpuBytes: 8 * GIB, isUnified: false, systemBytes: 16 * GIB },
	],
	[
		'Windows without NVIDIA',
		machine('win32', { reg: '  HardwareInformation.qwMemorySize    REG_QWORD    0x200000000\r\n' }),
		{ gpuBytes: 8 * GIB, isUnified: false, systemBytes: 32 * GIB },
	],
	['a system that is not known', machine('freebsd', {}), { ...unknownDevice, systemBytes: 32 * GIB }],
])('%s', async (_what, from, expected) => {
	expect(await readDeviceMemory(from)).toEqual(expected);
});

it('does not start a card tool where the memory is one', async () => {
	const mac = machine('darwin', { sysctl: 'hw.memsize: 38654705664\nhw.optional.arm64: 1\n' });
	await readDeviceMemory(mac);
	expect(mac.ran).toEqual(['sysctl']);
});

it('reads this machine, whatever it has', async () => {
	const { systemBytes } = await readDeviceMemory();
	expect(systemBytes).toBeGreaterThan(0);
});

it('a program that is not there and a file that is not there say nothing', async () => {
	expect(await thisMachine.run('agent-floor-no-such-program', [])).toBe('');
	expect(await thisMachine.read('/agent-floor/no/such/file')).toBe('');
	expect(await thisMachine.list('/agent-floor/no/such/directory')).toEqual([]);
});

it('takes what a program printed before it failed', async () => {
	const script = 'console.log("hw.memsize: 1"); process.exitCode = 1';
	expect(await thisMachine.run(process.execPath, ['-e', script])).toBe('hw.memsize: 1\n');
});

it('looks once in ten minutes, once at a time, and again when the clock was set back', async () => {
	let now = 1_000_000;
	let looks = 0;
	const memory = { ...unknownDevice, systemBytes: GIB };
	const watch = new DeviceWatch(
		async () => {
			looks += 1;
			return memory;
		},
		() => now,
	);
	expect(watch.memory).toEqual(unknownDevice);
	await Promise.all([watch.refresh(), watch.refresh()]);
	expect(watch.memory).toBe(memory);
	now += DEVICE_AGE_MS - 1;
	await watch.refresh();
	expect(looks).toBe(1);
	now += 1;
	await watch.refresh();
	expect(looks).toBe(2);
	now -= 1_000;
	await watch.refresh();
	expect(looks).toBe(3);
});
