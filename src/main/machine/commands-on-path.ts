/** Where a command would be found, without running it. */
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The first place on the path where it is and may be run; `null`: none. Never rejects. */
export async function commandOnPath(
	command: string,
	env: NodeJS.ProcessEnv,
	platform: NodeJS.Platform = process.platform,
): Promise<string | null> {
	const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat', '.ps1'] : [''];
	const path = env.PATH ?? env.Path ?? '';
	for (const directory of path.split(delimiter)) {
		// What is not absolute depends on where one stands.
		if (!isAbsolute(directory)) continue;
		for (const ending of endings) {
			const file = join(directory, `${command}${ending}`);
			if (await mayRun(file)) return file;
		}
	}
	return null;
}

async function mayRun(file: string): Promise<boolean> {
	try {
		await access(file, constants.X_OK);
		return true;
	} catch {
		// Not there, or not to be run by us.
		return false;
	}
}
