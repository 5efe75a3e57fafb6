/** Entry of the window. */
import './zod-without-eval.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { createRoot } from 'react-dom/client';
import type { FloorTransport } from '../shared/transport.ts';
import type { WindowApi } from '../shared/window-api.ts';
import { App } from './app.tsx';
import { startNotices } from './notices/start-notices.ts';
import { followAgentLinks } from './store/agent-link.ts';
import { createClock } from './store/clock.ts';
import { followDecisions } from './store/decisions.ts';
import { FloorProvider } from './store/floor-context.tsx';
import { createFloorStore, followFloor, onceAFrame } from './store/floor-store.ts';
import { followPages } from './store/page-link.ts';
import { keepPreferences, readPreferences, showTheme, windowStorage } from './store/preferences.ts';
import { createViewStore } from './store/view-store.ts';
import { ElectronTransport } from './transport/electron-transport.ts';
import { WebSocketTransport } from './transport/web-socket-transport.ts';

declare global {
	interface Window {
		/** Put there by the preload; absent in a browser. */
		readonly agentFloor?: WindowApi;
	}
}

const storage = windowStorage();
const view = createViewStore(readPreferences(storage));
showTheme(document.documentElement, view.getState().preferences.theme);
view.subscribe(({ preferences }, before) => {
	if (preferences === before.preferences) return;
	keepPreferences(storage, preferences);
	showTheme(document.documentElement, preferences.theme);
});

followPages(window, view);
followAgentLinks(window, view);

const transport = chooseTransport();
const floor = createFloorStore(Date.now());
followDecisions(floor, view);
followFloor(floor, transport, Date.now, onceAFrame);
// The desktop shows them itself.
if (!window.agentFloor) startNotices(window, { transport, floor, view });

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element "root".');
createRoot(root).render(
	<FloorProvider value={{ transport, floor, view, clock: createClock() }}>
		<App />
	</FloorProvider>,
);

function chooseTransport(): FloorTransport {
	if (window.agentFloor) return new ElectronTransport(window.agentFloor);
	const { protocol, host } = window.location;
	return new WebSocketTransport({ url: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/floor` });
}
