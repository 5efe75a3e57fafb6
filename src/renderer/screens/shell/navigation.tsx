/** The ways through the window: its pages, and what stands behind the floor. A rail at the left, a bar at the foot of a phone. */
import { DropdownMenu } from 'radix-ui';
import { useFailover, useFloor, useFloorContext, useView } from '../../store/floor-context.tsx';
import { openPage } from '../../store/page-link.ts';
import { type Page, pages, pageWords } from '../../store/pages.ts';
import type { OpenDialog } from '../../store/view-store.ts';
import type { IconName } from '../../widgets/icon.tsx';
import { openIncidents } from '../floor/incidents-strip.tsx';
import { ModelsEntry } from '../models/models-entry.tsx';
import { OutboxEntry } from '../outbox/outbox-entry.tsx';
import { UsageEntry } from '../usage/usage-entry.tsx';
import { NavWords } from './nav-words.tsx';
import '../../widgets/menu.css';
import './navigation.css';

const icons: Record<Page, IconName> = {
	floor: 'floor',
	incidents: 'incidents',
	insights: 'insights',
	connections: 'connections',
	settings: 'settings',
};

/** Those at the foot of the rail. */
const aside: ReadonlySet<Page> = new Set(['connections', 'settings']);

export function Navigation() {
	const { view } = useFloorContext();
	return (
		<nav className="nav" aria-label="Pages">
			<ul className="nav-list">
				{pages
					.filter((page) => !aside.has(page))
					.map((page) => (
						<PageEntry key={page} page={page} />
					))}
			</ul>
			<ul className="nav-list nav-behind" aria-label="Behind the floor">
				<li>
					<UsageEntry />
				</li>
				<li>
					<ModelsEntry />
				</li>
				<li>
					<OutboxEntry />
				</li>
				<li>
					<button
						type="button"
						className="nav-item"
						onClick={() => view.setState({ dialog: { kind: 'providers' } })}
					>
						<NavWords icon="providers">Providers & models</NavWords>
					</button>
				</li>
				<OffersEntry />
			</ul>
			<ul className="nav-list nav-aside">
				{pages
					.filter((page) => aside.has(page))
					.map((page) => (
						<PageEntry key={page} page={page} />
					))}
			</ul>
			<BehindMenu />
		</nav>
	);
}

function PageEntry({ page }: { page: Page }) {
	const { view } = useFloorContext();
	const current = useView((state) => state.page === page);
	return (
		<li className={`nav-page nav-page-${page}`}>
			<button
				type="button"
				className="nav-item"
				aria-current={current ? 'page' : undefined}
				title={`${pageWords[page]} (${pages.indexOf(page) + 1})`}
				data-testid={`nav-${page}`}
				onClick={() => openPage(view, page)}
			>
				<NavWords icon={icons[page]} count={page === 'incidents' ? <OpenIncidents /> : undefined}>
					{pageWords[page]}
				</NavWords>
			</button>
		</li>
	);
}

/** How many are open. In ink: what of them needs the operator is counted on the floor. */
function OpenIncidents() {
	const open = useFloor(({ picture }) => openIncidents(picture).length);
	const popups = useFailover(({ popups, consents }) => popups.length + consents.length);
	if (open + popups === 0) return null;
	return (
		<span className="nav-count">
			{open + popups}
			<span className="unseen"> open</span>
		</span>
	);
}

function OffersEntry() {
	const { view } = useFloorContext();
	const offers = useFailover((failover) => failover.offers.length);
	if (offers === 0) return null;
	return (
		<li>
			<button
				type="button"
				className="nav-item"
				onClick={() => view.setState({ dialog: { kind: 'offers' } })}
			>
				<NavWords icon="compare" count={<span className="nav-count">{offers}</span>}>
					{offers === 1 ? 'Local answer' : 'Local answers'}
				</NavWords>
			</button>
		</li>
	);
}

/** On a phone, all that the bar has no room for. */
function BehindMenu() {
	const { view } = useFloorContext();
	const offers = useFailover((failover) => failover.offers.length);
	const dialogs: readonly { words: string; dialog: OpenDialog }[] = [
		{ words: 'Usage', dialog: { kind: 'usage' } },
		{ words: 'Rate limits', dialog: { kind: 'models' } },
		{ words: 'Outbox', dialog: { kind: 'outbox' } },
		{ words: 'Providers & models', dialog: { kind: 'providers' } },
		...(offers > 0 ? [{ words: 'Local answers', dialog: { kind: 'offers' } } as const] : []),
	];
	return (
		<DropdownMenu.Root modal={false}>
			<DropdownMenu.Trigger className="nav-item nav-more" data-testid="behind-menu">
				<NavWords icon="more">More</NavWords>
			</DropdownMenu.Trigger>
			<DropdownMenu.Content
				className="menu"
				align="end"
				sideOffset={4}
				collisionPadding={8}
				// What was chosen takes the focus.
				onCloseAutoFocus={(event) => view.getState().dialog !== null && event.preventDefault()}
			>
				{dialogs.map(({ words, dialog }) => (
					<DropdownMenu.Item
						key={words}
						className="menu-item menu-plain"
						onSelect={() => view.setState({ dialog })}
					>
						{words}
					</DropdownMenu.Item>
				))}
				<DropdownMenu.Item className="menu-item menu-plain" onSelect={() => openPage(view, 'connections')}>
					{pageWords.connections}
				</DropdownMenu.Item>
			</DropdownMenu.Content>
		</DropdownMenu.Root>
	);
}
