/** The figures as a file: what was shown, for a table or for a program. */
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import type { Period } from '../../store/insights-words.ts';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import { saveFile } from './save-file.ts';
import '../../widgets/menu.css';

const files = [
	{ what: 'usage', words: 'Cost and tokens' },
	{ what: 'trips', words: 'Trips with verdicts' },
	{ what: 'reliability', words: 'Reliability' },
] as const;
const formats = [
	{ format: 'csv', words: 'CSV' },
	{ format: 'json', words: 'JSON' },
] as const;

type Outcome =
	| { readonly kind: 'saved'; readonly name: string }
	| { readonly kind: 'failed'; readonly error: ChannelErrorData }
	| null;

export function ExportMenu({ period }: { period: Period }) {
	const { transport } = useFloorContext();
	const [outcome, setOutcome] = useState<Outcome>(null);
	const [pending, setPending] = useState(false);
	const save = async (what: (typeof files)[number]['what'], format: (typeof formats)[number]['format']) => {
		setPending(true);
		setOutcome(null);
		try {
			const file = await transport.request('insights:export', { days: period.days, what, format });
			saveFile(file);
			setOutcome({ kind: 'saved', name: file.name });
		} catch (cause) {
			setOutcome({ kind: 'failed', error: channelErrorOf(cause) });
		} finally {
			setPending(false);
		}
	};
	return (
		<>
			<DropdownMenu.Root modal={false}>
				<DropdownMenu.Trigger
					className="button"
					aria-busy={pending}
					disabled={pending}
					data-testid="insights-export"
				>
					<Icon name="download" />
					Export…
				</DropdownMenu.Trigger>
				<DropdownMenu.Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
					{files.map(({ what, words }) =>
						formats.map((one) => (
							<DropdownMenu.Item
								key={`${what} ${one.format}`}
								className="menu-item menu-plain"
								onSelect={() => void save(what, one.format)}
							>
								{words}, {one.words}
							</DropdownMenu.Item>
						)),
					)}
				</DropdownMenu.Content>
			</DropdownMenu.Root>
			<output className="insights-saved" data-testid="insights-saved">
				{outcome?.kind === 'saved' && (
					<>
						Saved <Untrusted text={outcome.name} limit={120} mono /> to your downloads.
					</>
				)}
			</output>
			{outcome?.kind === 'failed' && <Failure error={outcome.error} onDismiss={() => setOutcome(null)} />}
		</>
	);
}
