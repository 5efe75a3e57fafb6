/** Connecting one program from where its sessions are seen: the change first, then the word. */
import { clientWords } from '../../../shared/format.ts';
import type { HookClient } from '../../../shared/words.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { HooksPanel } from '../../widgets/hooks-panel.tsx';

export function ConnectDialog({ client }: { client: HookClient }) {
	const { view } = useFloorContext();
	const name = clientWords(client);
	const close = () => view.setState({ dialog: null });
	return (
		<DialogFrame
			shape="wide"
			testId="connect-dialog"
			title={`Connect ${name}`}
			description={`Adds the floor’s hooks to ${name}’s own settings. Sessions that are open already appear once they are restarted.`}
			onClose={close}
		>
			<div className="dialog-body">
				<HooksPanel client={client} planFirst onCancel={close} />
			</div>
		</DialogFrame>
	);
}
