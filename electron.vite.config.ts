import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (path: string): string => resolve(import.meta.dirname, path);

export default defineConfig({
	main: {
		build: {
			outDir: 'out/main',
			sourcemap: true,
			rollupOptions: {
				input: {
					index: at('src/main/index.ts'),
					headless: at('src/main/headless.ts'),
					cli: at('src/main/cli/main.ts'),
				},
				output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
			},
		},
	},
	preload: {
		build: {
			outDir: 'out/preload',
			// A sandboxed window loads one CommonJS file and nothing else.
			externalizeDeps: false,
			rollupOptions: {
				input: { index: at('src/preload/index.ts') },
				output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
			},
		},
	},
	renderer: {
		root: at('src/renderer'),
		base: './',
		// A third of the script: the browser compiles it before anything is drawn.
		build: {
			outDir: at('out/renderer'),
			minify: true,
			rollupOptions: { input: { index: at('src/renderer/index.html') } },
		},
		plugins: [react()],
	},
});
