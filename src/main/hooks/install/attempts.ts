/**
 * Planning and applying, whatever the file: what a person can put right is told in words, and another program that
 * writes the same file at the same time gets its turns.
 */
import type { HookPlan } from '../../../shared/channels.ts';
import { givenUp, isRefusal, reasonOf, refusal } from './refusal.ts';

/** How often the file may be found changed by somebody else. */
const ATTEMPTS = 8;

/** What `plan` finds, or that `file` is unreadable and why. */
export async function planned(file: string, plan: () => Promise<HookPlan>): Promise<HookPlan> {
	try {
		return await plan();
	} catch (error) {
		if (!isRefusal(error)) throw error;
		return { file, status: 'unreadable', problem: reasonOf(error), diff: '' };
	}
}

/**
 * Calls `attempt` until it gives a plan; `null`: another program changed the file meanwhile.
 * @throws ChannelError `refused-file` when the file cannot be read, merged, written or verified.
 */
export async function applied(
	{ program, file }: { readonly program: string; readonly file: string },
	remove: boolean,
	attempt: () => Promise<HookPlan | null>,
): Promise<HookPlan> {
	try {
		for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
			const plan = await attempt();
			if (plan !== null) return plan;
		}
	} catch (error) {
		if (!isRefusal(error)) throw error;
		throw refusal(program, file, remove, error);
	}
	throw givenUp(program, file);
}
