import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capabilityOf } from '../../src/main/failover/capability.ts';
import {
	type Capability,
	capabilitySchema,
	deviceFitSchema,
	type LocalServerView,
	localServerViewSchema,
	type ModelFit,
} from '../../src/shared/capability.ts';

function server(state: LocalServerView['state'], id = 'ollama'): LocalServerView {
	const baseUrl = 'http://127.0.0.1:11434';
	return { id, kind: 'ollama', baseUrl, state, problem: '', version: null, models: 1, checkedAt: 1 };
}

function model(more: Partial<ModelFit> = {}): ModelFit {
	return {
		id: 'ollama/qwen3-coder:30b',
		serverId: 'ollama',
		serverKind: 'ollama',
		model: 'qwen3-coder:30b',
		name: 'qwen3-coder:30b',
		context: { inUse: 32_768, max: 262_144 },
		loaded: true,
		sizeBytes: 18e9,
		tools: true,
		tags: ['instruction'],
		fit: 'COMFORTABLE',
		fitReason: '18 GB of 24 GB',
		checkedAt: 1,
		...more,
	};
}

const activeSession: Capability['activeSession'] = {
	harness: 'cloud',
	model: 'claude-x',
	roles: {
		plan: null,
		act: { harness: 'cloud', at: 'anthropic', model: 'claude-x' },
		utility: null,
		embed: null,
	},
};

describe('seed 003, section 1: the capability object', () => {
	it('has exactly the fields and words of the seed', () => {
		const capability = capabilityOf({
			servers: [server('running')],
			models: [model()],
			remote: 'reachable',
			activeSession,
		});
		expect(Object.keys(capability)).toEqual(['local', 'localModels', 'remote', 'activeSession']);
		expect(capabilitySchema.parse(capability)).toEqual(capability);
		expect(capability).toMatchObject({ local: 'ready', remote: 'reachable', activeSession });
		expect(capabilitySchema.safeParse({ ...capability, online: true }).success).toBe(false);
	});

	it.each([
		['reachable', 'reachable'],
		['unreachable', 'unreachable'],
		['unauthorised', 'unauthorised'],
		['unknown', 'unreachable'],
	] as const)('remote %s is %s', (remote, shown) => {
		expect(capabilityOf({ servers: [], models: [], remote, activeSession: null }).remote).toBe(shown);
	});

	it.each<[string, LocalServerView[], ModelFit[], Capability['local']]>([
		['nothing', [], [], 'unsupported'],
		['a loaded model', [server('running')], [model()], 'ready'],
		[
			'a model whose server does not tell if it is loaded',
			[server('running')],
			[model({ loaded: null })],
			'ready',
		],
		[
			'a cold model, which its server loads when asked',
			[server('running')],
			[model({ loaded: false })],
			'ready',
		],
		['a model of unknown size', [server('running')], [model({ fit: 'UNKNOWN' })], 'ready'],
		['only a model that is over', [server('running')], [model({ fit: 'OVER' })], 'unsupported'],
		['a server without models', [server('running')], [], 'unsupported'],
		['a server that loads', [server('loading')], [model()], 'loading'],
		[
			'a server that loads beside a ready one',
			[server('loading', 'llamacpp'), server('running')],
			[model()],
			'ready',
		],
		[
			'a server that loads beside a model that is over',
			[server('loading', 'llamacpp'), server('running')],
			[model({ fit: 'OVER' })],
			'loading',
		],
		['a server that is gone', [server('absent')], [model()], 'unsupported'],
		['a server that cannot be read', [server('unreadable')], [model()], 'unsupported'],
		['a server not yet asked', [server('unknown')], [model()], 'unsupported'],
	])('%s: local is %4$s', (_, servers, models, local) => {
		expect(capabilityOf({ servers, models, remote: 'unknown', activeSession: null }).local).toBe(local);
	});

	it('never names a model of a server that is not there, and is valid for anything', () => {
		const id = fc.constantFrom('ollama', 'vllm', 'gone');
		const servers = fc.array(
			fc
				.tuple(id, fc.constantFrom(...localServerViewSchema.shape.state.options))
				.map(([of, state]) => server(state, of)),
		);
		const models = fc.array(
			fc
				.record({
					serverId: id,
					fit: fc.constantFrom(...deviceFitSchema.options),
					loaded: fc.constantFrom(true, false, null),
				})
				.map(model),
		);
		fc.assert(
			fc.property(servers, models, (present, all) => {
				const capability = capabilityOf({
					servers: present,
					models: all,
					remote: 'unknown',
					activeSession: null,
				});
				expect(capabilitySchema.parse(capability)).toEqual(capability);
				for (const { serverId } of capability.localModels)
					expect(
						present.some(({ id: known, state }) => known === serverId && /running|loading/.test(state)),
					).toBe(true);
				if (capability.local === 'ready')
					expect(capability.localModels.some(({ fit }) => fit !== 'OVER')).toBe(true);
			}),
			{ numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
		);
	});
});
