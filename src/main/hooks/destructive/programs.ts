/**
 * Programs that destroy something or send something out (seed 003, pitfalls: "git push, rm, deploy hooks"), by what
 * they work on, and the programs that run other programs.
 */
import { cloudPrograms } from './programs/cloud.ts';
import { clusterPrograms } from './programs/clusters.ts';
import { databasePrograms } from './programs/databases.ts';
import { filePrograms } from './programs/files.ts';
import { forgePrograms } from './programs/forges.ts';
import { gitPrograms } from './programs/git.ts';
import { interpreters } from './programs/interpreters.ts';
import { networkPrograms } from './programs/network.ts';
import { packagePrograms } from './programs/packages.ts';
import { platformPrograms } from './programs/platforms.ts';
import { runners } from './programs/runners.ts';
import { shells } from './programs/shells.ts';
import { wrappers } from './programs/wrappers.ts';
import { type DestructiveRule, tableOf, unlessHelp } from './rule.ts';
import { inScriptFile } from './script-names.ts';

/** Their words belong to what they run, `--help` included. */
const runsOthers = tableOf([...wrappers, ...shells, ...interpreters, ...runners]);
const files = tableOf(filePrograms);
const others = tableOf([
	...gitPrograms,
	...networkPrograms,
	...packagePrograms,
	...clusterPrograms,
	...cloudPrograms,
	...platformPrograms,
	...forgePrograms,
	...databasePrograms,
]);

/** The rule of a program, by its name as `programOf` gives it. A program that is not known may be a script. */
export function ruleOf(program: string): DestructiveRule {
	const name = program.replace(/^mkfs\..*/, 'mkfs').replace(/^(python|pypy|perl|ruby|php|lua)[\d.]+$/, '$1');
	const running = runsOthers.get(name);
	if (running !== undefined) return running;
	const file = files.get(name);
	// `rm x --help` deletes x where options must stand first.
	return file === undefined
		? unlessHelp(others.get(name) ?? (() => inScriptFile(program)))
		: unlessHelp(file, 0);
}
