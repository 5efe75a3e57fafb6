/**
 * A process of its own that adds to a number in a file, so often: `<file> <locks directory> <times> <flags>`. Says
 * "began" when it starts and "<n>" for each addition that is in the file; with `scripts` it takes the shell's lock too.
 */
import { updateLockedFile } from '../../src/main/store/locked-file.ts';

const [file = '', locksDirectory = '', times = '0', flags = ''] = process.argv.slice(2);
process.stdout.write('began\n');
for (let done = 1; done <= Number(times); done += 1) {
	const options = { locksDirectory, forScripts: flags === 'scripts', meaning: '', patienceMs: 60_000 };
	await updateLockedFile(file, options, (bytes) => {
		const text = Buffer.from(bytes ?? '').toString();
		if (bytes !== null && !/^\d+\n$/.test(text)) throw new Error(`torn: ${JSON.stringify(text)}`);
		return { kind: 'write', bytes: Buffer.from(`${Number(text) + 1}\n`), result: null };
	});
	process.stdout.write(`${done}\n`);
}
