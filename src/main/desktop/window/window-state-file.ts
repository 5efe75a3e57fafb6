/** `<data>/window.json`, read and written. A file that cannot be used costs the window its place and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { ReportFailure } from '../report-failure.ts';
import { type WindowState, windowStateSchema } from './window-state.ts';

export class WindowStateFile {
	readonly #path: string;
	readonly #report: ReportFailure;
	#written = '';

	constructor(dataDirectory: string, report: ReportFailure) {
		this.#path = join(dataDirectory, 'window.json');
		this.#report = report;
	}

	/** `null` on the first start, and when the file does not hold a window state. */
	read(): WindowState | null {
		try {
			this.#written = readFileSync(this.#path, 'utf8');
			return windowStateSchema.parse(JSON.parse(this.#written));
		} catch (error) {
			const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
			if (!absent) this.#report(`reading ${this.#path}; the window opens in the middle of the screen`, error);
			return null;
		}
	}

	/** Synchronous, since the last one is written while the app quits. */
	write(state: WindowState): void {
		const text = `${JSON.stringify(state)}\n`;
		if (text === this.#written) return;
		try {
			writeFileAtomic.sync(this.#path, text, { mode: 0o600 });
			this.#written = text;
		} catch (error) {
			this.#report(`writing ${this.#path}; the window will not remember its place`, error);
		}
	}
}
