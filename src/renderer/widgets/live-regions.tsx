/** The two places a screen reader listens to. They are on the page from the start, empty. */
import { useEffect, useState } from 'react';
import { announcementsBetween } from '../store/announcements.ts';
import { Announcer } from '../store/announcer.ts';
import { useFloorContext } from '../store/floor-context.tsx';

export function LiveRegions() {
	const { floor } = useFloorContext();
	const [polite, setPolite] = useState('');
	const [assertive, setAssertive] = useState('');
	useEffect(() => {
		const announcers = {
			polite: new Announcer((text) => setPolite((before) => afresh(before, text))),
			assertive: new Announcer((text) => setAssertive((before) => afresh(before, text))),
		};
		const end = floor.subscribe(({ picture }, before) => {
			for (const { urgency, text } of announcementsBetween(before.picture, picture)) {
				announcers[urgency].announce(text);
			}
		});
		return () => {
			end();
			announcers.polite.dispose();
			announcers.assertive.dispose();
		};
	}, [floor]);
	return (
		<>
			<div className="unseen" role="status" data-testid="announce-polite">
				{polite}
			</div>
			<div className="unseen" role="alert" data-testid="announce-assertive">
				{assertive}
			</div>
		</>
	);
}

/** A region that is given the words it already has stays silent; a space that is not seen makes them new. */
function afresh(before: string, text: string): string {
	return before === text ? `${text}\u00a0` : text;
}
