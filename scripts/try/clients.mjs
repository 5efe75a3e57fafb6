/**
 * The real agent programs of the trials: how each is started, and how to read what it sends and prints. A `world` has a
 * `place` of its own on disk and the `steps` of the provider stub; `showsRetries` when they are to be printed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const claude = {
	key: 'claude',
	/** Status of a refusal, which it does not ask again after. */
	refusal: 409,
	name: 'Claude Code',
	package: '@anthropic-ai/claude-code',
	sessionHeader: 'x-claude-code-session-id',
	start: (world, base, prompt, more) => ({
		args: [
			...['-p', prompt, ...more, '--allowedTools', 'Bash'],
			...(world.showsRetries ? ['--output-format', 'stream-json', '--verbose'] : ['--output-format', 'json']),
		],
		env: {
			ANTHROPIC_BASE_URL: base,
			ANTHROPIC_API_KEY: 'x',
			DISABLE_TELEMETRY: '1',
			DISABLE_AUTOUPDATER: '1',
			CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
		},
	}),
	resume: (sessionId) => ['--resume', sessionId],
	withModel: (model) => ['--model', model],
	readsNotes: () => ({
		text: 'First the notes.',
		toolCalls: [{ name: 'Bash', input: { command: 'cat notes.txt', description: 'Read the notes' } }],
	}),
	/** Requests without tools are the client's side work (titles, summaries). */
	step:
		(step, { steps }) =>
		(call) =>
			hasTools(call.body) ? step(call) : steps.answer({ text: 'ok' })(call),
	agentCalls: (calls) => calls.filter((call) => hasTools(call.json ?? call.body)),
	conversation: ({ system, tools, messages }) => ({
		// What the vendor alone reads (who pays) stays with the vendor.
		system: system.filter(({ text }) => !text.startsWith('x-anthropic-billing-header')),
		tools: tools.map(({ name, description, input_schema }) => ({ name, description, input_schema })),
		said: saidIn(messages),
	}),
	resultOf: ({ stdout }) => String(linesOf(stdout).at(-1)?.result),
	/** What it shows of its own retries. */
	retriesIn: ({ stdout }) =>
		linesOf(stdout)
			.filter(({ subtype }) => subtype === 'api_retry')
			.map(
				(retry) =>
					`retry ${retry.attempt} of ${retry.max_retries} (${retry.error}) in ${retry.retry_delay_ms} ms`,
			),
};

export const codex = {
	key: 'codex',
	refusal: 400,
	name: 'Codex',
	package: '@openai/codex@0.171.0',
	sessionHeader: 'session-id',
	start: (world, base, prompt, more) => {
		const home = join(world.place, 'codex');
		mkdirSync(home, { recursive: true });
		const lines = [
			'model = "gpt-5.2-codex"',
			'model_provider = "floor"',
			'[model_providers.floor]',
			'name = "Agent Floor"',
			`base_url = "${base}/v1"`,
			'wire_api = "responses"',
			'env_key = "STUB_KEY"',
		];
		writeFileSync(join(home, 'config.toml'), `${lines.join('\n')}\n`);
		const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json'];
		return { args: ['exec', ...flags, ...more, prompt], env: { CODEX_HOME: home, STUB_KEY: 'x' } };
	},
	resume: (sessionId) => ['resume', sessionId],
	withModel: (model) => ['--model', model],
	readsNotes: () => ({
		text: 'First the notes.',
		toolCalls: [{ name: 'exec_command', input: { cmd: 'cat notes.txt' } }],
	}),
	step: (step) => step,
	agentCalls: (calls) => calls,
	// Tools that the vendor runs itself (web search, namespaces) exist only where the vendor is.
	conversation: ({ instructions, tools, input }) => ({
		system: instructions,
		tools: tools.filter(({ type }) => type === 'function'),
		// Ids are the vendor's; local servers know a developer as the system.
		said: input.map(({ id, role, ...item }) => [role === 'developer' ? 'system' : role, item]),
	}),
	resultOf: ({ stdout }) =>
		linesOf(stdout)
			.flatMap(({ item }) => (item?.type === 'agent_message' ? [item.text] : []))
			.join('\n'),
	retriesIn: ({ stdout }) =>
		linesOf(stdout).flatMap(({ type, message }) => (type === 'error' ? [message] : [])),
};

/** The JSON of a program that prints one object a line; of one that was killed the last line may be torn. */
function linesOf(stdout) {
	return stdout.split('\n').flatMap((line) => {
		try {
			return line.startsWith('{') ? [JSON.parse(line)] : [];
		} catch {
			return [];
		}
	});
}

/** Who said what, in order. A system message in the middle reaches a local model as a reminder of the user's. */
function saidIn(messages) {
	return messages.flatMap(({ role, content }) => {
		const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
		const speaker = role === 'assistant' ? role : 'user';
		return blocks.map(({ cache_control, ...block }) => [speaker, withoutReminder(block)]);
	});
}

function withoutReminder(block) {
	const reminder = /^<system-reminder>\n([\s\S]*)\n<\/system-reminder>$/.exec(block.text ?? '');
	return reminder ? { ...block, text: reminder[1] } : block;
}

function hasTools(body) {
	return Array.isArray(body?.tools) && body.tools.length > 0;
}
