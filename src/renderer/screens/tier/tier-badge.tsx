/** One word for what can be done now, and beside it why. While all is well it is the word alone; it leads to the same panel. */
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { sentenceWords, tierMeanings } from '../../../shared/format.ts';
import type { FloorStatus } from '../../../shared/snapshot.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import type { Tier } from '../../../shared/words.ts';
import { Icon } from '../../widgets/icon.tsx';
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
	const why = sentenceWords(tierReason || tierMeanings[tier]);
	return (
		<Popover.Root open={open} onOpenChange={setOpen}>
			<Popover.Trigger
				className={`tier tier-${tierTones[tier]}`}
				title={visibleText(why, { limit: 400 })}
				data-testid="tier-badge"
				data-tier={tier}
			>
				<span className="unseen">Tier </span>
				<span className="tier-word">
					{tier}
					<Icon name="chevron" turned />
				</span>
				{tier !== 'NORMAL' && (
					<span className="tier-why">
						<Untrusted text={why} limit={400} />
					</span>
				)}
			</Popover.Trigger>
			<Popover.Content
				className="tier-panel"
				aria-label="Providers and local models"
				data-testid="tier-panel"
				align="start"
				sideOffset={6}
				// Clear of the line at the foot.
				collisionPadding={{ top: 12, right: 12, bottom: 44, left: 12 }}
			>
				<TierPanel tier={tier} why={why} onLeave={() => setOpen(false)} />
			</Popover.Content>
		</Popover.Root>
	);
}
