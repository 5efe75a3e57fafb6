/** The ways to what stands behind the floor. They are there also while nothing is wrong and nothing waits. */
import { DropdownMenu } from 'radix-ui';
import { useFailover, useFloorContext } from '../../store/floor-context.tsx';
import type { OpenDialog } from '../../store/view-store.ts';
import { Icon } from '../../widgets/icon.tsx';
import { ModelsBadge } from '../models/models-badge.tsx';
import { OutboxBadge } from '../outbox/outbox-badge.tsx';
import { UsageEntry } from '../usage/usage-entry.tsx';
import '../../widgets/menu.css';

interface Entry {
	readonly words: string;
	readonly dialog: OpenDialog;
}

export function TopEntries() {
	const { view } = useFloorContext();
	const offers = useFailover((failover) => failover.offers.length);
	const entries: readonly Entry[] = [
		{ words: 'Providers & models', dialog: { kind: 'providers' } },
		{ words: 'Service levels', dialog: { kind: 'slo' } },
		...(offers > 0 ? [{ words: offersWords(offers), dialog: { kind: 'offers' } } as const] : []),
	];
	return (
		<nav className="top-entries" aria-label="Behind the floor">
			<OutboxBadge />
			<ModelsBadge />
			<UsageEntry />
			{entries.map(({ words, dialog }) => (
				<button
					key={words}
					type="button"
					className="button button-bare top-wide"
					onClick={() => view.setState({ dialog })}
				>
					{words}
				</button>
			))}
			<EntriesMenu
				entries={[
					...entries,
					{ words: 'Rate limits', dialog: { kind: 'models' } },
					{ words: 'Outbox', dialog: { kind: 'outbox' } },
				]}
			/>
		</nav>
	);
}

/** "3 local answers": they can be compared with the cloud's. */
export function offersWords(offers: number): string {
	return offers === 1 ? '1 local answer' : `${offers} local answers`;
}

function EntriesMenu({ entries }: { entries: readonly Entry[] }) {
	const { view } = useFloorContext();
	return (
		<DropdownMenu.Root modal={false}>
			<DropdownMenu.Trigger className="button button-bare top-narrow" data-testid="gateway-menu">
				Gateway <Icon name="chevron" turned />
			</DropdownMenu.Trigger>
			<DropdownMenu.Content
				className="menu"
				align="end"
				sideOffset={4}
				collisionPadding={8}
				// What was chosen takes the focus.
				onCloseAutoFocus={(event) => view.getState().dialog !== null && event.preventDefault()}
			>
				{entries.map(({ words, dialog }) => (
					<DropdownMenu.Item
						key={words}
						className="menu-item menu-plain"
						onSelect={() => view.setState({ dialog })}
					>
						{words}
					</DropdownMenu.Item>
				))}
			</DropdownMenu.Content>
		</DropdownMenu.Root>
	);
}
