/**
 * The agent programs that run the floor's hooks as commands, or its plugin: how each is started headless against a stub of
 * its provider, and how a model asks it for a command, a write and a read. A `home` has `path`, `project` and `place` on
 * disk; `trust` is what Codex's person trusts.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codex as codexOfGateway } from './clients.mjs';
import { trustOfHooks } from './codex-trust.mjs';
import { startGeminiStub } from './gemini-stub.mjs';

export const codex = {
	key: 'codex',
	client: 'codex',
	name: 'Codex',
	package: codexOfGateway.package,
	startModel: (decide) => startOpenaiStub(decide, ({ input }) => after(input, isOwnItem)),
	environment: ({ place }) => ({ CODEX_HOME: join(place, 'codex'), STUB_KEY: 'x' }),
	/** Its config.toml names the provider, so that it is written for each run. */
	start(home, url, prompt, sessionId = null) {
		const more = sessionId === null ? [] : codexOfGateway.resume(sessionId);
		const { args, env } = codexOfGateway.start(home, url, prompt, more);
		appendFileSync(join(home.place, 'codex', 'config.toml'), home.trust ?? '');
		return { args, env };
	},
	prepare: ({ place }) => mkdirSync(join(place, 'codex'), { recursive: true }),
	/** Until then it ignores the hooks, and `hooks install` says so. */
	async trust(program, home, env) {
		home.trust = await trustOfHooks(program, { cwd: home.project, env });
		appendFileSync(join(home.place, 'codex', 'config.toml'), home.trust);
	},
	runs: (command) => ({ name: 'exec_command', input: { cmd: command } }),
	writes: (file) => ({ name: 'exec_command', input: { cmd: `echo written > ${file}` } }),
	reads: (file) => ({ name: 'exec_command', input: { cmd: `cat ${file}` } }),
};

