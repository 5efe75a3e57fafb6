/** Scripts and targets are not read; their names tell: `./deploy.sh`, `npm run release`, `make publish`. */
import { isUnknown } from './rule.ts';

const COMMON = 'deploy|release|publish|destroy|teardown|rollback|migrate|ship|push|nuke';
/** `release-notes`, `migrate:status`: about it, not it. */
const ONLY_ABOUT = '(?![:_\\-.](?:notes|status|list|check|plan|diff|info|help|lint|dry-?run)(?:$|[:_\\-.]))';
const segment = (verbs: string): RegExp =>
	new RegExp(`(?:^|[:_\\-.])(?:${verbs})${ONLY_ABOUT}(?:$|[:_\\-.])`, 'i');

const FILE = segment(`${COMMON}|clean`);
const TASK = segment(`${COMMON}|drop|purge|wipe|(?:db|database|ecto)[:._-]reset`);

/** `publishToProd` has the parts of `publish-to-prod`. */
const inParts = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1-$2');

/** A script file or program, with or without its directory. */
export function inScriptFile(path: string): string | null {
	const name = path.split(/[\\/]/).at(-1) ?? path;
	if (isUnknown(name)) return 'runs a script whose name cannot be read';
	if (/^test[_-]|[._-](?:test|spec)\.\w+$/.test(name)) return null;
	return FILE.test(inParts(name)) ? `runs the script "${name.slice(0, 60)}"` : null;
}

/** A script or target of a task runner (npm, make, gradle …). */
export function inTask(name: string): string | null {
	if (/^(?:test|lint|check|typecheck):|publishToMavenLocal$/.test(name)) return null;
	return TASK.test(inParts(name)) ? `runs the script "${name.slice(0, 60)}"` : null;
}
