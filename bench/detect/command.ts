/** The same traces through `agent-floor replay` itself: what the benchmark says must be what the command says. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Settings } from '../../src/shared/settings.ts';
import { tripArmSchema } from '../../src/shared/words.ts';
import type { Trace } from '../../test/traces/trace.ts';
import { type Verdict, verdictOf } from './judge.ts';

const run = promisify(execFile);
const decisionSchema = z.object({
	at: z.number(),
	sessionId: z.string(),
	level: z.string(),
	reason: z.string(),
	arm: tripArmSchema.nullable(),
});

/** All on one floor at once, as a night with many agents. Rejects when the command says anything else. */
export async function throughTheCommand(
	sample: readonly { readonly trace: Trace; readonly verdict: Verdict }[],
	settings: Settings,
): Promise<string> {
	const directory = await mkdtemp(join(tmpdir(), 'agent-floor-detect-'));
	try {
		const file = join(directory, 'night.jsonl');
		await writeFile(file, `${merged(sample.map(({ trace }) => trace)).join('\n')}\n`);
		const entry = join(import.meta.dirname, '../../src/main/cli/main.ts');
		const beat = `heartbeatSeconds=${settings.heartbeatSeconds}`;
		const args = ['--no-warnings', entry, 'replay', file, '--json', '--set', beat];
		const { stdout, stderr } = await run(process.execPath, args, { maxBuffer: 2 ** 26 });
		if (stderr !== '') throw new Error(`agent-floor replay: ${stderr}`);
		const decisions = stdout
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => decisionSchema.parse(JSON.parse(line)));
		for (const { trace, verdict } of sample) {
			const sessionId = sessionOf(trace);
			const own = decisions.filter((decision) => decision.sessionId === sessionId);
			const steered = own.find(({ level }) => level === 'steering') ?? null;
			const { as, calls, arm } = verdictOf(trace, steered);
			if (as === verdict.as && calls === verdict.calls && arm === verdict.arm) continue;
			const { family, seed } = trace.label;
			throw new Error(
				`agent-floor replay judges ${family} ${seed} otherwise: ${as} instead of ${verdict.as}, ${arm} instead of ${verdict.arm}`,
			);
		}
		return `agent-floor replay says the same of ${sample.length} of these traces, played on one floor at once.`;
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}

/** Lines of all traces in the order of time; the labels stay out. */
function merged(traces: readonly Trace[]): string[] {
	return traces
		.flatMap(({ lines }) => lines.slice(1))
		.map((text) => ({ text, at: z.object({ at: z.number() }).parse(JSON.parse(text)).at }))
		.toSorted((a, b) => a.at - b.at)
		.map(({ text }) => text);
}

function sessionOf({ lines }: Trace): string {
	const body = z.object({ body: z.record(z.string(), z.unknown()) }).parse(JSON.parse(lines[1] ?? '{}')).body;
	const id = body.session_id ?? body.sessionId;
	if (typeof id !== 'string') throw new Error('a trace begins with its session');
	return id;
}
