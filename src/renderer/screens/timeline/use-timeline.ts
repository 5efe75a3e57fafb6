/** Reads an agent's timeline: the newest page again whenever the agent changed, older pages on demand. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AgentView } from '../../../shared/agent-view.ts';
import type { ChannelErrorData } from '../../../shared/channels.ts';
import type { TimelineEntry } from '../../../shared/timeline.ts';
import { useFloorContext } from '../../store/floor-context.tsx';
import { channelErrorOf } from '../../transport/transport-errors.ts';

/** A busy agent's timeline is read so often at most, ms. */
const READ_EVERY_MS = 1_000;
const PAGE = 500;

export interface ReadTimeline {
	/** Oldest first; `null`: not read yet. */
	readonly entries: readonly TimelineEntry[] | null;
	readonly olderBefore: number | null;
	readonly missing: string;
	readonly error: ChannelErrorData | null;
	readonly readOlder: () => void;
	readonly isReadingOlder: boolean;
}

export function useTimeline(agent: AgentView): ReadTimeline {
	const { transport } = useFloorContext();
	const agentId = agent.id;
	const [read, setRead] = useState<Pick<ReadTimeline, 'entries' | 'olderBefore' | 'missing'>>({
		entries: null,
		olderBefore: null,
		missing: '',
	});
	const [error, setError] = useState<ChannelErrorData | null>(null);
	const [isReadingOlder, setReadingOlder] = useState(false);
	const lastAt = useRef(Number.NEGATIVE_INFINITY);
	const shownId = useRef<string | null>(null);
	useEffect(() => {
		shownId.current = agentId;
		return () => {
			shownId.current = null;
		};
	}, [agentId]);
	const readNewest = useCallback(async (): Promise<void> => {
		lastAt.current = performance.now();
		try {
			const page = await transport.request('agent:timeline', { agentId, limit: PAGE });
			if (shownId.current !== agentId) return;
			setRead((before) => withNewest(before, page));
			setError(null);
		} catch (cause) {
			if (shownId.current === agentId) setError(channelErrorOf(cause));
		}
	}, [transport, agentId]);
	// A new view of the agent comes with everything that it does. A read under way is not given up for it.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above
	useEffect(() => {
		const wait = Math.max(0, lastAt.current + READ_EVERY_MS - performance.now());
		const timer = setTimeout(() => void readNewest(), wait);
		return () => clearTimeout(timer);
	}, [readNewest, agent]);
	const { olderBefore } = read;
	const readOlder = useCallback(() => {
		if (olderBefore === null) return;
		setReadingOlder(true);
		transport
			.request('agent:timeline', { agentId, before: olderBefore, limit: PAGE })
			.then(
				(page) =>
					setRead((before) => ({
						entries: [...page.entries, ...(before.entries ?? [])],
						olderBefore: page.olderBefore,
						missing: page.missing,
					})),
				(cause: unknown) => setError(channelErrorOf(cause)),
			)
			.finally(() => setReadingOlder(false));
	}, [transport, agentId, olderBefore]);
	return { ...read, error, readOlder, isReadingOlder };
}

type Page = Pick<ReadTimeline, 'olderBefore' | 'missing'> & { readonly entries: readonly TimelineEntry[] };

/** The newest page takes the place of what it covers; older pages that were read stay. */
export function withNewest(
	before: Pick<ReadTimeline, 'entries' | 'olderBefore' | 'missing'>,
	page: Page,
): Page {
	const from = page.olderBefore;
	const older = (before.entries ?? []).filter(({ at }) => from !== null && at < from);
	// Where the two do not meet, what is between is read anew.
	const isWhole = older.length > 0 && (before.entries?.at(-1)?.at ?? 0) >= (from ?? 0);
	return isWhole
		? {
				...page,
				entries: [...older, ...page.entries],
				olderBefore: before.olderBefore,
				missing: before.missing,
			}
		: page;
}
