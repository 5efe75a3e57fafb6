/** The two secrets of a floor. Whoever holds one is its agent or its operator. */
import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { storeErrorFrom, systemCodeOf } from './store-error.ts';

export type TokenName = 'agent-token' | 'operator-token';
/** 32 bytes in base64url. */
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/** A fresh secret: 32 random bytes, base64url. */
export function newToken(): string {
	return randomBytes(32).toString('base64url');
}

/**
 * A secret that is kept over restarts, in `<directory>/<name>` (mode 0600), and made anew only when that file is
 * missing or holds no token: hooks hold the agents' token, an open window the operator's. Throws a `StoreError`.
 */
export function loadToken(directory: string, name: TokenName): string {
	const file = join(directory, name);
	try {
		const kept = readToken(file);
		if (kept !== null) return kept;
		const token = newToken();
		writeFileAtomic.sync(file, `${token}\n`, { mode: 0o600 });
		return token;
	} catch (error) {
		throw storeErrorFrom(
			error,
			`keep the token in ${file}`,
			'Agents and windows cannot be connected to this floor.',
		);
	}
}

function readToken(file: string): string | null {
	try {
		const text = readFileSync(file, 'utf8').trim();
		if (!tokenShape.test(text)) return null;
		// Copied or restored files may have lost their mode.
		chmodSync(file, 0o600);
		return text;
	} catch (error) {
		if (systemCodeOf(error) === 'ENOENT') return null;
		throw error;
	}
}
