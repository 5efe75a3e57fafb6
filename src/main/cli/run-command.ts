/** `agent-floor run -- <command…>`: one call of a program with the model that may be asked now. */
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { ModelReport } from '../../shared/models-view.ts';
import { classifyProgram, type ProgramVerdict } from '../models/program-output.ts';
import { type Command, type CommandContext, type CommandEnd, UsageError } from './command.ts';
import { isWorthHolding } from './held-output.ts';
import { authorityOf, callerOf, callerOptions, callerUsage } from './model-options.ts';
import { saidOf } from './model-said.ts';
import { ModelSession } from './model-session.ts';
import { ProgramInput, type RunInput } from './program-input.ts';
import { type ProgramRun, runProgram } from './run-program.ts';
import { StartFailure } from './start-failure.ts';

export const runCommand: Command = {
	name: 'run',
	summary: 'Run a program with the model that may be asked now; once more on the fallback when it is limited',
	usage: `Usage: agent-floor run [options] -- COMMAND [ARGUMENT]...

  {model} in an argument is replaced by the model; $AGENT_FLOOR_MODEL holds it as well.

  --wait             when the whole chain is limited, sleep until a model is free instead of leaving with 3
  --keep-input       read standard input here and give it to the second run again (up to 8 MB)
${callerUsage.replace('(default $AGENT_FLOOR_CALLER)', '(default $AGENT_FLOOR_CALLER, else this run alone)')}

  agent-floor run -- claude -p --model {model} --output-format json "look at the open issues"

Input, output and signals pass through. Standard input is the program's own: inside "while read" a program that reads
none leaves the loop its lines. So after a limit there is no second run when the input is a pipe that the program may
have read; --keep-input keeps it. A file is opened anew (on Linux), a terminal and </dev/null need nothing.

Where standard output is no terminal, its beginning is held back for at most 2 s or 64 kB, so that a limited first run
leaves no answer of its own in a pipe: that goes to standard error then.

How it went is read from its exit code, its error output and its structured output (JSON of Claude Code, Codex, Copilot
CLI, Gemini CLI), never from the words of an answer.

Exit codes: that of the program (of its second run, where there was one; a signal that ended it ends us too); 2 used
wrongly, or it could not be started; 3 the whole chain is limited and nothing was run.`,
	ownArguments: (args) => split(args).own,
	async run(context) {
		const { own, command, rest } = split(context.args);
		const { values } = parseArgs({
			args: [...own],
			options: {
				...callerOptions,
				wait: { type: 'boolean', default: false },
				'keep-input': { type: 'boolean', default: false },
			},
		});
		if (command === undefined) throw new UsageError('it takes a command, after --');
		// Two runs at once in one directory are two callers: only one of them may make the test call.
		const caller = callerOf(values, context, `run ${process.pid}`);
		const authority = await authorityOf(values, caller, context);
		const session = new ModelSession(authority, caller, context.err);
		const first = await session.ask(values.wait);
		if (first.model === null) return 3;
		const stay = stayForReader();
		const input = new ProgramInput(values['keep-input']);
		try {
			const call = new Call(session, command, rest, context);
			const { end, held, next } = await call.make(first.model, input.first, true);
			const second = next === null ? null : await modelOfSecond(input, session, context);
			// Of two runs the second one gives the result; what the first one said is a remark.
			print(second === null ? process.stdout : process.stderr, held);
			if (second === null) return end;
			return (await call.make(second.model, second.input, false)).end;
		} catch (error) {
			if (!(error instanceof StartFailure)) throw error;
			context.err(`agent-floor run: ${error.message}`);
			return 2;
		} finally {
			input.release();
			stay();
		}
	},
};

/** `null`: there is none, which was said then. */
async function modelOfSecond(
	input: ProgramInput,
	session: ModelSession,
	{ err }: CommandContext,
): Promise<{ readonly model: string; readonly input: RunInput } | null> {
	const again = input.again();
	if ('problem' in again) {
		err(`Not run again: ${again.problem}`);
		return null;
	}
	const { model } = await session.ask(false);
	return model === null ? null : { model, input: again.input };
}

function print(to: Writable, bytes: Uint8Array): void {
	if (bytes.byteLength > 0) to.write(bytes);
}

