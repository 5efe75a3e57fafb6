/** How long the forwarder waits for the floor, by event. Of no client and no system in particular. */

/** Seconds. */
export interface ForwardDeadlines {
	/** What the floor is told it may take to answer before a tool: the operator may have to be asked. */
	readonly consent: number;
	/** Before a tool: a little more than `consent`, so that the floor's last word still arrives. */
	readonly gate: number;
	/** When a session or a turn is broken off: Codex gives such a hook 3 s at most. */
	readonly end: number;
	readonly others: number;
}

/** Seconds after a gate that nobody answered in which every hook passes at once. */
export const PAUSE_SECONDS = 30;
/** In the data directory's hooks folder, from the first such silence until the floor answers again. */
export const QUIET_FILE = 'forward.quiet';
/** No reply of the floor's comes near it; another program on its port may never stop sending. */
export const MOST_REPLY_BYTES = 1_048_576;

export const FORWARD_DEADLINES: ForwardDeadlines = { consent: 60, gate: 61, end: 1, others: 2 };

/** The events that come before a tool, in the spelling of each client. */
export const GATE_EVENTS = ['PreToolUse', 'BeforeTool', 'preToolUse'] as const;
export const START_EVENTS = ['SessionStart', 'sessionStart'] as const;
export const END_EVENTS = ['SessionEnd', 'sessionEnd', 'Interrupt'] as const;

/**
 * Seconds that a handler needs, so that its client never gives up before the forwarder does. At a session's start
 * Windows has PowerShell to start and processes to look through.
 */
export function forwardTimeout(event: string): number {
	const isOf = (events: readonly string[]) => events.includes(event);
	if (isOf(GATE_EVENTS)) return FORWARD_DEADLINES.gate + 4;
	if (isOf(START_EVENTS)) return FORWARD_DEADLINES.others + 8;
	return isOf(END_EVENTS) ? FORWARD_DEADLINES.end + 1 : FORWARD_DEADLINES.others + 3;
}
