/** Hosting platforms: their programs are there to deploy, so what is not known to read counts. */
import { type DestructiveRule, type Entries, has, operandsOf, withSubcommand } from '../rule.ts';

/** Subcommands that read or work on this machine only. */
const READS =
	/^(?:login|logout|whoami|logs?|tail|list|ls|status|info|help|init|dev|local|build|synth|diff|open|inspect|ps|releases|apps|doctor|validate|package|print|types|version|offline|health|events|dashboard|show|metrics|docs|plugins|regions|teams?|link|switch|pull|emulators|completion|update-check)$/;
/** What may follow a group to make it a reading one: `env ls`, `config:get`, `build:list`. */
const LISTS =
	/^(?:ls|list|info|show|get|status|logs?|inspect|view|check|history|pull|start|exec|local|whoami)$/;
/** What follows a group that reads by itself: `apps destroy`. */
const CHANGES =
	/^(?:destroy|delete|remove|rm|create|add|set|unset|update|edit|move|rename|rollback|deploy|restart|transfer|invite|restore|install|uninstall|renew)$/;
/** Groups that list when nothing follows them. */
const GROUPS = /^(?:config|addons|domains|certs|buildpacks|env|secrets|variables|members|access)$/;

/** `bare`: true when the program deploys without any word. */
const platform =
	(bare: boolean): DestructiveRule =>
	(words) => {
		if (has(words, /^(?:--version|-v|--help|-h|-T)$/)) return null;
		const what = 'deploys or changes a running service';
		// An option may take the next word: with one in front nothing can be told but a single reading word.
		const operands = operandsOf(
			words,
			/^(?:-[acpes]|--(?:app|config|project|env|stage|scope|token|cwd|region|profile))$/,
		);
		const [name, second] = operands;
		if (name === undefined) return bare || words.length > 0 ? what : null;
		const [group = '', action] = name.includes(':') ? name.split(':') : [name, second];
		if (action !== undefined && LISTS.test(action) && !/^(?:rollback|deploy|destroy)/.test(group))
			return null;
		if (READS.test(group) && !name.includes(':')) return CHANGES.test(action ?? '') ? what : null;
		if (/^emulators$/.test(group)) return null;
		return GROUPS.test(group) && action === undefined ? null : what;
	};

export const platformPrograms: Entries = [
	['vercel now surge', platform(true)],
	[
		'netlify flyctl fly heroku firebase wrangler railway render eas serverless sls cdk sam cap kamal eb dokku deployctl amplify',
		platform(false),
	],
	[
		'supabase',
		withSubcommand(
			/^(?:db (?:reset|push)|functions (?:deploy|delete)|secrets (?:set|unset)|migration (?:up|down|repair|squash)|projects (?:create|delete)|branches (?:create|delete|update)|storage (?:rm|cp|mv)|config push|stop)\b/,
			(name) => `changes a running service (supabase ${name})`,
		),
	],
	[
		'rclone',
		withSubcommand(
			/^(?:sync|bisync|copy\w*|move\w*|delete\w*|purge|cleanup|rmdirs?|rcat|touch|mkdir|settier|dedupe)\b/,
			(name) => `changes stored files (rclone ${name})`,
			/^--(?:config|transfers|filter|include|exclude)$/,
		),
	],
	[
		's3cmd s5cmd mc',
		withSubcommand(
			/^(?:del|rm|rb|put|sync|mv|cp|mirror|modify|setacl|setpolicy|multipart)\b/,
			(name) => `changes stored files (${name})`,
			/^(?:-c|--(?:config|profile|endpoint-url))$/,
		),
	],
];
