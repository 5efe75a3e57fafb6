/** The bar above the floor: tier, outbox, connection, heartbeat, and what belongs to the window itself. */
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LevelGlyph } from '../../widgets/level-glyph.tsx';
import { ThemeMenu } from '../../widgets/theme-menu.tsx';
import { TierBadge } from '../tier/tier-badge.tsx';
import { Beat, Connection } from './connection.tsx';
import { TopEntries } from './top-entries.tsx';
import './top-bar.css';

export function TopBar() {
	const { view } = useFloorContext();
	const status = useStatus();
	return (
		<header className="top-bar">
			<h1 className="product">
				<LevelGlyph level="healthy" />
				Agent Floor
			</h1>
			{status && <TierBadge status={status} />}
			<TopEntries />
			<div className="top-facts">
				<Connection />
				<Beat />
			</div>
			<div className="top-tools">
				<ThemeMenu />
				<button
					type="button"
					className="button button-bare"
					aria-label="Keys"
					title="Keys (?)"
					onClick={() => view.setState({ dialog: { kind: 'keys' } })}
				>
					<Icon name="keys" />
				</button>
				<button
					type="button"
					className="button button-bare"
					aria-label="Settings"
					title="Settings"
					onClick={() => view.setState({ dialog: { kind: 'settings' } })}
				>
					<Icon name="settings" />
				</button>
			</div>
		</header>
	);
}
