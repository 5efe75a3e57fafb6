/** One word for what can be done now, and beside it why. While all is well it is the word alone, and leads to the same panel. */
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { tierMeanings } from '../../../shared/format.ts';
import type { FloorStatus } from '../../../shared/snapshot.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import type { Tier } from '../../../shared/words.ts';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { TierPanel } from './tier-panel.tsx';
import './tier-badge.css';

const tierTones: Record<Tier, string> = {
	NORMAL: 'calm',
	'LOCAL-ONLY': 'aware',
	'READ-ONLY-REMOTE': 'aware',
	REFUSING: 'grave',
};

export function TierBadge({ status: { tier, tierReason } }: { status: FloorStatus }) {
	const [open, setOpen] = useState(false);
	const why = tierReason || tierMeanings[tier];
	return (
		<Popover.Root open={open} onOpenChange={setOpen}>
			<Popover.Trigger
				className={`tier tier-${tierTones[tier]}`}
				title={visibleText(why, { limit: 400 })}
				data-testid="tier-badge"
				data-tier={tier}
			>
				<span className="unseen">Tier </span>
				<span className="tier-word">{tier}</span>
				{tier !== 'NORMAL' && (
					<span className="tier-why">
						<Untrusted text={why} limit={160} />
					</span>
				)}
			</Popover.Trigger>
			<Popover.Content
				className="tier-panel"
				aria-label="Providers and local models"
				data-testid="tier-panel"
				align="start"
				sideOffset={6}
				collisionPadding={12}
			>
				<TierPanel tier={tier} why={why} onLeave={() => setOpen(false)} />
			</Popover.Content>
		</Popover.Root>
	);
}
