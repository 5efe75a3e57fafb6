/** Whatever a program on the port answers, reading it never throws and never lets a wrong value through. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { llamaModel, parseEntries, parseHealth, parseProps } from '../../src/main/local-servers/llamacpp.ts';
import { parseLmStudioModels, parseOlderModels } from '../../src/main/local-servers/lmstudio.ts';
import {
	ollamaModel,
	parseRunning,
	parseShow,
	parseTags,
	parseVersion,
} from '../../src/main/local-servers/ollama.ts';
import { parseModelIds } from '../../src/main/local-servers/openai.ts';
import { parseDownload, parsePullLine } from '../../src/main/local-servers/pull.ts';
import { type ModelFacts, namedModel } from '../../src/main/local-servers/reading.ts';
import { parseVllmModels } from '../../src/main/local-servers/vllm.ts';

/** Names that the answers use, so that generated objects come near to real ones. */
const names = fc.constantFrom(
	'models',
	'data',
	'name',
	'id',
	'key',
	'type',
	'size',
	'digest',
	'size_vram',
	'context_length',
	'remote_host',
	'model_info',
	'capabilities',
	'parameters',
	'general.architecture',
	'x.context_length',
	'x.block_count',
	'x.attention.head_count',
	'x.attention.head_count_kv',
	'x.embedding_length',
	'loaded_instances',
	'config',
	'max_context_length',
	'loaded_context_length',
	'state',
	'display_name',
	'size_bytes',
	'trained_for_tool_use',
	'meta',
	'status',
	'value',
	'args',
	'failed',
	'exit_code',
	'n_ctx',
	'n_ctx_train',
	'is_sleeping',
	'build_info',
	'default_generation_settings',
	'chat_template_caps',
	'supports_tools',
	'max_model_len',
	'version',
	'error',
	'message',
	'total',
	'completed',
	'job_id',
	'total_size_bytes',
	'downloaded_bytes',
	'__proto__',
	'constructor',
);
const values = fc.oneof(
	fc.constantFrom('x', 'loaded', 'llm', '', 'success', 'completion', 'num_ctx 8192', '-c', '__proto__'),
	fc.double(),
	fc.integer(),
	fc.constant(null),
	fc.boolean(),
	fc.string(),
);
const { anything } = fc.letrec((tie) => ({
	anything: fc.oneof(
		{ maxDepth: 4, depthSize: 'small' },
		values,
		fc.array(tie('anything'), { maxLength: 4 }),
		fc.dictionary(names, tie('anything'), { maxKeys: 8 }),
	),
}));
/** As it comes out of `JSON.parse`. */
const json = fc
	.oneof(anything, fc.jsonValue())
	.map((value): unknown => JSON.parse(JSON.stringify(value ?? null)));

const modelParsers: Record<string, (value: unknown) => ModelFacts[] | null> = {
	'LM Studio': parseLmStudioModels,
	'LM Studio before 0.4': parseOlderModels,
	vLLM: parseVllmModels,
	OpenAI: (value) => parseModelIds(value)?.map(namedModel) ?? null,
	'llama.cpp': (value) => parseEntries(value)?.map((entry) => llamaModel(entry, parseProps(value))) ?? null,
	Ollama: (value) => {
		const running = parseRunning(value);
		const tags = parseTags(value);
		return (
			tags?.flatMap(
				(tag) => ollamaModel(tag, running?.[0] ?? null, parseShow(tag) ?? parseShow(value)) ?? [],
			) ?? null
		);
	},
};

it.each(Object.entries(modelParsers))('%s: any JSON gives honest models or none', (_name, parse) => {
	fc.assert(
		fc.property(json, (value) => {
			for (const model of parse(value) ?? []) {
				expect(model.model).not.toBe('');
				for (const count of [model.context.inUse, model.context.max, model.sizeBytes, model.bytesPerToken]) {
					if (count !== null) expect(Number.isInteger(count) && count > 0).toBe(true);
				}
				for (const told of [model.loaded, model.tools, model.thinking]) {
					expect([true, false, null]).toContain(told);
				}
				if (model.memory) expect(model.memory.gpu).toBeLessThanOrEqual(model.memory.total);
			}
		}),
	);
});

it('any JSON gives a version, a health and a download state that are in their words', () => {
	fc.assert(
		fc.property(json, fc.constantFrom(200, 404, 503), (value, status) => {
			expect(typeof (parseVersion(value) ?? '')).toBe('string');
			expect(['ok', 'loading', null]).toContain(parseHealth(status, value));
			const download = parseDownload(value);
			expect(['downloading', 'paused', 'done', 'failed', 'unreadable']).toContain(download.state);
			if (download.share !== null) expect(download.share >= 0 && download.share <= 1).toBe(true);
		}),
	);
});

it('any line of a pull is a status, an error, the end, or nothing', () => {
	fc.assert(
		fc.property(
			fc.oneof(
				json.map((value) => JSON.stringify(value)),
				fc.string(),
			),
			(line) => {
				const read = parsePullLine(line);
				expect([undefined, 'status', 'error', 'success']).toContain(read?.kind);
				if (read?.kind === 'status' && read.layer) {
					expect(read.layer.completed).toBeLessThanOrEqual(read.layer.total);
				}
			},
		),
	);
});
