import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build, type Rollup } from 'vite';
import { describe, expect, it } from 'vitest';

/** A sandboxed window loads one CommonJS file, and of modules that file can have `electron` and no package of ours. */
async function bundlePreload(): Promise<Rollup.OutputChunk[]> {
	const result = await build({
		configFile: false,
		logLevel: 'silent',
		build: {
			write: false,
			ssr: resolve(import.meta.dirname, '../../src/preload/index.ts'),
			rollupOptions: { external: ['electron'], output: { format: 'cjs' } },
		},
		ssr: { noExternal: true },
	});
	const outputs = Array.isArray(result) ? result : [result];
	return outputs
		.flatMap((output) => ('output' in output ? output.output : []))
		.filter((file) => file.type === 'chunk');
}

describe('the bundled preload', () => {
	it('is one small file that needs electron alone, and runs with nothing else', async () => {
		const [chunk, ...others] = await bundlePreload();
		expect(others).toEqual([]);
		expect(chunk?.imports).toEqual(['electron']);
		expect(chunk?.code.length).toBeLessThan(8_000);

		const exposed: string[] = [];
		const required: string[] = [];
		runInNewContext(chunk?.code ?? '', {
			require: (name: string) => {
				required.push(name);
				return { contextBridge: { exposeInMainWorld: (key: string) => exposed.push(key) }, ipcRenderer: {} };
			},
		});
		expect({ exposed, required }).toEqual({ exposed: ['agentFloor'], required: ['electron'] });
	});
});
