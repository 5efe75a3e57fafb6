import { describe, expect, it } from 'vitest';
import {
	BURST_LIMIT,
	COOLDOWN_MS,
	type Notice,
	NoticePlanner,
} from '../../src/main/desktop/notifications/notice-planner.ts';
import {
	type NotificationFactory,
	NotificationService,
} from '../../src/main/desktop/notifications/notification-service.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import {
	agent,
	consent,
	failover,
	floor,
	heldTurn,
	incident,
	NOON,
	needyAgent,
	popup,
} from './floor-fixture.ts';

const away = { attended: false };
const keys = (notices: readonly Notice[]): string[] => notices.map(({ key }) => key);

/** A planner that has seen an empty floor: from here on everything is news. */
function running(): NoticePlanner {
	const planner = new NoticePlanner();
	planner.plan(floor(), NOON, away);
	return planner;
}

describe('NoticePlanner', () => {
	it('does not replay what was so when the floor started', () => {
		const planner = new NoticePlanner();
		const before = floor({ agents: [needyAgent('a')], incidents: [incident('i')] });
		expect(planner.plan(before, NOON, away).show).toEqual([]);
		expect(planner.plan(before, NOON + 1, away).show).toEqual([]);
	});

	it('tells once of each agent and each urgent incident that begins to need the operator', () => {
		const planner = running();
		const now = floor({
			agents: [needyAgent('a'), agent('b')],
			incidents: [incident('i'), incident('calm', { severity: 'attention' })],
		});
		expect(planner.plan(now, NOON, away).show).toEqual([
			{ key: 'agent:a', title: 'a needs you', body: 'may it run Bash?', agentId: 'a' },
			{
				key: 'incident:i',
				title: 'Something is wrong with i',
				body: 'Agents go on; look at the settings.',
				agentId: null,
			},
		]);
		expect(planner.plan(now, NOON + COOLDOWN_MS * 2, away).show).toEqual([]);
	});

	it('does not tell twice of one cause: the incident of an agent that asks', () => {
		const now = floor({ agents: [needyAgent('a')], incidents: [incident('i', { agentId: 'a' })] });
		expect(keys(running().plan(now, NOON, away).show)).toEqual(['agent:a']);
	});

	it('tells of a lost provider with the sentence and the recommendation, once, and not of its incident', () => {
		const planner = running();
		const lost = (change = {}) =>
			floor({
				incidents: [incident('lost')],
				failover: failover({ popups: [popup('p', { incidentId: 'lost', ...change })] }),
			});
		expect(planner.plan(lost(), NOON, away).show).toEqual([
			{
				key: 'popup:p',
				title: "Network lost: Anthropic can't be reached.",
				body: 'Continue locally with qwen3-coder:30b: fits your GPU, handles planning tasks. Your conversation carries over.',
				agentId: null,
			},
		]);
		const grown = { turns: [heldTurn('one'), heldTurn('two')], updatedAt: NOON + 1 };
		expect(planner.plan(lost(grown), NOON + 1, away).show).toEqual([]);
		expect(planner.plan(lost({ waiting: true }), NOON + 2, away)).toMatchObject({
			show: [],
			withdraw: ['popup:p'],
		});
	});

	it('says why nothing local can go on, when nothing can', () => {
		const refusing = popup('p', { recommendation: '', refusal: 'No local model holds 190k tokens.' });
		const [notice] = running().plan(floor({ failover: failover({ popups: [refusing] }) }), NOON, away).show;
		expect(notice?.body).toBe('No local model holds 190k tokens.');
	});

	it('tells of a command that waits for consent, as plain text, and takes it back when it is over', () => {
		const planner = running();
		const asks = floor({ failover: failover({ consents: [consent('c', { target: 'git push\u202E' })] }) });
		expect(planner.plan(asks, NOON, away).show).toEqual([
			{
				key: 'consent:c',
				title: 'May shop run Bash?',
				body: 'It overwrites history on a remote, which cannot be undone from here: git push⟨U+202E⟩',
				agentId: null,
			},
		]);
		expect(planner.plan(floor(), NOON + 1, away).withdraw).toEqual(['consent:c']);
	});

	it('takes back what is answered', () => {
		const planner = running();
		planner.plan(floor({ agents: [needyAgent('a')] }), NOON, away);
		expect(planner.plan(floor({ agents: [agent('a')] }), NOON, away).withdraw).toEqual(['agent:a']);
		expect(planner.plan(floor({ agents: [] }), NOON, away).withdraw).toEqual([]);
	});

	it('is silent while the operator looks, also about the same thing later', () => {
		const planner = running();
		const now = floor({ agents: [needyAgent('a')] });
		expect(planner.plan(now, NOON, { attended: true }).show).toEqual([]);
		expect(planner.plan(now, NOON + 1, away).show).toEqual([]);
	});

	it('delays an agent that asks again at once, and does not drop it', () => {
		const planner = running();
		const asks = floor({ agents: [needyAgent('a'), agent('b')] });
		planner.plan(asks, NOON, away);
		planner.plan(floor({ agents: [agent('a'), agent('b')] }), NOON + 1000, away);
		expect(planner.plan(asks, NOON + 2000, away)).toEqual({
			show: [],
			withdraw: [],
			askAgainAt: NOON + COOLDOWN_MS,
		});
		const both = floor({ agents: [needyAgent('a'), needyAgent('b')] });
		// The other agent is not held up by it.
		expect(keys(planner.plan(both, NOON + 3000, away).show)).toEqual(['agent:b']);
		expect(keys(planner.plan(both, NOON + COOLDOWN_MS, away).show)).toEqual(['agent:a']);
	});

	it('makes one notice of a burst, and takes it back when the last of it is answered', () => {
		const planner = running();
		const names = Array.from({ length: BURST_LIMIT + 2 }, (_, n) => `n${n}`);
		const burst = planner.plan(floor({ agents: names.map((name) => needyAgent(name)) }), NOON, away);
		expect(burst.show).toEqual([
			{
				key: 'several',
				title: '5 need you',
				body: 'n0 needs you · n1 needs you · n2 needs you and 2 more',
				agentId: null,
			},
		]);
		expect(planner.plan(floor({ agents: [needyAgent('n4')] }), NOON, away).withdraw).toEqual([]);
		expect(planner.plan(floor(), NOON, away).withdraw).toEqual(['several']);
	});

	it('marks the demo and draws hostile text plainly', () => {
		const hostile = needyAgent('x', { name: 'a\u202Eb', demo: true });
		const [notice] = running().plan(floor({ agents: [hostile] }), NOON, away).show;
		expect(notice?.title).toBe('Demo: a⟨U+202E⟩b needs you');
	});
});

