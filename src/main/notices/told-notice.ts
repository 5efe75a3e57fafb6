/** The notice that stands for one matter, or for several at once. Pure. */
import type { Notice } from '../../shared/notice.ts';
import type { Matter } from './matters.ts';

/** The rest is counted. */
const NAMED = 3;

/** `matters`: at least one, of one kind, oldest first. */
export function noticeOf(
	matters: readonly Matter[],
	{ key, at, sound }: Pick<Notice, 'key' | 'at' | 'sound'>,
): Notice {
	const [only] = matters;
	if (only !== undefined && matters.length === 1) {
		const { kind, title, body, agentId, about } = only;
		return { key, kind, title, body, agentId, at, about, sound };
	}
	const kind = only?.kind ?? 'needs-you';
	const named = matters.slice(0, NAMED).map(({ title }) => title);
	const rest = matters.length - named.length;
	return {
		key,
		kind,
		title: kind === 'done' ? `${matters.length} turns are done` : `${matters.length} need you`,
		body: `${named.join(' · ')}${rest > 0 ? ` and ${rest} more` : ''}`,
		agentId: null,
		at,
		// One of them in view is not all of them in view.
		about: [],
		sound,
	};
}
