/** The floor's figures over real files and a real store, put together as the composition does. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { UsageParts } from '../../src/main/app/usage-parts.ts';
import { Floor } from '../../src/main/floor/floor.ts';
import type { EvidenceStore, UsageStore } from '../../src/main/usage/usage-store.ts';
import { defaultSettings } from '../../src/shared/settings.ts';

export const SESSION = '01930000-0000-7000-8000-000000000001';

/** A rollout of Codex: its file knows the model that was asked for, and no other. */
export function rollout(
	home: string,
	input: number,
	{ id = SESSION, model = 'gpt-5.4', cwd = '/home/me/app', at = Date.now() } = {},
): void {
	const timestamp = new Date(at).toISOString();
	const counts = { input_tokens: input, cached_input_tokens: 0, output_tokens: 0, total_tokens: input };
	const rows = [
		{ type: 'session_meta', payload: { id, timestamp, cwd } },
		{ type: 'turn_context', payload: { model, cwd } },
		{ type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: counts } } },
	];
	const path = rolloutPath(home, id);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, rows.map((row) => `${JSON.stringify({ timestamp, ...row })}\n`).join(''));
}

export function rolloutPath(home: string, id = SESSION): string {
	return join(home, `.codex/sessions/2026/11/30/rollout-2026-11-30T09-00-00-${id}.jsonl`);
}

export function newFloor(): Floor {
	return new Floor({
		getSettings: () => defaultSettings,
		isReadOnly: () => ({ readOnly: false, why: '' }),
	});
}

interface Run {
	readonly store: UsageStore & EvidenceStore;
	readonly floor?: Floor;
	readonly isDemoFloor?: boolean;
	readonly localModels?: () => string[];
}

/** Stopped with the test; nothing went wrong in it by then. */
export function newRun(
	home: string,
	{ store, floor = newFloor(), isDemoFloor = false, localModels = () => [] }: Run,
): UsageParts {
	const errors: unknown[] = [];
	const parts = new UsageParts({
		floor,
		now: Date.now,
		isDemoFloor,
		store,
		homeDirectory: home,
		env: {},
		localModels,
		onChange: () => {},
		onTrouble: () => {},
		onError: (_where, error) => errors.push(error),
	});
	onTestFinished(async () => {
		await parts.stop();
		expect(errors).toEqual([]);
	});
	return parts;
}

/** The programs' directories were looked through once. */
export const looked = (parts: UsageParts): Promise<void> =>
	vi.waitFor(() => expect(parts.view().today?.work).toBeGreaterThan(0), { timeout: 10_000 });

/** The gateway answered the session with a local model. */
export const served = (parts: UsageParts, input: number, sessionKey = SESSION): void =>
	parts.counters.answered({
		client: 'codex',
		sessionKey,
		subagentId: null,
		isAuxiliary: false,
		key: 'r-1',
		asked: 'gpt-5.4',
		served: { at: 'ollama', harness: 'local', model: 'qwen3:8b' },
		usage: { input, output: 0, cacheRead: 0, cacheCreation: 0, cacheCreation1h: 0, webSearches: 0 },
		isWhole: true,
		at: Date.now(),
	});
