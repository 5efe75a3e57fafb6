import { describe, expect, it } from 'vitest';
import { FailoverStatus } from '../../src/main/app/failover-status.ts';
import { emptyFailoverView } from '../../src/shared/failover-view.ts';
import {
	type Fixture,
	fixture,
	modelFit,
	onlyPopup,
	serverView,
	settled,
	turnFacts,
} from '../failover/orchestrator-fixture.ts';

function statusOf(floor: Fixture): FailoverStatus {
	const status: FailoverStatus = new FailoverStatus({
		health: floor.health,
		localModels: { models: () => floor.models, servers: () => floor.servers },
		orchestrator: floor.desk,
		consents: () => [],
		outbox: () => emptyFailoverView.outbox,
		now: floor.time.clock.wall,
		onEvent: () => {},
	});
	return status;
}

describe('the tier while a provider is down', () => {
	it.each([
		['that an agent fits', {}, 'LOCAL-ONLY', 'A local model can go on.'],
		[
			'with a context too small for any agent',
			{ context: { inUse: 8192, max: 8192 } },
			'REFUSING',
			'No local',
		],
		[
			'that is given less context than it could hold',
			{ context: { inUse: 4096, max: 262_144 } },
			'REFUSING',
			'',
		],
		['that cannot call tools', { tools: false }, 'REFUSING', 'No local model can answer'],
		['that is over', { fit: 'OVER' as const }, 'REFUSING', 'No local model can answer'],
	])('with nothing held and a model %s', (_, change, tier, words) => {
		const floor = fixture();
		floor.models = [modelFit('m', change)];
		floor.lose().leave();
		expect(statusOf(floor).tier()).toMatchObject({ tier, reason: expect.stringContaining(words) });
	});

	it('with a model of a server that does not run', () => {
		const floor = fixture();
		floor.servers = [serverView('ollama', { state: 'absent' })];
		floor.lose().leave();
		expect(statusOf(floor).tier().tier).toBe('REFUSING');
	});

	it('while turns are held: whether a model can take one of them', () => {
		const floor = fixture();
		floor.lose(turnFacts({ estimatedTokens: 500_000 }));
		expect(statusOf(floor).tier().tier).toBe('REFUSING');
		floor.models = [modelFit('small', { context: { inUse: 8192, max: 8192 } })];
		floor.lose(turnFacts({ estimatedTokens: 500, providerId: 'openai', sessionKey: 'b' }));
		expect(statusOf(floor).tier().tier).toBe('LOCAL-ONLY');
	});

	it('counts the sessions that really go on locally, and is normal when their provider left the settings', async () => {
		const floor = fixture();
		const turn = floor.lose();
		floor.desk.switchTo(onlyPopup(floor).id, 'ollama/qwen3-coder:30b');
		await settled();
		turn.answerLocally();
		expect(statusOf(floor).tier()).toMatchObject({
			tier: 'LOCAL-ONLY',
			reason: expect.stringContaining('1 session goes on locally.'),
		});
		floor.providers = [];
		floor.desk.refresh();
		expect(statusOf(floor).tier().tier).toBe('NORMAL');
	});
});
