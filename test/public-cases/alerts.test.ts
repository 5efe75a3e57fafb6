/** Notices that were missed, repeated or came in floods in neighbouring programs. */
import { describe, expect, it } from 'vitest';
import {
	COOLDOWN_MS,
	type Notice,
	NoticePlanner,
} from '../../src/main/desktop/notifications/notice-planner.ts';
import { NotificationService } from '../../src/main/desktop/notifications/notification-service.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import { agent, floor, NOON, needyAgent } from '../desktop/floor-fixture.ts';
import { FloorFixture } from '../support/floor-fixture.ts';

const away = { attended: false };

/** A floor with its planner, which has seen it empty. */
class Watched extends FloorFixture {
	readonly #planner = new NoticePlanner();

	constructor() {
		super();
		this.#planner.plan(floor(), this.now, away);
	}

	notices(): string[] {
		const seen = floor({ agents: this.floor.views(this.now) });
		return this.#planner.plan(seen, this.now, away).show.map(({ key }) => key);
	}
}

it('leynier/alera 218: turns that end are no news for anybody (U53)', () => {
	const watched = new Watched();
	for (let index = 0; index < 40; index += 1) {
		watched.happen({ kind: 'turn-end', message: '' }, { sessionId: `s${index % 20}` });
		watched.now += 500;
		expect(watched.notices()).toEqual([]);
	}
});

it('alamops/agetor 193: an agent that flaps between work and rest hides no real wait (U35)', () => {
	const watched = new Watched();
	for (let index = 0; index < 20; index += 1) {
		watched.happen({ kind: 'prompt', text: 'again' });
		watched.now += 700;
		watched.happen({ kind: 'turn-end', message: '' });
		expect(watched.notices()).toEqual([]);
	}
	watched.happen({ kind: 'prompt', text: 'go' });
	watched.happen({ kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' });
	expect(watched.notices()).toEqual(['agent:claude-code:s1']);
});

it('alamops/agetor 193: one that asks and works in turn is told of once a minute at most (U35, U53)', () => {
	const watched = new Watched();
	let told = 0;
	for (let second = 0; second < 180; second += 1) {
		watched.happen(
			second % 4 < 2
				? { kind: 'waiting', on: 'permission', message: 'wants to run Bash `make`' }
				: { kind: 'prompt', text: 'yes' },
		);
		told += watched.notices().length;
		watched.now += 1_000;
	}
	expect(told).toBe(3);
});

describe('Szotasz/marveen 786, 1186 (U55)', () => {
	interface Try {
		readonly notice: Notice;
		readonly failed: (error: unknown) => void;
	}

	function service(refuse: (tries: number) => boolean) {
		const tries: Try[] = [];
		let now = NOON;
		const asks = new Set<number>();
		const notifications = new NotificationService({
			factory: {
				isSupported: () => true,
				show: (notice, { onFailed }) => {
					tries.push({ notice, failed: onFailed });
					if (refuse(tries.length)) throw new Error('not allowed now');
					return { close: () => {} };
				},
			},
			isAttended: () => false,
			openAgent: () => {},
			report: () => {},
			now: () => now,
			askAgain: (afterMs) => {
				const at = now + afterMs;
				asks.add(at);
				return () => void asks.delete(at);
			},
		});
		const see = (seen: FloorSnapshot, laterMs = 0): void => {
			now += laterMs;
			notifications.update(seen);
		};
		see(floor());
		return { see, keys: () => tries.map(({ notice }) => notice.key), tries, asks };
	}

	const one = floor({ agents: [needyAgent('a')] });

	it('a notice that the system refused is tried again, at its pace, until it is shown', () => {
		const { see, keys, asks } = service((tries) => tries < 3);
		see(one);
		expect([...asks]).toEqual([NOON + COOLDOWN_MS]);
		see(one, 1_000);
		expect(keys()).toEqual(['agent:a']);
		for (let minute = 0; minute < 5; minute += 1) see(one, COOLDOWN_MS);
		expect(keys()).toEqual(['agent:a', 'agent:a', 'agent:a']);
	});

	it('… also when it fails later, and not when what it told of is over', () => {
		const { see, keys, tries } = service(() => false);
		see(one);
		tries[0]?.failed(new Error('the service is gone'));
		see(one, COOLDOWN_MS);
		tries[1]?.failed(new Error('the service is gone'));
		see(floor({ agents: [agent('a')] }), 1_000);
		see(floor({ agents: [agent('a')] }), COOLDOWN_MS);
		expect(keys()).toEqual(['agent:a', 'agent:a']);
	});

	it('of a burst that was refused everybody is told later', () => {
		const { see, keys } = service((tries) => tries === 1);
		const burst = floor({ agents: ['a', 'b', 'c', 'd', 'e'].map((id) => needyAgent(id)) });
		see(burst);
		see(burst, COOLDOWN_MS);
		expect(keys()).toEqual(['several', 'several']);
	});

	it('what was shown is not shown again, and one agent’s notice holds up nobody else’s', () => {
		const { see, keys } = service(() => false);
		see(one);
		see(floor({ agents: [needyAgent('a'), needyAgent('b')] }), 1_000);
		for (let hour = 0; hour < 4; hour += 1) {
			see(floor({ agents: [needyAgent('a'), needyAgent('b')] }), 30 * 60_000);
		}
		expect(keys()).toEqual(['agent:a', 'agent:b']);
	});
});
