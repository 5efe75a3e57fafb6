/** The bar above every page: tier, connection, heartbeat, and what belongs to the window itself. */
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LevelGlyph } from '../../widgets/level-glyph.tsx';
import { ThemeMenu } from '../../widgets/theme-menu.tsx';
import { TierBadge } from '../tier/tier-badge.tsx';
import { Beat, Connection } from './connection.tsx';
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
			<div className="top-facts">
				<Connection />
				<Beat />
			</div>
			<div className="top-tools">
				<button
					type="button"
					className="button palette-button"
					data-testid="palette-button"
					aria-keyshortcuts="Control+K Meta+K"
					onClick={() => view.setState({ dialog: { kind: 'palette' } })}
				>
					<Icon name="search" />
					<span className="palette-words">Find or do…</span> <kbd>Ctrl K</kbd>
				</button>
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
			</div>
		</header>
	);
}
