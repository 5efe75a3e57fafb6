/** How each client is pointed at the gateway: lines to copy. The token in them shows only when asked for. */
import { useEffect, useRef, useState } from 'react';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { GatewayGuide } from '../../../shared/failover-view.ts';
import { clientWords } from '../../../shared/format.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';
import { Failure } from '../../widgets/failure.tsx';
import { Untrusted, UntrustedBlock } from '../../widgets/untrusted.tsx';
import { CopyLine } from './copy-line.tsx';
import { withoutToken } from './gateway-lines.ts';
import './gateway-guides.css';

/** `address`: what clients are pointed at; `null`: not known yet. */
export function GatewayGuides({ address }: { address: string | null }) {
	const { transport } = useFloorContext();
	const [guides, setGuides] = useState<readonly GatewayGuide[] | null>(null);
	const [error, setError] = useState<ChannelErrorData | null>(null);
	useEffect(() => {
		let wanted = true;
		transport.request('gateway:guide', {}).then(
			(read) => wanted && setGuides(read),
			(cause: unknown) => wanted && setError(channelErrorOf(cause)),
		);
		return () => {
			wanted = false;
		};
	}, [transport]);
	return (
		<section className="connection-section" data-testid="gateway-guides">
			<h3>Gateway</h3>
			<p className="soft">
				An agent that talks to its model through this address survives the loss of its provider. Its own
				credentials pass through and are never stored.
			</p>
			{address !== null && <CopyLine text={address} what="the gateway’s address" />}
			{error && <Failure error={error} />}
			{guides && <GuideList guides={guides} />}
		</section>
	);
}

export function GuideList({ guides }: { guides: readonly GatewayGuide[] }) {
	const [shown, setShown] = useState(false);
	return (
		<>
			<label className="check">
				<input type="checkbox" checked={shown} onChange={(event) => setShown(event.currentTarget.checked)} />
				<span>
					Show the agents’ token <span className="soft">(copying takes it along either way)</span>
				</span>
			</label>
			<ul className="guides">
				{guides.map((guide) => (
					<Guide key={guide.client} guide={guide} shown={shown} onShow={() => setShown(true)} />
				))}
			</ul>
		</>
	);
}

interface GuideProps {
	guide: GatewayGuide;
	/** The token is shown. */
	shown: boolean;
	onShow: () => void;
}

type Copied = 'not-yet' | 'copied' | 'by-hand';

function Guide({ guide: { client, how, lines }, shown, onShow }: GuideProps) {
	const [copied, setCopied] = useState<Copied>('not-yet');
	const text = useRef<HTMLElement>(null);
	const name = clientWords(client);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(lines);
			setCopied('copied');
		} catch {
			// Not allowed here: then by hand, from the whole text.
			onShow();
			setCopied('by-hand');
		}
	};
	useEffect(() => {
		if (copied === 'by-hand' && shown && text.current) getSelection()?.selectAllChildren(text.current);
	}, [copied, shown]);
	return (
		<li>
			<p>
				<strong>
					<Untrusted text={name} limit={60} />
				</strong>{' '}
				<Untrusted text={how} limit={400} />
			</p>
			{lines !== '' && (
				<div className="guide-lines">
					{/* A scrolling region must be reachable by keyboard. */}
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
					<section ref={text} className="mono" aria-label={`Lines for ${visibleText(name)}`} tabIndex={0}>
						<UntrustedBlock text={shown ? lines : withoutToken(lines)} />
					</section>
					<button
						type="button"
						className="button"
						aria-label={`Copy the lines for ${visibleText(name)}`}
						onClick={() => void copy()}
					>
						Copy
					</button>
				</div>
			)}
			<p role="status" className="soft">
				{copied === 'copied' && 'Copied, with the token.'}
				{copied === 'by-hand' &&
					'This window may not write the clipboard. The lines are selected: press Ctrl+C or ⌘C.'}
			</p>
		</li>
	);
}
