/** `<data>/server.json`: how other programs of the same user find the floor that runs. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { storeErrorFrom } from './store-error.ts';

const serverFileSchema = z.object({
	/** Without a slash at the end. */
	url: z.url({ protocol: /^http$/ }),
	port: z.number().int().min(1).max(65_535),
	pid: z.number().int().positive(),
	operatorToken: z.string().min(1),
	agentToken: z.string().min(1),
});
export type ServerFile = z.infer<typeof serverFileSchema>;

function fileIn(directory: string): string {
	return join(directory, 'server.json');
}

/** Tells where this floor listens; readable by its owner only. Throws a `StoreError`. */
export function writeServerFile(directory: string, server: ServerFile): void {
	const file = fileIn(directory);
	try {
		writeFileAtomic.sync(file, `${JSON.stringify(server, null, '\t')}\n`, { mode: 0o600 });
	} catch (error) {
		throw storeErrorFrom(
			error,
			`write ${file}`,
			'The command line and a second start cannot find this floor.',
		);
	}
}

/** What the file says, `null` when there is none or it says nothing of use. That it is true is another question. */
export function readServerFile(directory: string): ServerFile | null {
	try {
		return serverFileSchema.safeParse(JSON.parse(readFileSync(fileIn(directory), 'utf8'))).data ?? null;
	} catch {
		// Missing, unreadable or half a file: in any case it leads to no floor.
		return null;
	}
}

/** Takes the file away, unless it is another floor's by now. Throws a `StoreError`. */
export function removeServerFile(directory: string, own: ServerFile): void {
	const present = readServerFile(directory);
	if (present && (present.pid !== own.pid || present.operatorToken !== own.operatorToken)) return;
	try {
		rmSync(fileIn(directory), { force: true });
	} catch (error) {
		throw storeErrorFrom(
			error,
			`remove ${fileIn(directory)}`,
			'The next start finds it out of date and replaces it.',
		);
	}
}
