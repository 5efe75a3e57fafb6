/** Sessions that are seen, not connected, by program. Pure. */
import { clientWords } from '../../shared/format.ts';
import type { Sighting } from '../../shared/sighting.ts';
import type { HookClient } from '../../shared/words.ts';
import { hasAllWords } from './agent-filter.ts';

export interface SeenProgram {
	readonly client: HookClient;
	/** Newest activity first. */
	readonly sessions: readonly Sighting[];
}

/** By the program's name, so that no list moves when a session of another is active. */
export function seenPrograms(sightings: readonly Sighting[], filter: string): SeenProgram[] {
	const byClient = new Map<HookClient, Sighting[]>();
	for (const sighting of sightings) {
		if (!hasAllWords([sighting.directory ?? '', clientWords(sighting.client), sighting.model ?? ''], filter))
			continue;
		byClient.set(sighting.client, [...(byClient.get(sighting.client) ?? []), sighting]);
	}
	return [...byClient]
		.map(([client, sessions]) => ({ client, sessions }))
		.sort((a, b) => clientWords(a.client).localeCompare(clientWords(b.client)));
}

/** The last part of a path; the whole path where it has none (a root). */
export function directoryName(path: string): string {
	return (
		path
			.split(/[\\/]+/)
			.filter(Boolean)
			.at(-1) ?? path
	);
}
