/** Destructive tool calls wait for the operator while the tier is not NORMAL (seed 003, pitfalls). */
import type { Tier } from '../../shared/words.ts';
import type { ConsentAnswer, Consents } from '../failover/consents.ts';
import type { FloorEvent } from '../floor/events.ts';
import type { Floor } from '../floor/floor.ts';
import type { Verdict } from '../floor/verdict.ts';
import { nameOf } from '../floor/view.ts';
import type { DestructiveJudge } from '../hooks/destructive/judge.ts';
import type { ConsentWait } from '../hooks/routes.ts';

/** Longest command that is shown whole. */
const TARGET_LIMIT = 4_000;

export interface ConsentGateOptions {
	readonly floor: Floor;
	readonly consents: Consents;
	readonly judge: DestructiveJudge;
	readonly tier: () => { readonly tier: Tier; readonly reason: string };
}

/** What `HookRouteOptions.consent` wants: `null` for everything that needs no consent now. */
export function createConsentGate(
	options: ConsentGateOptions,
): (event: FloorEvent, withinMs: number) => ConsentWait | null {
	const { floor, consents, judge, tier } = options;
	return (event, withinMs) => {
		if (event.kind !== 'tool-call') return null;
		const now = tier();
		if (now.tier === 'NORMAL') return null;
		const why = judge(event.tool, event.input);
		if (why === null) return null;
		const agent = floor.agentOfSession(event.client, event.sessionId);
		const { answer, abandon } = consents.ask({
			agentId: agent?.id ?? '',
			agentName: agent ? nameOf(agent) : `${event.client} ${event.sessionId.slice(0, 8)}`,
			tool: event.tool,
			target: targetText(event.input),
			directory: event.directory ?? agent?.directory ?? '',
			why: `It ${why}.`,
			withinMs,
		});
		return { verdict: answer.then((given) => verdictOf(given, why, now)), abandon };
	};
}

function verdictOf(
	answer: ConsentAnswer,
	why: string,
	{ tier, reason }: { readonly tier: Tier; readonly reason: string },
): Verdict | null {
	const rule = `While the floor is ${tier} (${reason}) each destructive command needs their consent.`;
	switch (answer) {
		case 'allowed':
			return null;
		case 'denied':
			return {
				kind: 'deny',
				reason: `The operator denied this call in Agent Floor: it ${why}. ${rule} Go on without it, or end your turn and say that you need it.`,
			};
		case 'expired':
		case 'gone':
			return {
				kind: 'ask',
				reason: `Agent Floor asked the operator for consent and nobody answered in time: it ${why}. ${rule}`,
			};
	}
}

/** The whole command: what a person consents to must not be cut where it matters. */
function targetText(input: unknown): string {
	const command: unknown =
		typeof input === 'object' && input !== null
			? Object.getOwnPropertyDescriptor(input, 'command')?.value
			: undefined;
	const text = typeof command === 'string' ? command : (JSON.stringify(input) ?? '');
	return text.length > TARGET_LIMIT ? `${text.slice(0, TARGET_LIMIT)}… (${text.length} characters)` : text;
}
