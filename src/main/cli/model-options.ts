/** Who asks for a model, and whom: the options that `model` and `run` share. */
import { resolve } from 'node:path';
import { type ModelCaller, modelCallerSchema } from '../../shared/models-view.ts';
import { visibleText } from '../../shared/untrusted-text.ts';
import { isDirectory, squadDirectoryOf } from '../app/squad-directory.ts';
import { type CommandContext, dataDirectoryOf, UsageError } from './command.ts';
import { FoundAuthority } from './found-authority.ts';

/** For `parseArgs`. */
export const callerOptions = {
	preferred: { type: 'string' },
	provider: { type: 'string' },
	caller: { type: 'string' },
	directory: { type: 'string' },
	data: { type: 'string' },
} as const;

export const callerUsage = `  --preferred=MODEL  the preferred model, instead of the one that the state file or the settings name
  --provider=ID      whose account is called (an id of the settings' providers)
  --caller=NAME      tells several loops of one directory apart (default $AGENT_FLOOR_CALLER)
  --directory=DIR    in the repository (default: here); its state file is .squad/ralph-circuit-breaker.json
  --data=DIR         another data directory`;

export interface CallerValues {
	readonly preferred?: string | undefined;
	readonly provider?: string | undefined;
	readonly caller?: string | undefined;
	readonly directory?: string | undefined;
	readonly data?: string | undefined;
}

/** `standIn`: the caller's name where none was given. Throws a `UsageError`. */
export function callerOf(
	values: CallerValues,
	{ env, workingDirectory }: Pick<CommandContext, 'env' | 'workingDirectory'>,
	standIn?: string,
): ModelCaller {
	const directory = resolve(workingDirectory, values.directory ?? '.');
	if (!isDirectory(directory)) throw new UsageError(`--directory: ${visibleText(directory)} is no directory`);
	const caller = values.caller ?? (env.AGENT_FLOOR_CALLER || standIn);
	const parsed = modelCallerSchema.safeParse({
		directory: squadDirectoryOf(directory).root,
		...(values.preferred === undefined ? {} : { preferredModel: values.preferred }),
		...(values.provider === undefined ? {} : { provider: values.provider }),
		...(caller === undefined ? {} : { caller }),
	});
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw new UsageError(`${issue?.path.join('.')}: ${issue?.message}`);
}

/** Whom that caller asks. */
export async function authorityOf(
	{ data }: CallerValues,
	{ provider }: ModelCaller,
	context: CommandContext,
): Promise<FoundAuthority> {
	const authority = new FoundAuthority(dataDirectoryOf(context, data), context);
	if (provider !== undefined) await remarkProvider(authority, provider, context);
	return authority;
}

/** Says on standard error when the settings have no such provider: the call counts for an account of its own. */
async function remarkProvider(
	authority: FoundAuthority,
	provider: string,
	{ err }: CommandContext,
): Promise<void> {
	const known = await authority.providers();
	if (known.includes(provider)) return;
	err(
		`The settings have no provider ${visibleText(provider, { limit: 80 })} (they have ${known.join(', ') || 'none'}): only what is reported with the same --provider is known of it.`,
	);
}
