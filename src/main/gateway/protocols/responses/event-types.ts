/** The events of a Responses stream by what they are for. */

const last: ReadonlySet<string> = new Set([
	'response.completed',
	'response.incomplete',
	'response.failed',
	'error',
]);

const thoughts: ReadonlySet<string> = new Set([
	'response.reasoning_summary_text.delta',
	'response.reasoning_text.delta',
	'response.reasoning.delta',
	'response.reasoning_summary.delta',
]);

const calls = /^response\.(?:function_call|custom_tool_call|mcp_|\w+_call[._])/;

/** Ends the response, well or not. */
export function isLastType(type: string): boolean {
	return last.has(type);
}

/** Read even while everything waits: text is remembered, ends and errors are obeyed. */
export function isReadWhileHolding(type: string): boolean {
	return last.has(type) || isTextDelta(type);
}

export function isTextDelta(type: string): boolean {
	return type === 'response.output_text.delta' || type === 'response.refusal.delta';
}

export function isThoughtDelta(type: string): boolean {
	return thoughts.has(type);
}

/** Of a tool's call, run by the client or by the vendor. */
export function isOfCall(type: string): boolean {
	return calls.test(type);
}
