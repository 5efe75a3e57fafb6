/**
 * Pulls a model through a local server's own interface. Asking again goes on where it stopped, and is done at once when
 * the model is there: servers keep what they have.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalServerKind } from '../../shared/failover-settings.ts';
import { withoutCredentials } from './address.ts';
import {
	errorTextIn,
	errorTextOf,
	isSuccess,
	LocalHttp,
	type LocalTarget,
	type Reply,
} from './local-http.ts';
import { LocalServerError } from './local-server-error.ts';
import { fieldOf, looseCount, looseText, readJson } from './loose-fields.ts';
import { kindNames } from './reading.ts';

export interface PullOptions {
	/** Ends the pull. Ollama stops and keeps what it has; LM Studio goes on by itself. */
	readonly signal: AbortSignal;
	/** 0 to 1, never falling; `null`: the server does not tell. `text`: one line, untrusted. */
	readonly onProgress: (share: number | null, text: string) => void;
	/** That the server wants; none by default. */
	readonly token?: string | null;
	/** No sign of life for so long is a failure, ms. */
	readonly idleMs?: number;
	/** Between two questions about a download of LM Studio, ms. */
	readonly pollMs?: number;
}

/** Checking the sum of a large file is silent for minutes. */
export const PULL_IDLE_MS = 10 * 60_000;
const POLL_MS = 1_000;

/** Resolves when the model is there. Rejects with a `LocalServerError`; `unsupported` for servers without downloads. */
export async function pull(
	kind: LocalServerKind,
	baseUrl: string,
	model: string,
	options: PullOptions,
): Promise<void> {
	if (kind !== 'ollama' && kind !== 'lmstudio') {
		throw new LocalServerError(
			'unsupported',
			`${model} cannot be pulled from here: ${kindNames[kind]} has no way to download a model. Download it where the server runs.`,
		);
	}
	const http = new LocalHttp();
	const watch = new IdleWatch(options.idleMs ?? PULL_IDLE_MS, options.signal);
	const target = { baseUrl, token: options.token ?? null };
	const work = { http, target, model, options, watch };
	try {
		await (kind === 'ollama' ? pullFromOllama(work) : pullFromLmStudio(work));
	} catch (error) {
		if (options.signal.aborted) throw new LocalServerError('aborted', `The pull of ${model} was ended.`);
		throw watch.isOver ? cut(work, kindNames[kind]) : error;
	} finally {
		watch.dispose();
		await http.close();
	}
}

interface Work {
	readonly http: LocalHttp;
	readonly target: LocalTarget;
	readonly model: string;
	readonly options: PullOptions;
	readonly watch: IdleWatch;
}

/** Ends a request when nothing was heard for too long. */
class IdleWatch {
	readonly #idle = new AbortController();
	readonly #ms: number;
	readonly signal: AbortSignal;
	#timer: NodeJS.Timeout;