interface Made {
	readonly end: CommandEnd;
	/** Of a limited run: output that was not printed yet. */
	readonly held: Uint8Array;
	/** Another model to go on with; `null` when nothing is to be repeated. */
	readonly next: string | null;
}

class Call {
	readonly #session: ModelSession;
	readonly #command: string;
	readonly #arguments: readonly string[];
	readonly #context: CommandContext;

	constructor(session: ModelSession, command: string, args: readonly string[], context: CommandContext) {
		this.#session = session;
		this.#command = command;
		this.#arguments = args;
		this.#context = context;
	}

	/** Runs the program and reports how it went. `isFirst`: its output may be given up for that of a second run. */
	async make(model: string, input: RunInput, isFirst: boolean): Promise<Made> {
		const run = await this.#run(model, input, isFirst && isWorthHolding());
		const verdict: ProgramVerdict = run.wasInterrupted ? { kind: 'other' } : classifyProgram(run, Date.now());
		const isLimited = verdict.kind === 'rate-limit';
		if (!isLimited) print(process.stdout, run.heldOutput);
		const next = await this.#report(model, verdict);
		return isLimited
			? { end: run.end, held: run.heldOutput, next: next === model ? null : next }
			: { end: run.end, held: new Uint8Array(), next: null };
	}

	/** What to go on with; `null` where nobody could take the report: how the program ended counts all the same. */
	async #report(model: string, verdict: ProgramVerdict): Promise<string | null> {
		try {
			return (await this.#session.report({ model, ...reportOf(verdict) })).model;
		} catch (error) {
			const words = error instanceof Error ? error.message : String(error);
			this.#context.err(`[circuit-breaker] How the call went could not be reported: ${words}`);
			return null;
		}
	}

	async #run(model: string, input: RunInput, holdsOutput: boolean): Promise<ProgramRun> {
		const { env, workingDirectory } = this.#context;
		try {
			return await runProgram(
				this.#command,
				this.#arguments.map((argument) => argument.replaceAll('{model}', () => model)),
				{
					env: { ...env, AGENT_FLOOR_MODEL: model },
					workingDirectory,
					stdout: process.stdout,
					stderr: process.stderr,
					input,
					holdsOutput,
				},
			);
		} catch (error) {
			// No call was made: only the permit goes back.
			await this.#report(model, { kind: 'other' });
			throw error;
		}
	}
}

function reportOf(verdict: ProgramVerdict): Pick<ModelReport, 'outcome' | 'retryAfterMs' | 'said'> {
	switch (verdict.kind) {
		case 'success':
		case 'other':
			return { outcome: verdict.kind };
		case 'spend-limit':
			return { outcome: verdict.kind, said: saidOf(verdict.said) };
		case 'rate-limit': {
			const { kind, retryAfterMs, said } = verdict;
			return { outcome: kind, said: saidOf(said), ...(retryAfterMs === null ? {} : { retryAfterMs }) };
		}
	}
}

interface Split {
	/** Ours. */
	readonly own: readonly string[];
	readonly command: string | undefined;
	readonly rest: readonly string[];
}

const withValue = new Set(
	Object.entries(callerOptions).flatMap(([name, { type }]) => (type === 'string' ? [`--${name}`] : [])),
);

/**
 * Behind `--`, or from the first word on that is no option of ours: PowerShell takes a `--` away when a script is called,
 * and npm's commands are scripts there.
 */
function split(args: readonly string[]): Split {
	for (let at = 0; at < args.length; at += 1) {
		const argument = args[at] ?? '';
		if (argument === '--' || !argument.startsWith('-')) {
			const [command, ...rest] = args.slice(argument === '--' ? at + 1 : at);
			return { own: args.slice(0, at), command, rest };
		}
		if (withValue.has(argument)) at += 1;
	}
	return { own: args, command: undefined, rest: [] };
}

/**
 * A reader of ours that leaves ends a command at once; here a program still runs, which hears of it through its own pipe,
 * and the model is given back after. Returns what puts the former rule back.
 */
function stayForReader(): () => void {
	const before = process.stdout.listeners('error');
	const stay = (): void => {
		// The program was told; nothing else is to be done.
	};
	process.stdout.removeAllListeners('error').on('error', stay);
	return () => {
		process.stdout.off('error', stay);
		for (const listener of before) process.stdout.on('error', (error: Error) => listener(error));
	};
}
