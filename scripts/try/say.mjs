/** One line of a trial's report. */
export function say(line) {
	process.stdout.write(`${line}\n`);
}
