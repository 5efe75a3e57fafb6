/**
 * Sessions that were found in the programs' own files, and of which no hook told: a quiet list, apart from the agents
 * and in no count of theirs. Nothing can be done to them but to connect their program.
 */
import { useId, useState } from 'react';
import { clientWords, exactNumber, modelWords } from '../../../shared/format.ts';
import type { Sighting } from '../../../shared/sighting.ts';
import { MOST_SIGHTINGS } from '../../../shared/sighting.ts';
import { visibleText } from '../../../shared/untrusted-text.ts';
import type { HookClient } from '../../../shared/words.ts';
import { count } from '../../store/failover-words.ts';
import { useFloorContext, useSightings, useStatus } from '../../store/floor-context.tsx';
import { directoryName, seenPrograms } from '../../store/seen-programs.ts';
import { Ago } from '../../widgets/age.tsx';
import { TokenCount } from '../../widgets/token-count.tsx';
import { Untrusted } from '../../widgets/untrusted.tsx';
import './seen-sessions.css';

/** `filter`: words that must all be found in a session's directory, program or model. */
export function SeenSessions({ filter = '' }: { filter?: string }) {
	const sightings = useSightings();
	const titleId = useId();
	const programs = seenPrograms(sightings, filter);
	const found = programs.reduce((sum, { sessions }) => sum + sessions.length, 0);
	if (found === 0) return null;
	return (
		<section className="seen" aria-labelledby={titleId} data-testid="seen-sessions">
			<h2 id={titleId}>
				Seen, not connected <span className="group-count">{foundWords(found, sightings.length)}</span>
			</h2>
			<p className="quiet">
				Found in the programs’ own files. They are not on the floor: nothing here judges or stops them.
			</p>
			{programs.map(({ client, sessions }) => (
				<SeenProgram key={client} client={client} sessions={sessions} />
			))}
		</section>
	);
}

/** "12 sessions"; the engine names no more than the newest, so a full list may not be all there are. */
function foundWords(found: number, known: number): string {
	if (known < MOST_SIGHTINGS) return count(found, 'session');
	const newest = `the newest ${exactNumber(known)}`;
	return found === known ? `${newest} sessions` : `${count(found, 'session')} of ${newest}`;
}

/** Sessions shown before one asks for all. */
const SHOWN = 4;

function SeenProgram({ client, sessions }: { client: HookClient; sessions: readonly Sighting[] }) {
	const { view } = useFloorContext();
	const status = useStatus()?.hooks[client] ?? 'unknown';
	const [all, setAll] = useState(false);
	const name = clientWords(client);
	const shown = all ? sessions : sessions.slice(0, SHOWN);
	const rest = sessions.length - shown.length;
	return (
		<div className="seen-program" data-testid={`seen-${client}`}>
			<div className="seen-head">
				<h3>{name}</h3>
				{status === 'installed' && (
					<p className="soft">
						{sessions.length === 1
							? 'Its hooks did not tell the floor of it: it began before they were installed, or while the floor was not running. Start it again to have it here.'
							: 'Its hooks did not tell the floor of them: they began before those were installed, or while the floor was not running. Start one again to have it here.'}
					</p>
				)}
				{status === 'partly' && (
					<p className="soft">Its hooks are installed, but not running, or not all of them.</p>
				)}
				{status !== 'installed' && (
					<button
						type="button"
						className="button"
						data-testid={`seen-connect-${client}`}
						aria-label={status === 'partly' ? `See why the hooks of ${name} do not run` : undefined}
						onClick={() => view.setState({ dialog: { kind: 'connect', client } })}
					>
						{status === 'partly' ? 'See why…' : `Connect ${name}…`}
					</button>
				)}
			</div>
			<ul>
				{shown.map((session) => (
					<SeenSession key={session.sessionId} session={session} />
				))}
			</ul>
			{rest > 0 && (
				<button type="button" className="button button-bare seen-more" onClick={() => setAll(true)}>
					Show {exactNumber(rest)} more
				</button>
			)}
		</div>
	);
}

function SeenSession({ session }: { session: Sighting }) {
	const { directory, model, lastActivityAt, work, file } = session;
	return (
		<li className="seen-session" data-testid="seen-session" title={`Found in ${visibleText(file)}`}>
			<span className="seen-place" title={directory === null ? undefined : visibleText(directory)}>
				{directory === null ? (
					<span className="quiet">directory not known</span>
				) : (
					<Untrusted text={directoryName(directory)} limit={120} />
				)}
			</span>
			<span className="seen-model">
				{model === null ? 'model not known' : <Untrusted text={modelWords(model)} limit={80} />}
			</span>
			<span className="seen-age">
				active <Ago at={lastActivityAt} />
			</span>
			<span className="seen-work figures">
				{work === null ? (
					'tokens not known yet'
				) : (
					<>
						<TokenCount tokens={work} /> work tokens
					</>
				)}
			</span>
		</li>
	);
}
