/** One trace judged: by the floor, through the very replay of `agent-floor replay`, and by rules of others. */
import { createDialects } from '../../src/main/hooks/dialects.ts';
import { type ReplayDecision, replay } from '../../src/main/replay/replay.ts';
import type { Settings } from '../../src/shared/settings.ts';
import type { TripArm } from '../../src/shared/words.ts';
import type { Trace, TraceLabel } from '../../test/traces/trace.ts';

export interface Verdict {
	readonly label: TraceLabel;
	/**
	 * `caught`: steered after it was stuck, while the trace went on. `false trip`: steered while healthy, also before a
	 * stuck one was stuck. `missed`: a stuck one that was not steered. `left alone`: a healthy one that was not.
	 */
	readonly as: 'caught' | 'false trip' | 'missed' | 'left alone';
	/** Attempts that began after the first one that repeated without news, before it was steered; when caught. */
	readonly calls: number | null;
	readonly arm: TripArm | null;
	readonly reason: string;
	/** Median time from one attempt to the next once stuck (healthy: in all), s. */
	readonly spacing: number;
}

/** Plays a trace on a floor of its own. */
export async function judge(trace: Trace, settings: Settings): Promise<Verdict> {
	const decisions = await decisionsOn(trace.lines, settings);
	const steered = decisions.find(({ level }) => level === 'steering');
	return verdictOf(trace, steered ? { at: steered.at, arm: steered.arm, reason: steered.reason } : null);
}

/** Throws when a line cannot be played: a trace that is not understood judges nobody. */
export async function decisionsOn(lines: readonly string[], settings: Settings): Promise<ReplayDecision[]> {
	const decisions: ReplayDecision[] = [];
	await replay(
		(async function* () {
			yield* lines;
		})(),
		{
			settings,
			dialects: createDialects(),
			onDecision: (decision) => decisions.push(decision),
			onSkipped: (line, why) => {
				throw new Error(`line ${line} of a trace: ${why}`);
			},
		},
	);
	return decisions;
}

/** `steered`: the first time, on virtual time. */
export function verdictOf(
	trace: Trace,
	steered: { readonly at: number; readonly arm: TripArm | null; readonly reason: string } | null,
): Verdict {
	const { label, attempts, endsAt } = trace;
	const onset = label.onset === null ? null : (attempts[label.onset - 1]?.at ?? null);
	const found = {
		label,
		arm: steered?.arm ?? null,
		reason: steered?.reason ?? '',
		spacing: spacingOf(trace),
	};
	if (steered === null) return { ...found, as: label.stuck ? 'missed' : 'left alone', calls: null };
	if (onset === null || steered.at < onset) return { ...found, as: 'false trip', calls: null };
	if (steered.at > endsAt) return { ...found, as: 'missed', calls: null };
	const calls = attempts.filter(({ at }) => at > onset && at <= steered.at).length;
	return { ...found, as: 'caught', calls };
}

function spacingOf({ attempts, label }: Trace): number {
	const times = attempts.slice((label.onset ?? 1) - 1).map(({ at }) => at);
	const gaps = times.slice(1).map((at, index) => (at - (times[index] ?? at)) / 1000);
	return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
}
