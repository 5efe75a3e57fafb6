/** Which floor this is. */
import { useStatus } from '../../store/floor-context.tsx';
import { Ago } from '../../widgets/age.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';

export function FloorFacts() {
	const status = useStatus();
	if (status === null) return <p className="soft">Not known yet.</p>;
	return (
		<dl className="settings-facts">
			<dt>Version</dt>
			<dd>{status.version}</dd>
			<dt>Address</dt>
			<dd className="mono">{status.address}</dd>
			<dt>Data</dt>
			<dd>
				<Untrusted text={status.dataDirectory} mono limit={600} />
			</dd>
			<dt>Settings</dt>
			<dd>
				<Untrusted text={`${status.dataDirectory}/settings.json`} mono limit={600} />
			</dd>
			<dt>Started</dt>
			<dd>
				<Ago at={status.startedAt} />
			</dd>
		</dl>
	);
}
