/** The bar above the floor: tier, connection, heartbeat, and what belongs to the window itself. */
import { tierMeanings } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import type { Tier } from '../../../shared/words.ts';
import { useFloorContext, useStatus } from '../../store/floor-context.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { LevelGlyph } from '../../widgets/level-glyph.tsx';
import { ThemeMenu } from '../../widgets/theme-menu.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
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
			{status && <TierBadge tier={status.tier} reason={status.tierReason} />}
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

const tierTones: Record<Tier, string> = {
	NORMAL: 'calm',
	'LOCAL-ONLY': 'aware',
	'READ-ONLY-REMOTE': 'aware',
	REFUSING: 'grave',
};

/** One word, and beside it what it changes. */
function TierBadge({ tier, reason }: { tier: Tier; reason: string }) {
	const why = reason || tierMeanings[tier];
	return (
		<p
			className={`tier tier-${tierTones[tier]}`}
			title={visibleText(why, { limit: 400 })}
			data-testid="tier-badge"
		>
			<span className="tier-word">{tier}</span>
			<span className="tier-why">
				<Untrusted text={why} limit={160} />
			</span>
		</p>
	);
}
