/** What other settings would have done with what was recorded, played beside the running floor. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ChannelError } from '../../shared/channels.ts';
import { exactNumber } from '../../shared/format.ts';
import type { Settings, SettingsPatch } from '../../shared/settings.ts';
import type { SettingsPreview } from '../../shared/settings-preview.ts';
import type { Floor } from '../floor/floor.ts';
import { nameOf } from '../floor/view.ts';
import { createDialects } from '../hooks/dialects.ts';
import { comparisonOf, type Played, playedOf } from '../replay/comparison.ts';
import { type ReplayDecision, replay } from '../replay/replay.ts';
import type { HeardResponse } from '../usage/usage-answers.ts';
import { type Night, type NightSources, nightOf, recordedNight } from './recorded-night.ts';

/** Played when no time is named, ms. */
const NIGHT_MS = 12 * 60 * 60_000;
/** Events that are played at most; of more, the newest. */
const MOST_EVENTS = 100_000;
/** The play holds the floor for so long at most, ms. */
const SLICE_MS = 5;
/** The play with the present settings is believed for so long, ms. */
const FRESH_MS = 60_000;
/** A play that takes longer is given up, ms. */
const LONGEST_MS = 30_000;

export interface PreviewPartOptions {
	readonly floor: Floor;
	readonly store: NightSources['store'];
	readonly now: () => number;
	readonly settings: () => Settings;
	/** Throws a `ChannelError` for a patch that is not allowed. */
	readonly wouldBe: (patch: SettingsPatch) => Settings;
	readonly responsesSince: (at: number) => Iterable<HeardResponse>;
}

interface Play {
	readonly played: Played;
	readonly events: number;
	/** Where each session worked, as its agent last told. */
	readonly places: ReadonlyMap<string, Place>;
}

interface Place {
	readonly name: string;
	readonly directory: string;
}

/** Every play of a question is of the same night: what is recorded meanwhile would look like an effect of the change. */
interface Before {
	readonly night: Night;
	readonly play: Play;
}

type Breathe = () => Promise<void> | null;

export class PreviewPart {
	readonly #options: PreviewPartOptions;
	/** The newest question: older ones end. */
	#asked = 0;
	/** Made once for all questions about one night with the same settings in force. */
	#before: { readonly key: string; readonly at: number; readonly made: Promise<Before> } | null = null;

	constructor(options: PreviewPartOptions) {
		this.#options = options;
	}

	/**
	 * Rejects with a `ChannelError` for a patch that is not allowed, when a newer question took its place, and when the
	 * play takes too long.
	 */
	async preview(patch: SettingsPatch, since: number | null): Promise<SettingsPreview> {
		const { wouldBe, settings } = this.#options;
		const changed = wouldBe(patch);
		const present = settings();
		this.#asked += 1;
		const question = this.#asked;
		const { night, play: before } = await this.#presentPlay(present, since);
		const isNewest = (): boolean => this.#asked === question;
		if (!isNewest()) throw superseded();
		const after = isDeepStrictEqual(changed, present)
			? before
			: await play(changed, night, breathing(isNewest));
		return {
			from: night.from,
			to: night.until,
			events: after.events,
			sessions: after.places.size,
			...comparisonOf(before.played, after.played, (sessionId) => {
				return after.places.get(sessionId) ?? { name: sessionId, directory: '' };
			}),
			notes: this.#notes(night, after.events),
		};
	}

	#presentPlay(settings: Settings, since: number | null): Promise<Before> {
		const at = this.#options.now();
		const key = JSON.stringify([since, settings]);
		if (this.#before?.key === key && at - this.#before.at < FRESH_MS) return this.#before.made;
		const made = this.#play(settings, { from: since ?? at - NIGHT_MS, until: at }, () => {
			return this.#before?.made === made;
		});
		const before = { key, at, made };
		this.#before = before;
		made.catch(() => {
			// Whoever asked is told; the next one tries anew.
			if (this.#before === before) this.#before = null;
		});
		return made;
	}

	async #play(
		settings: Settings,
		span: Pick<Night, 'from' | 'until'>,
		isWanted: () => boolean,
	): Promise<Before> {
		const { store, responsesSince } = this.#options;
		const breathe = breathing(isWanted);
		const night = await nightOf({ ...span, store, responsesSince, most: MOST_EVENTS, breathe });
		return { night, play: await play(settings, night, breathe) };
	}

	#notes({ recorded, leftOut }: Night, played: number): string[] {
		const unread = recorded - played;
		const hasDemo = this.#options.floor.agents().some(({ demo }) => demo);
		return [
			...(leftOut > 0
				? [`Too many for one play: ${exactNumber(leftOut)} older events of the time asked for were left out.`]
				: []),
			...(unread > 0 ? [`${exactNumber(unread)} events could not be read and were left out.`] : []),
			'What happened, happened: what an agent would have done after a note or a refusal is not known.',
			'What you ordered by hand is not played, and an agent that is stopped here stays stopped to the end.',
			'Changes of files count only where a hook told of them.',
			'Spending begins at nothing at the start of this time.',
			...(hasDemo ? ['Agents of the demonstration are not recorded.'] : []),
		];
	}
}

async function play(settings: Settings, night: Night, breathe: Breathe): Promise<Play> {
	const decisions: ReplayDecision[] = [];
	const places = new Map<string, Place>();
	let events = 0;
	await replay(recordedNight(night), {
		settings,
		dialects: createDialects(),
		onDecision: (decision) => decisions.push(decision),
		onSkipped: () => {},
		onHook: (sessionId, agent) => {
			events += 1;
			if (agent) places.set(sessionId, { name: nameOf(agent), directory: agent.directory });
		},
		breathe,
		hookedOnly: true,
	});
	return { played: playedOf(decisions, new Set(places.keys())), events, places };
}

/** Lets other work go on in between. Rejects once nobody wants the play, or when it takes too long. */
function breathing(isWanted: () => boolean): Breathe {
	const startedAt = performance.now();
	let sliceAt = startedAt;
	return () => {
		if (performance.now() - sliceAt < SLICE_MS) return null;
		return nextTurn().then(() => {
			sliceAt = performance.now();
			if (!isWanted()) throw superseded();
			if (sliceAt - startedAt > LONGEST_MS) throw tooLong();
		});
	};
}

function superseded(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'A newer question took its place.',
		meaning: 'Nothing was changed.',
		remedy: 'Look at the newer answer.',
	});
}

function tooLong(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: `Playing what was recorded with these settings takes longer than ${LONGEST_MS / 1_000} seconds.`,
		meaning: 'What they would have done is not known. Nothing was changed.',
		remedy: 'Ask with more seconds between two beats, or play it with agent-floor replay.',
	});
}
