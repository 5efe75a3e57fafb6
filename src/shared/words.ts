/**
 * The words of the floor as schemas. Every room, the window and the docs use these and no synonyms.
 */
import { z } from 'zod';

/** The four rungs of the ladder, in climbing order (seed 002, "The Four-Level Escalation Hierarchy"). */
export const breakerLevelSchema = z.enum(['healthy', 'steering', 'constrained', 'stopped']);
export type BreakerLevel = z.infer<typeof breakerLevelSchema>;

/** What the ladder asks for on the way up (seed 002, `actionFor`). */
export const breakerActionSchema = z.enum(['none', 'steer', 'constrain', 'stop']);
export type BreakerAction = z.infer<typeof breakerActionSchema>;

/**
 * The arms that can trip, in the order in which the first one gives the reason: the seed's seven (seed 002, "Trip
 * Conditions"), then those that judge by results.
 */
export const tripArmSchema = z.enum([
	'repeated-tool',
	'error-storm',
	'agent-token-cap',
	'cost-cap',
	'token-cap',
	'token-velocity',
	'no-progress',
	'same-result',
	'cycle',
	'polling',
	'no-new-result',
]);
export type TripArm = z.infer<typeof tripArmSchema>;

/** What can truthfully be said about an agent now. */
export const agentStateSchema = z.enum(['live', 'waiting', 'unverifiable', 'exited']);
export type AgentStateKind = z.infer<typeof agentStateSchema>;

/** Degradation tiers (seed 003, section 5). */
export const tierSchema = z.enum(['NORMAL', 'LOCAL-ONLY', 'READ-ONLY-REMOTE', 'REFUSING']);
export type Tier = z.infer<typeof tierSchema>;

/** What the operator can lay on an agent. An order outranks a ladder decision and holds until `resume`. */
export const orderKindSchema = z.enum(['hold', 'constrain', 'stop']);
export type OrderKind = z.infer<typeof orderKindSchema>;

/** Agent programs whose hooks the floor can install. */
export const hookClientSchema = z.enum([
	'claude-code',
	'codex',
	'gemini-cli',
	'copilot-cli',
	'opencode',
	'qwen-code',
	'cursor',
]);
export type HookClient = z.infer<typeof hookClientSchema>;

/** Milliseconds since the Unix epoch. */
export const timestampSchema = z.number().finite();
