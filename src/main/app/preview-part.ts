/** What other settings would have done with what was recorded, played beside the running floor. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ChannelError } from '../../shared/channels.ts';
import type { Settings, SettingsPatch } from '../../shared/settings.ts';
import type { SettingsPreview } from '../../shared/settings-preview.ts';
import type { Floor } from '../floor/floor.ts';
import { nameOf } from '../floor/view.ts';
import { createDialects } from '../hooks/dialects.ts';
import { comparisonOf, type Played, playedOf } from '../replay/comparison.ts';
import { type ReplayDecision, replay } from '../replay/replay.ts';
import type { FloorStore } from '../store/floor-store.ts';
import type { HeardResponse } from '../usage/usage-answers.ts';
import { recordedNight } from './recorded-night.ts';

/** Played when no time is named, ms. */
const NIGHT_MS = 12 * 60 * 60_000;
/** Events that are played at most; of more, the first. */
const MOST_EVENTS = 100_000;
/** The play holds the floor for so long at most, ms. */
const SLICE_MS = 8;
/** The play with the present settings is believed for so long, ms. */
const FRESH_MS = 60_000;

export interface PreviewPartOptions {
	readonly floor: Floor;
	readonly store: Pick<FloorStore, 'eventsSince' | 'countEventsSince'>;
	readonly now: () => number;
	readonly settings: () => Settings;
	/** Throws a `ChannelError` for a patch that is not allowed. */
	readonly wouldBe: (patch: SettingsPatch) => Settings;
	readonly responsesSince: (at: number) => Iterable<HeardResponse>;
}

interface Play {
	readonly played: Played;
	readonly events: number;
	readonly sessions: ReadonlySet<string>;
}

export class PreviewPart {
	readonly #options: PreviewPartOptions;
	/** The newest question: older ones end. */
	#asked = 0;
	#before: { readonly key: string; readonly at: number; readonly play: Play } | null = null;

	constructor(options: PreviewPartOptions) {
		this.#options = options;
	}

	/** Rejects with a `ChannelError` for a patch that is not allowed, and when a newer question took its place. */
	async preview(patch: SettingsPatch, since: number | null): Promise<SettingsPreview> {
		const { now, settings, wouldBe, store } = this.#options;
		const changed = wouldBe(patch);
		this.#asked += 1;
		const question = this.#asked;
		const to = now();
		const from = since ?? to - NIGHT_MS;
		const recorded = store.countEventsSince(from);
		const present = settings();
		const key = JSON.stringify([since, present]);
		const known = this.#before;
		const before =
			known?.key === key && to - known.at < FRESH_MS ? known.play : await this.#play(present, from, question);
		this.#before = { key, at: known?.key === key && known.play === before ? known.at : to, play: before };
		const after = await this.#play(changed, from, question);
		return {
			from,
			to,
			events: after.events,
			sessions: after.sessions.size,
			...comparisonOf(before.played, after.played, (sessionId) => this.#placeOf(sessionId)),
			notes: [
				...(recorded > MOST_EVENTS ? [`Of ${recorded} events the first ${MOST_EVENTS} were played.`] : []),
				'What happened, happened: what an agent would have done after a note or a refusal is not known.',
				'Changes of files count only where a hook told of them.',
				'Spending begins at nothing at the start of this time.',
			],
		};
	}

	async #play(settings: Settings, from: number, question: number): Promise<Play> {
		const { store, responsesSince } = this.#options;
		const decisions: ReplayDecision[] = [];
		const sessions = new Set<string>();
		let events = 0;
		let sliceAt = performance.now();
		const breathe = (): Promise<void> | null => {
			if (performance.now() - sliceAt < SLICE_MS) return null;
			return nextTurn().then(() => {
				sliceAt = performance.now();
				if (this.#asked !== question) throw superseded();
			});
		};
		const responses = [...responsesSince(from)].sort((a, b) => a.at - b.at);
		await replay(recordedNight({ store, responses, from, most: MOST_EVENTS }), {
			settings,
			dialects: createDialects(),
			onDecision: (decision) => decisions.push(decision),
			onSkipped: () => {},
			onHook: (sessionId) => {
				events += 1;
				sessions.add(sessionId);
			},
			breathe,
			hookedOnly: true,
		});
		return { played: playedOf(decisions, sessions), events, sessions };
	}

	#placeOf(sessionId: string): { name: string; directory: string } {
		const agent = this.#options.floor.agents().find(({ sessionIds }) => sessionIds.has(sessionId));
		return agent ? { name: nameOf(agent), directory: agent.directory } : { name: sessionId, directory: '' };
	}
}

function superseded(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'A newer question took its place.',
		meaning: 'Nothing was changed.',
		remedy: 'Look at the newer answer.',
	});
}
