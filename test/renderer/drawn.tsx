/** Draws a part of the window as a server would: the text a person reads, and the elements that carry it. */
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { FloorProvider } from '../../src/renderer/store/floor-context.tsx';
import { createFloorStore, type FloorState } from '../../src/renderer/store/floor-store.ts';
import { createViewStore, type ViewState } from '../../src/renderer/store/view-store.ts';
import { pictureOf } from '../../src/shared/picture.ts';
import type { FloorSnapshot } from '../../src/shared/snapshot.ts';
import { NOW } from './agents.ts';
import { FakeTransport } from './fake-transport.ts';

export function drawn(
	node: ReactNode,
	snapshot: FloorSnapshot | null,
	change: Partial<ViewState> = {},
	floorChange: Partial<FloorState> = {},
) {
	const floor = createFloorStore(NOW, snapshot ? pictureOf(snapshot) : undefined);
	const view = createViewStore();
	// The server draws a store's first state.
	Object.assign(view.getInitialState(), change);
	Object.assign(floor.getInitialState(), floorChange);
	const clock = { now: () => NOW, subscribe: () => () => {} };
	const html = renderToString(
		<FloorProvider value={{ transport: new FakeTransport(), floor, view, clock }}>{node}</FloorProvider>,
	);
	const text = html
		.replaceAll('<!-- -->', '')
		.replace(/<[^>]+>/g, ' ')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#x27;', "'")
		.replaceAll('&amp;', '&')
		.replace(/\s+/g, ' ');
	return { html, text };
}
