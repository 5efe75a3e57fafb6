/** One line of a replay file: a hook, a usage sample or a changed file, each with its time, or a label. */
import { z } from 'zod';

const at = z.number().finite().nonnegative();
const tokens = z.number().nonnegative().finite().default(0);

const hookLine = z.object({
	at,
	client: z.string().min(1),
	event: z.string().min(1),
	body: z.record(z.string(), z.unknown()),
});
const usageLine = z.object({
	at,
	usage: z.object({
		sessionId: z.string().min(1),
		model: z.string().nullable().default(null),
		/** Cumulative, as all of these. */
		input: tokens,
		output: tokens,
		cacheRead: tokens,
		cacheCreation: tokens,
		usd: z.number().nonnegative().finite().nullable().default(null),
	}),
});
const progressLine = z.object({
	at,
	progress: z.object({ sessionId: z.string().min(1), path: z.string().default('') }),
});

/** What is known of the trace. Whoever judges the replay reads it, the replay itself does not. */
const labelLine = z.object({ label: z.record(z.string(), z.unknown()) });

export type HookLine = z.infer<typeof hookLine>;
export type UsageLine = z.infer<typeof usageLine>;
export type ProgressLine = z.infer<typeof progressLine>;
export type LabelLine = z.infer<typeof labelLine>;
export type ReplayLine =
	| { readonly kind: 'hook'; readonly line: HookLine }
	| { readonly kind: 'usage'; readonly line: UsageLine }
	| { readonly kind: 'progress'; readonly line: ProgressLine }
	| { readonly kind: 'label'; readonly line: LabelLine };

/** The line, or a sentence that says why it cannot be read. */
export function readReplayLine(text: string): ReplayLine | string {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return `not JSON (${error instanceof Error ? error.message : String(error)})`;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object';
	if ('usage' in value) return checked('usage', usageLine.safeParse(value));
	if ('progress' in value) return checked('progress', progressLine.safeParse(value));
	if ('label' in value) return checked('label', labelLine.safeParse(value));
	return checked('hook', hookLine.safeParse(value));
}

function checked<K extends ReplayLine['kind'], T>(
	kind: K,
	parsed: z.ZodSafeParseResult<T>,
): { kind: K; line: T } | string {
	if (parsed.success) return { kind, line: parsed.data };
	const issue = parsed.error.issues[0];
	return `not a ${kind} line: ${issue?.path.join('.') || 'line'}: ${issue?.message ?? 'invalid'}`;
}
