/** What is changed in the settings and not saved, kept by the window: it outlives the page. */
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ChannelError, type ChannelErrorData } from '../../../shared/channels.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { FloorTransport } from '../../../shared/transport.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { offerUndo } from '../../store/undo.ts';
import type { ViewStore } from '../../store/view-store.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { fieldOfError } from './setting-draft.ts';
import { changeOf, type Edits, isStill, noEdits, patchBack } from './settings-change.ts';

export interface UnsavedState {
	readonly edits: Edits;
	/** As the engine told last; `null` before. */
	readonly settings: Settings | null;
	/** Why the last attempt to save was refused; `path`: the field it is about. */
	readonly refusal: { readonly error: ChannelErrorData; readonly path: string | null } | null;
	readonly saving: boolean;
}

export type UnsavedStore = StoreApi<UnsavedState>;

const stores = new WeakMap<ViewStore, UnsavedStore>();

/** One for each window. */
export function unsavedOf(view: ViewStore): UnsavedStore {
	const known = stores.get(view);
	if (known) return known;
	const made = createStore<UnsavedState>(() => ({
		edits: noEdits,
		settings: null,
		refusal: null,
		saving: false,
	}));
	stores.set(view, made);
	return made;
}

export function useUnsaved<T>(select: (state: UnsavedState) => T): T {
	return useStore(unsavedOf(useFloorContext().view), select);
}

export function editField(store: UnsavedStore, path: string, value: string | boolean): void {
	store.setState(({ edits, refusal }) => ({
		edits: { ...edits, fields: { ...edits.fields, [path]: value } },
		refusal: refusal?.path === path ? null : refusal,
	}));
}

/** `null` takes a cap away. */
export function editCaps(store: UnsavedStore, caps: Readonly<Record<string, number | null>>): void {
	store.setState(({ edits }) => ({ edits: { ...edits, caps: { ...edits.caps, ...caps } } }));
}

export function discardEdits(store: UnsavedStore): void {
	store.setState({ edits: noEdits, refusal: null });
}

/** How many changes are not saved. */
export function unsavedCount({ edits, settings }: UnsavedState): number {
	if (settings === null) return 0;
	const { changed, problems } = changeOf(edits, settings);
	return new Set([...changed, ...Object.keys(problems)]).size;
}

/** "Saved 1 setting". */
function savedWords(count: number): string {
	return count === 1 ? 'Saved 1 setting' : `Saved ${count} settings`;
}

/** Asks the engine for everything that is changed; it can be taken back afterwards. False when it was not saved. */
export async function saveEdits(
	transport: FloorTransport,
	view: ViewStore,
	store: UnsavedStore,
): Promise<boolean> {
	const { edits, settings: before, saving } = store.getState();
	if (before === null || saving) return false;
	const { patch, changed, problems } = changeOf(edits, before);
	if (changed.length === 0 || Object.keys(problems).length > 0) return false;
	store.setState({ saving: true, refusal: null });
	try {
		const saved = await transport.request('settings:update', patch);
		// What was typed while it was on its way stays.
		store.setState(({ edits: now }) => ({
			saving: false,
			settings: saved,
			edits: now === edits ? noEdits : now,
		}));
		offerUndo(view, savedWords(changed.length), async () => {
			const now = await transport.request('settings:get', {});
			if (!isStill(changed, saved, now)) throw changedSince();
			store.setState({ settings: await transport.request('settings:update', patchBack(changed, before)) });
		});
		return true;
	} catch (cause) {
		const error = channelErrorOf(cause);
		store.setState({ saving: false, refusal: { error, path: fieldOfError(error, changed) } });
		return false;
	}
}

function changedSince(): ChannelError {
	return new ChannelError({
		code: 'not-possible',
		message: 'These settings were changed again since.',
		meaning: 'Nothing was taken back; they are as they were set last.',
		remedy: 'Change them in the settings.',
	});
}