describe('NotificationService', () => {
	interface Shown {
		readonly notice: Notice;
		readonly events: Parameters<NotificationFactory['show']>[1];
		closed: boolean;
	}

	function service(changes: Partial<NotificationFactory> = {}) {
		const shown: Shown[] = [];
		const opened: (string | null)[] = [];
		const reported: string[] = [];
		const waits: { afterMs: number; cancelled: boolean }[] = [];
		let attended = false;
		let now = NOON;
		const notifications = new NotificationService({
			factory: {
				isSupported: () => true,
				show: (notice, events) => {
					const one: Shown = { notice, events, closed: false };
					shown.push(one);
					return {
						close: () => {
							one.closed = true;
						},
					};
				},
				...changes,
			},
			isAttended: () => attended,
			openAgent: (agentId) => opened.push(agentId),
			report: (doing) => reported.push(doing),
			now: () => now,
			askAgain: (afterMs) => {
				const wait = { afterMs, cancelled: false };
				waits.push(wait);
				return () => {
					wait.cancelled = true;
				};
			},
		});
		const see = (seen: FloorSnapshot, at = now): void => {
			now = at;
			notifications.update(seen);
		};
		see(floor());
		return { notifications, see, shown, opened, reported, waits, attend: (yes: boolean) => (attended = yes) };
	}

	const asking = floor({ agents: [needyAgent('a')] });

	it('shows a notice, opens its agent on a click, and closes it when answered', () => {
		const { see, shown, opened } = service();
		see(asking);
		expect(shown.map(({ notice }) => notice.key)).toEqual(['agent:a']);
		shown[0]?.events.onClick();
		expect(opened).toEqual(['a']);
		see(floor());
		expect(shown[0]?.closed).toBe(true);
	});

	it('shows the floor when a popup is clicked', () => {
		const { see, shown, opened } = service();
		see(floor({ failover: failover({ popups: [popup('p')] }) }));
		shown[0]?.events.onClick();
		expect(opened).toEqual([null]);
	});

	it('does not close what the operator closed already', () => {
		const { see, shown } = service();
		see(asking);
		shown[0]?.events.onClosed();
		see(floor());
		expect(shown[0]?.closed).toBe(false);
	});

	it('asks again when a cooldown ends, and not for an older one', () => {
		const { see, waits } = service();
		see(asking);
		see(floor(), NOON + 1000);
		see(asking, NOON + 2000);
		expect(waits).toEqual([{ afterMs: COOLDOWN_MS - 2000, cancelled: false }]);
		see(floor(), NOON + 3000);
		expect(waits).toEqual([{ afterMs: COOLDOWN_MS - 2000, cancelled: true }]);
	});

	it('shows nothing where the system has no notifications, or while the operator looks', () => {
		const without = service({ isSupported: () => false });
		without.see(asking);
		expect(without.shown).toEqual([]);
		const looking = service();
		looking.attend(true);
		looking.see(asking);
		expect(looking.shown).toEqual([]);
	});

	it('reports a notification that the system refused, and goes on', () => {
		const refusing = service({
			show: () => {
				throw new Error('not allowed');
			},
		});
		refusing.see(asking);
		const late = service();
		late.see(asking);
		late.shown[0]?.events.onFailed(new Error('not allowed'));
		expect([refusing.reported, late.reported]).toEqual([
			['showing a notification'],
			['showing a notification'],
		]);
	});

	it('takes everything away when disposed', () => {
		const { notifications, see, shown } = service();
		see(floor({ agents: [needyAgent('a'), needyAgent('b')] }));
		notifications.dispose();
		expect(shown.map(({ closed }) => closed)).toEqual([true, true]);
	});
});
