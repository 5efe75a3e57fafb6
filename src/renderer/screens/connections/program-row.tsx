/** One program: whether the floor hears it, since when, and what connects it. */
import type { Connection } from '../../../shared/connection-view.ts';
import { clientWords } from '../../../shared/format.ts';
import { Ago } from '../../widgets/age.tsx';
import { PresenceGlyph } from '../../widgets/glyphs.tsx';
import { HooksPanel } from '../../widgets/hooks-panel.tsx';
import { Untrusted, UntrustedPath } from '../../widgets/untrusted.tsx';
import { agentsWords, connectionMarks } from './connection-words.ts';

interface ProgramRowProps {
	connection: Connection;
	/** Only whether it is connected is known. */
	bare: boolean;
	/** Something was written. */
	onChanged: () => void;
}

export function ProgramRow({ connection, bare, onChanged }: ProgramRowProps) {
	const { client, found, foundAt, status, file, problem, lastHeardAt } = connection;
	const mark = connectionMarks[status];
	return (
		<li className="program" data-testid={`program-${client}`} data-status={status}>
			<div className="program-head">
				<h4>{clientWords(client)}</h4>
				<p className="program-mark">
					<PresenceGlyph presence={mark.shape} /> {mark.words}
				</p>
			</div>
			{!bare && (
				<dl className="program-facts">
					<div>
						<dt>Last heard</dt>
						<dd>
							{lastHeardAt === null ? 'never' : <Ago at={lastHeardAt} />}, {agentsWords(connection)}
						</dd>
					</div>
					<div>
						<dt>Its settings</dt>
						<dd>
							<UntrustedPath path={file} />
						</dd>
					</div>
					{found && foundAt !== '' && (
						<div>
							<dt>Found at</dt>
							<dd>
								<UntrustedPath path={foundAt} />
							</dd>
						</div>
					)}
				</dl>
			)}
			{problem !== '' && (
				<p className="program-problem">
					<Untrusted text={problem} limit={600} />
				</p>
			)}
			<HooksPanel client={client} bare onChanged={onChanged} />
		</li>
	);
}
