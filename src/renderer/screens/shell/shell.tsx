/** The frame around every page: the ways through the window, the bar, what must not be overlooked, the line at the foot. */
import { useView } from '../../store/floor-context.tsx';
import type { Page } from '../../store/pages.ts';
import { UndoBar } from '../../widgets/undo-bar.tsx';
import { ConnectionsPage } from '../connections/connections-page.tsx';
import { FloorScreen } from '../floor/floor-screen.tsx';
import { IncidentsPage } from '../incidents/incidents-page.tsx';
import { InsightsPage } from '../insights/insights-page.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import { FootLine } from './foot-line.tsx';
import { Navigation } from './navigation.tsx';
import { Notices } from './notices.tsx';
import { TopBar } from './top-bar.tsx';
import './shell.css';

export function Shell() {
	const page = useView((state) => state.page);
	return (
		<div className="shell">
			<button
				type="button"
				className="skip button"
				onClick={() => document.querySelector<HTMLElement>('.main')?.focus()}
			>
				Skip to the page
			</button>
			<Navigation />
			<div className="shell-body">
				<TopBar />
				<Notices />
				<main className="main" tabIndex={-1} key={page} data-page={page}>
					<PageContent page={page} />
				</main>
				<FootLine />
			</div>
			<UndoBar />
		</div>
	);
}

function PageContent({ page }: { page: Page }) {
	switch (page) {
		case 'floor':
			return <FloorScreen />;
		case 'incidents':
			return <IncidentsPage />;
		case 'insights':
			return <InsightsPage />;
		case 'connections':
			return <ConnectionsPage />;
		case 'settings':
			return <SettingsPage />;
	}
}