export const gemini = {
	key: 'gemini',
	client: 'gemini-cli',
	name: 'Gemini CLI',
	package: '@google/gemini-cli@0.61.0',
	startModel: (decide) => startGeminiStub(({ contents }) => decide(JSON.stringify(contents.at(-1)))),
	environment: () => ({}),
	prepare({ path }) {
		mkdirSync(join(path, '.gemini'), { recursive: true });
		const settings = {
			security: { auth: { selectedType: 'gemini-api-key' } },
			general: { enableAutoUpdate: false },
			privacy: { usageStatisticsEnabled: false },
			// It has a ladder of its own, of one rung: five equal calls.
			model: { disableLoopDetection: true },
		};
		writeFileSync(join(path, '.gemini', 'settings.json'), JSON.stringify(settings, null, 2));
	},
	start: (_, url, prompt, sessionId = null) => ({
		args: [
			...['-m', 'gemini-2.5-pro', '--yolo', '-p', prompt],
			...(sessionId === null ? [] : ['--resume', sessionId]),
		],
		env: { GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
	}),
	runs: (command) => ({ name: 'run_shell_command', input: { command, description: 'Run it' } }),
	writes: (file) => ({ name: 'write_file', input: { file_path: file, content: 'written\n' } }),
	reads: (file) => ({ name: 'read_file', input: { file_path: file } }),
};

export const copilot = {
	key: 'copilot',
	client: 'copilot-cli',
	name: 'Copilot CLI',
	package: '@github/copilot@1.0.102',
	startModel: (decide) =>
		startOpenaiStub(decide, ({ messages }) => after(messages, ({ role }) => role === 'assistant')),
	environment: () => ({ COPILOT_AUTO_UPDATE: 'false' }),
	prepare: () => {},
	start: (_, url, prompt, sessionId = null) => ({
		args: ['-p', prompt, '--allow-all-tools', ...(sessionId === null ? [] : [`--resume=${sessionId}`])],
		env: {
			COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
			COPILOT_PROVIDER_API_KEY: 'x',
			COPILOT_MODEL: 'stub-model',
			COPILOT_OFFLINE: 'true',
		},
	}),
	runs: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
	writes: (file) => ({ name: 'create', input: { path: file, file_text: 'written\n' } }),
	reads: (file) => ({ name: 'view', input: { path: file } }),
};

export const opencode = {
	key: 'opencode',
	client: 'opencode',
	name: 'opencode',
	package: 'opencode-ai@1.18.33',
	// Without tools it asks for a title.
	startModel: (decide) =>
		startOpenaiStub(
			decide,
			({ messages }) => after(messages, ({ role }) => role === 'assistant'),
			({ tools }) => tools === undefined,
		),
	environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
	prepare: () => {},
	/** Its configuration names the provider, so that it is written for each run. */
	start({ path }, url, prompt, sessionId = null) {
		const directory = join(path, '.config', 'opencode');
		mkdirSync(directory, { recursive: true });
		const stub = {
			npm: '@ai-sdk/openai-compatible',
			name: 'Stub',
			options: { baseURL: `${url}/v1`, apiKey: 'x' },
			models: { 'stub-model': { name: 'Stub', limit: { context: 100_000, output: 8_000 } } },
		};
		const settings = {
			share: 'disabled',
			model: 'stub/stub-model',
			small_model: 'stub/stub-model',
			provider: { stub },
		};
		writeFileSync(join(directory, 'opencode.json'), JSON.stringify(settings, null, 2));
		return { args: ['run', ...(sessionId === null ? [] : ['--session', sessionId]), prompt], env: {} };
	},
	runs: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
	writes: (file) => ({ name: 'write', input: { filePath: file, content: 'written\n' } }),
	reads: (file) => ({ name: 'read', input: { filePath: file } }),
};

let reworded = 0;

export const qwen = {
	key: 'qwen',
	client: 'qwen-code',
	name: 'Qwen Code',
	package: '@qwen-code/qwen-code@0.24.4',
	startModel: (decide) =>
		startOpenaiStub(decide, ({ messages }) => after(messages, ({ role }) => role === 'assistant')),
	environment: () => ({ QWEN_CODE_SUPPRESS_YOLO_WARNING: '1' }),
	prepare({ path }) {
		mkdirSync(join(path, '.qwen'), { recursive: true });
		const settings = {
			security: { auth: { selectedType: 'openai' } },
			general: { enableAutoUpdate: false },
			privacy: { usageStatisticsEnabled: false },
			// It has a ladder of its own.
			model: { skipLoopDetection: true },
			// It rewrites the settings of an older version.
			$version: 4,
		};
		writeFileSync(join(path, '.qwen', 'settings.json'), JSON.stringify(settings, null, 2));
	},
	start: (_, url, prompt, sessionId = null) => ({
		args: ['-p', prompt, '--yolo', ...(sessionId === null ? [] : ['--resume', sessionId])],
		env: { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'stub-model' },
	}),
	/** Its own guard, which nothing switches off, ends a session at the fifth call that is the same to the last letter. */
	runs: (command) => ({
		name: 'run_shell_command',
		input: { command, description: `Run it (${++reworded})`, is_background: false },
	}),
	writes: (file) => ({ name: 'write_file', input: { file_path: file, content: 'written\n' } }),
	reads: (file) => ({ name: 'read_file', input: { file_path: file } }),
};

/**
 * @param {(said: string) => object | Promise<object>} decide
 * @param {(body: object) => object[]} newIn
 * @param {(body: object) => boolean} isAside side work of the program, not its agent's
 */
async function startOpenaiStub(decide, newIn, isAside = () => false) {
	const { startProviderStub } = await import('../../test/support/provider-stub.ts');
	const { answer } = await import('../../test/support/provider-stub/steps.ts');
	const stub = await startProviderStub();
	stub.respond(async (call) => {
		const said = isAside(call.body) ? { text: 'ok' } : await decide(JSON.stringify(newIn(call.body)));
		return answer(said)(call);
	});
	return { url: stub.url, close: () => stub.close() };
}

/** What the program added behind the model's last words. */
function after(items, isModels) {
	return items.slice(items.findLastIndex(isModels) + 1);
}

function isOwnItem({ type, role }) {
	return type === 'function_call' || type === 'reasoning' || role === 'assistant';
}
