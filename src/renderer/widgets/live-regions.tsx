/** The two places a screen reader listens to. They are on the page from the start, empty. */
import { useEffect, useState } from 'react';
import { announcementsBetween } from '../store/announcements.ts';
import { Announcer } from '../store/announcer.ts';
import { useFloorContext } from '../store/floor-context.tsx';

export function LiveRegions() {
	const { floor, view } = useFloorContext();
	const [polite, setPolite] = useState('');
	const [assertive, setAssertive] = useState('');
	useEffect(() => {
		const announcers = {
			polite: new Announcer((text) => setPolite((before) => afresh(before, text))),
			assertive: new Announcer((text) => setAssertive((before) => afresh(before, text))),
		};
		const end = floor.subscribe(({ picture }, before) => {
			if (picture === before.picture) return;
			for (const { urgency, ...saying } of announcementsBetween(before.picture, picture)) {
				announcers[urgency].announce(saying);
			}
		});
		const endUndo = view.subscribe(({ undoable }, before) => {
			const news = undoable !== null && undoable.words !== before.undoable?.words;
			if (news) announcers.polite.announce({ text: `${sentenceOf(undoable.words)} Undo with z.` });
		});
		return () => {
			end();
			endUndo();
			announcers.polite.dispose();
			announcers.assertive.dispose();
		};
	}, [floor, view]);
	return (
		<>
			{/* `aria-live` said outright keeps them heard while a dialog hides all else. */}
			<div className="unseen" role="status" aria-live="polite" data-testid="announce-polite">
				{polite}
			</div>
			<div className="unseen" role="alert" aria-live="assertive" data-testid="announce-assertive">
				{assertive}
			</div>
		</>
	);
}

function sentenceOf(words: string): string {
	return words.endsWith('.') ? words : `${words}.`;
}

/** A region that is given the words it already has stays silent; a space that is not seen makes them new. */
function afresh(before: string, text: string): string {
	return before === text ? `${text}\u00a0` : text;
}