	constructor(ms: number, outer: AbortSignal) {
		this.#ms = ms;
		this.signal = AbortSignal.any([outer, this.#idle.signal]);
		this.#timer = this.#wind();
	}

	get isOver(): boolean {
		return this.#idle.signal.aborted;
	}

	heard(): void {
		clearTimeout(this.#timer);
		this.#timer = this.#wind();
	}

	dispose(): void {
		clearTimeout(this.#timer);
	}

	#wind(): NodeJS.Timeout {
		return setTimeout(() => this.#idle.abort(), this.#ms);
	}
}

/** One line of Ollama's stream. */
export type PullLine =
	| { readonly kind: 'status'; readonly text: string; readonly layer: PullLayer | null }
	| { readonly kind: 'success' }
	| { readonly kind: 'error'; readonly message: string };

export interface PullLayer {
	readonly digest: string;
	/** Bytes. */
	readonly total: number;
	readonly completed: number;
}

/** `null`: a line that says nothing. An error can come after status 200 (`{"error": "text"}`). */
export function parsePullLine(line: string): PullLine | null {
	const json = readJson(line);
	const message = errorTextIn(json);
	if (fieldOf(json, 'error') !== undefined) return { kind: 'error', message };
	const text = looseText.parse(fieldOf(json, 'status'));
	if (text === null) return null;
	if (text === 'success') return { kind: 'success' };
	const digest = looseText.parse(fieldOf(json, 'digest'));
	const total = looseCount.parse(fieldOf(json, 'total'));
	const completed = looseCount.parse(fieldOf(json, 'completed')) ?? 0;
	const layer =
		digest === null || total === null ? null : { digest, total, completed: Math.min(completed, total) };
	return { kind: 'status', text, layer };
}

/** The share of a model that has come: over all layers that were named so far, never falling. */
export class PullProgress {
	readonly #layers = new Map<string, PullLayer>();
	#share: number | null = null;

	get share(): number | null {
		return this.#share;
	}

	add(layer: PullLayer): void {
		this.#layers.set(layer.digest, layer);
		let total = 0;
		let completed = 0;
		for (const each of this.#layers.values()) {
			total += each.total;
			completed += each.completed;
		}
		this.#share = Math.max(this.#share ?? 0, completed / total);
	}
}

async function pullFromOllama(work: Work): Promise<void> {
	const { http, target, model, options, watch } = work;
	const body = { model, stream: true };
	const answer = await http.stream({ ...target, path: '/api/pull', body, signal: watch.signal });
	if (answer.kind !== 'lines') throw failure(work, 'Ollama', answer);
	const progress = new PullProgress();
	try {
		for await (const line of answer.lines) {
			watch.heard();
			const read = parsePullLine(line);
			if (read?.kind === 'error') throw refused(work, 'Ollama', read.message);
			if (read?.kind === 'success') return options.onProgress(1, 'done');
			if (read?.layer) progress.add(read.layer);
			if (read !== null) options.onProgress(progress.share, read.text);
		}
	} catch (error) {
		throw error instanceof LocalServerError ? error : cut(work, 'Ollama');
	}
	throw cut(work, 'Ollama');
}

/** A download of LM Studio, from the answer that began it or from its status. */
export interface DownloadState {
	readonly jobId: string | null;
	readonly state: 'downloading' | 'paused' | 'done' | 'failed' | 'unreadable';
	readonly share: number | null;
}

/** `POST /api/v1/models/download` and `GET /api/v1/models/download/status/<job>`. */
export function parseDownload(json: unknown): DownloadState {
	const status = looseText.parse(fieldOf(json, 'status'));
	const total = looseCount.parse(fieldOf(json, 'total_size_bytes'));
	const completed = looseCount.parse(fieldOf(json, 'downloaded_bytes'));
	return {
		jobId: looseText.parse(fieldOf(json, 'job_id')),
		state: downloadStates[status ?? ''] ?? 'unreadable',
		share: total === null || completed === null ? null : Math.min(1, completed / total),
	};
}

const downloadStates: Readonly<Record<string, DownloadState['state']>> = Object.assign(Object.create(null), {
	downloading: 'downloading',
	paused: 'paused',
	completed: 'done',
	already_downloaded: 'done',
	failed: 'failed',
});

async function pullFromLmStudio(work: Work): Promise<void> {
	const { http, target, model, options, watch } = work;
	const { signal } = watch;
	const begun = await http.ask({ ...target, path: '/api/v1/models/download', body: { model }, signal });
	let download = readDownload(work, begun);
	const { jobId } = download;
	let share: number | null = null;
	while (download.state !== 'done') {
		if (download.state === 'failed') throw refused(work, 'LM Studio', '');
		if (jobId === null) throw refused(work, 'LM Studio', 'it named no job to follow');
		if (download.share !== null && download.share !== share) watch.heard();
		if (download.share !== null) share = Math.max(share ?? 0, download.share);
		options.onProgress(share, download.state);
		await sleep(options.pollMs ?? POLL_MS, undefined, { signal });
		const path = `/api/v1/models/download/status/${encodeURIComponent(jobId)}`;
		download = readDownload(work, await http.ask({ ...target, path, signal }));
	}
	options.onProgress(1, 'done');
}

function readDownload(work: Work, reply: Reply): DownloadState {
	if (reply.kind !== 'json' || !isSuccess(reply.status)) throw failure(work, 'LM Studio', reply);
	const download = parseDownload(reply.json);
	if (download.state !== 'unreadable') return download;
	if (/unexpected endpoint/i.test(errorTextOf(reply))) {
		throw new LocalServerError(
			'unsupported',
			`${work.model} cannot be pulled from here: this LM Studio is older than 0.4. Download it in LM Studio itself.`,
		);
	}
	throw failure(work, 'LM Studio', reply);
}

function failure(work: Work, server: string, reply: Reply): LocalServerError {
	const said = errorTextOf(reply);
	if (reply.kind === 'refused') {
		const message = `${work.model} cannot be pulled: ${server} does not answer at ${withoutCredentials(work.target.baseUrl)} (${reply.code}). Start it; the pull goes on then.`;
		return new LocalServerError('absent', message, said);
	}
	return reply.kind === 'failed'
		? cut(work, server)
		: refused(work, server, said || `status ${reply.status}`);
}

function refused({ model }: Work, server: string, said: string): LocalServerError {
	const words = said === '' ? 'it did not say why' : said;
	const kind = /not found|does not exist|no such/i.test(said) ? 'no-such-model' : 'failed';
	const message = `${server} could not pull ${model}: ${words}. Look at the name of the model and the room on the disk.`;
	return new LocalServerError(kind, message, said);
}

function cut({ model, watch }: Work, server: string): LocalServerError {
	const kept = 'What has come is kept: ask again to go on.';
	return watch.isOver
		? new LocalServerError('timeout', `The pull of ${model} stood still for too long. ${kept}`)
		: new LocalServerError('cut', `${server} broke the pull of ${model} off. ${kept}`);
}
