/** What the real Claude Code sent, and the records that come of it. */
import { readFileSync } from 'node:fs';
import { type OtlpForm, type OtlpSignal, otlpFormOf } from '../../src/main/telemetry/otlp-body.ts';
import type { HookProblem, TelemetrySink, TelemetryUsage } from '../../src/main/telemetry/telemetry-sink.ts';
import type { ProviderTrouble } from '../../src/main/usage/session-format.ts';
import { TelemetrySession } from '../../src/main/usage/telemetry-session.ts';

export interface RecordedRequest {
	readonly run: string;
	readonly path: string;
	readonly signal: OtlpSignal;
	readonly form: OtlpForm;
	readonly contentType: string;
	readonly body: Buffer;
}

const file = new URL('../recordings/claude-code.telemetry.jsonl', import.meta.url);

export function recordedTelemetry(run: string, form?: OtlpForm): RecordedRequest[] {
	return readFileSync(file, 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as { run: string; path: string; contentType: string; body: unknown })
		.map((told) => ({
			...told,
			signal: told.path.endsWith('metrics') ? ('metrics' as const) : ('logs' as const),
			form: otlpFormOf(told.contentType) ?? 'json',
			body:
				typeof told.body === 'string'
					? Buffer.from(told.body, 'base64')
					: Buffer.from(JSON.stringify(told.body)),
		}))
		.filter((request) => request.run === run && (form === undefined || request.form === form));
}

export class RecordingSink implements TelemetrySink {
	readonly reports: TelemetryUsage[] = [];
	readonly troubles: ProviderTrouble[] = [];
	readonly problems: HookProblem[] = [];
	readonly compactions: string[] = [];

	usage(report: TelemetryUsage): void {
		this.reports.push(report);
	}

	trouble(_sessionId: string, trouble: ProviderTrouble): void {
		this.troubles.push(trouble);
	}

	hookProblem(problem: HookProblem): void {
		this.problems.push(problem);
	}

	compacted(sessionId: string): void {
		this.compactions.push(sessionId);
	}

	/** All reports as one session. A thousandth of a dollar for each token. */
	session(): TelemetrySession {
		const price = (_model: string, { input, output }: { input: number; output: number }) =>
			(input + output) / 1_000;
		const session = new TelemetrySession({ price, isLocal: () => false });
		for (const { told } of this.reports) {
			if (told.by === 'log') session.answer(told);
			else session.grow(told);
		}
		return session;
	}
}
