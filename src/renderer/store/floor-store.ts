/**
 * What this window knows of the floor: the picture (snapshot and deltas) and how fresh it is. Only the engine's
 * messages change it; an action asks and waits for the delta.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChannelErrorData } from '../../shared/channels.ts';
import { type Disposable, DisposableStore } from '../../shared/disposable.ts';
import { applyDeltas, emptyPicture, type FloorPicture, hasGap, pictureOf } from '../../shared/picture.ts';
import type { FloorDelta } from '../../shared/snapshot.ts';
import type { ConnectionState, FloorTransport } from '../../shared/transport.ts';
import { channelErrorOf } from '../transport/transport-errors.ts';

export interface FloorState {
	readonly picture: FloorPicture;
	readonly connection: {
		readonly state: ConnectionState;
		/** When this state began, ms. */
		readonly since: number;
	};
	/**
	 * Since when the picture is only the last one known, ms; `null` while it follows the engine. A connection alone
	 * does not end it: the first snapshot over it does.
	 */
	readonly lostSince: number | null;
	/** Why the floor could not be read; `null` once it was. */
	readonly failure: ChannelErrorData | null;
}

export type FloorStore = StoreApi<FloorState>;

export function createFloorStore(now: number, picture: FloorPicture = emptyPicture): FloorStore {
	return createStore<FloorState>(() => ({
		picture,
		connection: { state: 'connecting', since: now },
		lostSince: null,
		failure: null,
	}));
}

/** A snapshot that could not be had, or that left a gap, is asked for again after this, ms. */
const ASK_AGAIN_MS = 1000;

/** Calls back when it is time to draw what has come meanwhile. */
export type Pace = (draw: () => void) => void;

/** At once. */
const atOnce: Pace = (draw) => draw();

/** A window that nobody sees gets no frames: it draws after this, ms. */
const NO_FRAME_MS = 250;

/** Once a frame. */
export const onceAFrame: Pace = (draw) => {
	const now = (): void => {
		cancelAnimationFrame(frame);
		clearTimeout(timer);
		draw();
	};
	const frame = requestAnimationFrame(now);
	const timer = setTimeout(now, NO_FRAME_MS);
};

/** Keeps the store true to the engine until disposed. `now` in ms. Deltas that come faster than `pace` are drawn together. */
export function followFloor(
	store: FloorStore,
	transport: FloorTransport,
	now: () => number,
	pace: Pace = atOnce,
): Disposable {
	const held = new DisposableStore();
	/** Deltas that are not in the picture yet. */
	let waiting: FloorDelta[] = [];
	/** Deltas that came while a snapshot is on its way; `null` while none is. */
	let meanwhile: FloorDelta[] | null = null;
	let again: ReturnType<typeof setTimeout> | undefined;

	/** `deltas` showed the need; they may be newer than the snapshot, so they are applied again after it. */
	const ask = async (deltas: readonly FloorDelta[] = []): Promise<void> => {
		if (meanwhile !== null) return;
		clearTimeout(again);
		meanwhile = [...deltas];
		try {
			const snapshot = await transport.request('floor:snapshot', {});
			// What waits for a frame is among them, or was told before the snapshot was asked for.
			const late = [...new Set([...waiting, ...meanwhile])];
			meanwhile = null;
			waiting = [];
			const picture = applyDeltas(pictureOf(snapshot), late);
			store.setState({ picture, failure: null, lostSince: null });
			const behind = late.some((delta) => delta.epoch !== picture.epoch);
			if (behind || hasGap(picture)) askSoon();
		} catch (error) {
			meanwhile = null;
			store.setState({ failure: channelErrorOf(error) });
			askSoon();
		}
	};

	const askSoon = (): void => {
		clearTimeout(again);
		// While disconnected, the next connection asks.
		again = setTimeout(() => {
			if (store.getState().connection.state === 'connected') void ask();
		}, ASK_AGAIN_MS);
	};

	const draw = (): void => {
		const deltas = waiting;
		waiting = [];
		const before = store.getState().picture;
		const picture = applyDeltas(before, deltas);
		if (picture !== before) store.setState({ picture });
		const epoch = deltas.at(-1)?.epoch;
		if (epoch === undefined || (epoch === picture.epoch && !hasGap(picture))) return;
		void ask(deltas.filter((delta) => delta.epoch === epoch));
	};

	const take = (delta: FloorDelta): void => {
		meanwhile?.push(delta);
		waiting.push(delta);
		if (waiting.length === 1) pace(draw);
	};

	held.onDispose(() => {
		clearTimeout(again);
		waiting = [];
	});
	held.onDispose(transport.subscribe('floor:delta', take));
	held.onDispose(
		transport.onConnection((state) => {
			store.setState(({ lostSince }) => ({
				connection: { state, since: now() },
				lostSince: state === 'connected' ? lostSince : (lostSince ?? now()),
			}));
			if (state === 'connected') void ask();
		}),
	);
	return held;
}
