/** An action that did not work, shown where it was asked: what happened, what it means, what to do. */
import type { ChannelErrorData } from '../../shared/channels.ts';
import { Icon } from './icon.tsx';
import { Untrusted } from './untrusted.tsx';

const LIMIT = 600;

export function Failure({ error, onDismiss }: { error: ChannelErrorData; onDismiss?: () => void }) {
	return (
		<div className="failure" role="alert">
			<strong>
				<Untrusted text={error.message} limit={LIMIT} />
			</strong>
			<p>
				<Untrusted text={`${error.meaning} ${error.remedy}`.trim()} limit={LIMIT} />
			</p>
			{onDismiss && (
				<button
					type="button"
					className="button button-bare"
					aria-label="Dismiss this message"
					onClick={onDismiss}
				>
					<Icon name="close" />
				</button>
			)}
		</div>
	);
}
