/** Telemetry as it comes in: a body becomes a reply and plain records. Pure; what it remembers is bounded. */

import { readClaudeCodeLog, type Said } from './claude-code-logs.ts';
import { ClaudeCodeMetrics } from './claude-code-metrics.ts';
import {
	failureReply,
	type OtlpForm,
	type OtlpSignal,
	type Refused,
	readOtlp,
	successReply,
} from './otlp-body.ts';
import { logRecords, metricPoints } from './otlp-records.ts';
import type { TelemetrySink, TelemetryUsage } from './telemetry-sink.ts';

export interface OtlpReply {
	/** Of HTTP: 200, or 400 for what must not be sent again. */
	readonly status: 200 | 400;
	readonly body: Uint8Array;
	/** Tells the sink what was read; to be called after the reply. */
	readonly tell: (sink: TelemetrySink) => void;
}

/** Failures that are remembered, so that two records of one are told once. */
const MOST_FAILURES = 200;

export class TelemetryReceiver {
	readonly #metrics = new ClaudeCodeMetrics();
	readonly #failures = new Set<string>();
	readonly #now: () => number;

	/** `now`: ms since the epoch. What is stamped later is taken for told now: a sender's clock may be wrong. */
	constructor(now: () => number = Date.now) {
		this.#now = now;
	}

	/** Never throws, whatever the body is. */
	take(signal: OtlpSignal, form: OtlpForm, body: Uint8Array): OtlpReply {
		const request = readOtlp(signal, form, body);
		if (request === null) {
			return { status: 400, body: failureReply(form, `This is no OTLP ${signal} request.`), tell: () => {} };
		}
		const said: Said[] = [];
		let unreadable = 0;
		for (const read of signal === 'metrics' ? this.#points(request) : this.#records(request)) {
			if (read === 'unreadable') unreadable += 1;
			else if (read !== 'foreign') said.push(read);
		}
		const refused: Refused | null = unreadable === 0 ? null : { count: unreadable, why: WHY };
		return {
			status: 200,
			body: successReply(signal, form, refused),
			tell: (sink) => {
				for (const each of said) tell(sink, each);
			},
		};
	}

	*#points(request: unknown): Generator<Said | 'foreign' | 'unreadable'> {
		for (const point of metricPoints(request)) {
			const read: TelemetryUsage | 'foreign' | 'unreadable' = this.#metrics.read(point, this.#now());
			yield typeof read === 'string' ? read : { kind: 'usage', report: read };
		}
	}

	*#records(request: unknown): Generator<Said | 'foreign' | 'unreadable'> {
		for (const record of logRecords(request)) {
			const at = record.at === null ? null : Math.min(record.at, this.#now());
			const read = readClaudeCodeLog({ ...record, at });
			const isKnown = typeof read !== 'string' && read.kind === 'trouble' && !this.#isNews(read.turn);
			yield isKnown ? 'foreign' : read;
		}
	}

	/** Of a failure both its error and the end of its retries are told. */
	#isNews(failure: string): boolean {
		if (this.#failures.has(failure)) return false;
		this.#failures.add(failure);
		const [oldest] = this.#failures;
		if (this.#failures.size > MOST_FAILURES && oldest !== undefined) this.#failures.delete(oldest);
		return true;
	}
}

const WHY =
	'Without session.id, or with numbers that cannot be, it is counted for nobody. Leave OTEL_METRICS_INCLUDE_SESSION_ID on.';

function tell(sink: TelemetrySink, said: Said): void {
	switch (said.kind) {
		case 'usage':
			sink.usage(said.report);
			break;
		case 'trouble':
			sink.trouble(said.sessionId, said.trouble);
			break;
		case 'hooks':
			sink.hookProblem(said.problem);
			break;
		case 'compacted':
			sink.compacted(said.sessionId, said.at);
			break;
	}
}
