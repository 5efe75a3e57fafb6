/**
 * Programs that destroy something or send something out (seed 003, pitfalls: "git push, rm, deploy hooks"). Each rule
 * gets the words after the program's name and answers with what it would do, or `null`.
 */

/** A word of a command line: its text, or `null` when only the shell will know. */
export type PlainWord = string | null;

/** What the command would do, as the end of "it …"; `null`: nothing of that kind. */
export type DestructiveRule = (words: readonly PlainWord[]) => string | null;

const always =
	(what: string): DestructiveRule =>
	() =>
		what;

/** True when one of the words matches. */
const has = (words: readonly PlainWord[], pattern: RegExp): boolean =>
	words.some((word) => word !== null && pattern.test(word));

/** The first words that are no options: the subcommand and what follows it. */
function subcommands(words: readonly PlainWord[], valued: RegExp = /^$/): PlainWord[] {
	const found: PlainWord[] = [];
	for (let index = 0; index < words.length; index += 1) {
		const word = words[index] ?? null;
		if (word?.startsWith('-')) {
			if (valued.test(word)) index += 1;
		} else found.push(word);
	}
	return found;
}

/** A program with subcommands: the pattern is matched against "sub subsub …". An unreadable one counts. */
function withSubcommand(pattern: RegExp, what: (name: string) => string, valued?: RegExp): DestructiveRule {
	return (words) => {
		const [first, second, third] = subcommands(words, valued);
		if (first === null) return 'runs a subcommand that cannot be read';
		const name = [first, second, third]
			.map((word) => word ?? '')
			.join(' ')
			.trim();
		const match = pattern.exec(name);
		return match ? what(match[0].trim()) : null;
	};
}

const git: DestructiveRule = (words) => {
	const [name, ...rest] = subcommands(
		words,
		/^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env))$/,
	);
	const after = words.slice(words.indexOf(name ?? null) + 1);
	switch (name) {
		case undefined:
			return null;
		case null:
			return 'runs a git command that cannot be read';
		case 'push':
			return 'sends commits to another repository (git push)';
		case 'send-email':
			return 'sends mail (git send-email)';
		case 'reset':
			return has(after, /^--(?:hard|merge|keep)$/) ? 'throws away uncommitted work (git reset)' : null;
		case 'clean':
			return has(after, /^(?:-[a-z]*n[a-z]*|--dry-run)$/) ? null : 'deletes untracked files (git clean)';
		case 'checkout':
			return has(after, /^(?:--|-f|--force|\.)$/) ? 'throws away uncommitted work (git checkout)' : null;
		case 'switch':
			return has(after, /^(?:-f|--force|--discard-changes)$/)
				? 'throws away uncommitted work (git switch)'
				: null;
		case 'restore':
			return has(after, /^(?:-S|--staged)$/) && !has(after, /^(?:-W|--worktree)$/)
				? null
				: 'throws away uncommitted work (git restore)';
		case 'branch':
			return has(after, /^(?:-[a-zA-Z]*[dD][a-zA-Z]*|--delete)$/) ? 'deletes a branch (git branch)' : null;
		case 'tag':
			return has(after, /^(?:-d|--delete)$/) ? 'deletes a tag (git tag)' : null;
		case 'stash':
			return /^(?:drop|clear)$/.test(rest[0] ?? '') ? 'deletes stashed work (git stash)' : null;
		case 'worktree':
			return /^(?:remove|prune)$/.test(rest[0] ?? '') ? 'deletes a work tree (git worktree)' : null;
		case 'reflog':
			return /^(?:expire|delete)$/.test(rest[0] ?? '') ? 'deletes history (git reflog)' : null;
		case 'rm':
			return has(after, /^--cached$/) ? null : 'deletes files (git rm)';
		case 'gc':
			return has(after, /^--prune/) ? 'deletes history (git gc)' : null;
		case 'filter-branch':
		case 'filter-repo':
			return `rewrites history (git ${name})`;
		case 'update-ref':
			return has(after, /^-d$/) ? 'deletes a reference (git update-ref)' : null;
		case 'remote':
			return /^(?:rm|remove)$/.test(rest[0] ?? '') ? 'removes a remote (git remote)' : null;
		default:
			return null;
	}
};

/** Scripts by name: `npm run deploy`, `make release`. */
const SCRIPT = /(?:^|[:_\-.])(?:deploy|release|publish|destroy|teardown|migrate|rollback|ship)(?:$|[:_\-.])/i;

const packageManager: DestructiveRule = (words) => {
	const [name, ...rest] = subcommands(words, /^(?:--prefix|-C|--cwd|--filter|-w|--workspace|--dir)$/);
	if (name === undefined) return null;
	if (name === null) return 'runs a script that cannot be read';
	if (/^(?:publish|unpublish|deprecate)$/.test(name)) return `changes what others install (${name})`;
	if (/^(?:dist-tag|owner|access|team)$/.test(name)) return `changes the package's registry entry (${name})`;
	const script = /^(?:run|run-script|exec)$/.test(name) ? rest[0] : name;
	if (script === null) return 'runs a script that cannot be read';
	return script !== undefined && SCRIPT.test(script) ? `runs the script "${script.slice(0, 60)}"` : null;
};

const make: DestructiveRule = (words) => {
	const target = subcommands(words, /^-[CfIj]$/).find(
		(word) => word !== null && (SCRIPT.test(word) || /^(?:distclean|clobber|nuke)$/.test(word)),
	);
	return target ? `runs the target "${target.slice(0, 60)}"` : null;
};

const curl: DestructiveRule = (words) => {
	const sends =
		has(words, /^(?:-d|--data.*|-F|--form.*|-T|--upload-file|--json)(?:=|$)/) ||
		has(words, /^-[a-zA-Z]*[dFT]$/) ||
		has(words, /^-(?:d|F|T)./) ||
		has(words, /^(?:-X|--request=?)?(?:POST|PUT|PATCH|DELETE)$/i);
	return sends ? 'sends data to a server, as deploy hooks do (curl)' : null;
};

const wget: DestructiveRule = (words) =>
	has(words, /^--(?:post-|body-|method=(?!GET|HEAD))/i) ? 'sends data to a server (wget)' : null;

/** `host:path`, `user@host:path`, `rsync://`: another machine. */
const REMOTE = /^(?:[\w.-]+@)?[\w.-]+:(?!\\)|^rsync:\/\//;

const copyOut =
	(program: string): DestructiveRule =>
	(words) => {
		const target = words.at(-1);
		if (target === null) return `copies to a place that cannot be read (${program})`;
		if (target !== undefined && REMOTE.test(target)) return `writes to another machine (${program})`;
		return has(words, /^--delete/) || has(words, /^--remove-source-files$/)
			? `deletes files (${program})`
			: null;
	};

const find: DestructiveRule = (words) =>
	has(words, /^-delete$/) ? 'deletes what it finds (find -delete)' : null;

const STATEMENT = /\b(?:drop|truncate|delete\s+from|alter\s+table|grant|revoke)\b/i;
const sql =
	(program: string): DestructiveRule =>
	(words) =>
		has(words, STATEMENT) ? `changes or deletes data (${program})` : null;

const cloud =
	(program: string): DestructiveRule =>
	(words) => {
		const name = subcommands(words)
			.map((word) => word ?? '')
			.join(' ');
		const verb =
			/(?:^|[\s-])(?:delete|destroy|terminate|remove|rm|rb|mb|sync|cp|mv|put|create|update|deploy|publish|apply|scale|restart|stop|start|set|run|invoke|send|push|purge|reboot|rollback|import|modify|attach|detach|disable|enable|add|submit|promote)(?=$|[\s-])/.exec(
				name,
			);
		return verb ? `changes something in the cloud (${program} ${verb[0].trim().replace(/^-/, '')})` : null;
	};

const deletes = (program: string): DestructiveRule => always(`deletes or overwrites (${program})`);

const entries: readonly (readonly [names: string, rule: DestructiveRule])[] = [
	['git hub', git],
	['rm rmdir unlink shred srm trash', always('deletes files')],
	['del erase rd remove-item', always('deletes files')],
	['dd mkfs wipefs fdisk parted truncate', deletes('a device or a file')],
	['find fd', find],
	['curl xh', curl],
	['http https', curl],
	['wget', wget],
	['scp', copyOut('scp')],
	['rsync', copyOut('rsync')],
	['sftp ftp lftp', always('can change files on another machine')],
	['npm pnpm yarn bun', packageManager],
	['make gmake just task rake', make],
	[
		'cargo',
		withSubcommand(/^(?:publish|yank|owner)\b/, (name) => `changes what others install (cargo ${name})`),
	],
	['twine', withSubcommand(/^upload\b/, () => 'publishes a package (twine upload)')],
	['poetry uv flit hatch', withSubcommand(/^publish\b/, () => 'publishes a package')],
	['gem', withSubcommand(/^(?:push|yank)\b/, (name) => `changes what others install (gem ${name})`)],
	['mvn gradle gradlew', make],
	[
		'docker podman',
		withSubcommand(
			/^(?:(?:image |container |volume |network |system |builder )?(?:push|rm|rmi|prune|kill|remove)|compose (?:down|rm|push)|stack (?:deploy|rm)|service (?:update|rm|scale))\b/,
			(name) => `removes or publishes containers (docker ${name})`,
		),
	],
	['docker-compose', withSubcommand(/^(?:down|rm|push)\b/, (name) => `removes containers (${name})`)],
	[
		'kubectl oc',
		withSubcommand(
			/^(?:delete|apply|create|replace|patch|scale|drain|cordon|rollout (?:restart|undo)|set|edit|exec|annotate|label|taint)\b/,
			(name) => `changes a cluster (kubectl ${name})`,
			/^(?:-n|--namespace|--context|--kubeconfig|-f|-l)$/,
		),
	],
	[
		'helm',
		withSubcommand(
			/^(?:install|upgrade|uninstall|delete|rollback|push)\b/,
			(name) => `changes a cluster (helm ${name})`,
		),
	],
	[
		'terraform tofu terragrunt',
		withSubcommand(
			/^(?:apply|destroy|import|taint|untaint|state (?:rm|mv|push)|workspace delete|force-unlock|run-all (?:apply|destroy))\b/,
			(name) => `changes infrastructure (terraform ${name})`,
		),
	],
	[
		'pulumi',
		withSubcommand(
			/^(?:up|update|destroy|refresh|import|stack rm|cancel)\b/,
			(name) => `changes infrastructure (pulumi ${name})`,
		),
	],
	['ansible ansible-playbook', always('changes other machines (ansible)')],
	['aws', cloud('aws')],
	['gcloud gsutil bq', cloud('gcloud')],
	['az', cloud('az')],
	[
		'gh glab',
		withSubcommand(
			/^(?:(?:pr|mr) (?:merge|close|create|comment|review|edit)|(?:issue|release|repo|gist|secret|variable|label|ruleset|ssh-key|cache) (?:create|delete|close|edit|upload|archive|rename|set|remove|comment|transfer)|workflow (?:run|disable|enable)|run (?:cancel|delete|rerun)|api)\b/,
			(name) => `changes something on the forge (${name})`,
		),
	],
	[
		'vercel netlify flyctl fly heroku firebase wrangler railway render surge now eas serverless sls cdk sam cap kamal eb dokku',
		(words) => {
			const [name] = subcommands(words);
			if (
				name !== undefined &&
				name !== null &&
				/^(?:login|logout|whoami|logs?|list|ls|status|info|help|init|dev|local|build|synth|diff|emulators?:?.*|open)$/.test(
					name,
				)
			)
				return null;
			return has(words, /^(?:--version|-v|--help|-h)$/) ? null : 'deploys or changes a running service';
		},
	],
	[
		'ssh mosh',
		(words) =>
			subcommands(words, /^-[bcDEeFIiJLlmOopQRSWw]$/).length > 1
				? 'runs a command on another machine (ssh)'
				: null,
	],
	['psql mysql mariadb sqlite3 sqlcmd clickhouse-client duckdb', sql('a database')],
	['mongosh mongo', (words) => (has(words, /drop|delete|remove/i) ? 'deletes data (mongo)' : null)],
	[
		'redis-cli',
		(words) => (has(words, /^(?:flushall|flushdb|del|unlink)$/i) ? 'deletes data (redis)' : null),
	],
	['dropdb dropuser', deletes('a database')],
	[
		'alembic',
		withSubcommand(/^(?:upgrade|downgrade|stamp)\b/, (name) => `changes a database (alembic ${name})`),
	],
	[
		'prisma',
		withSubcommand(
			/^(?:migrate (?:deploy|reset|dev)|db (?:push|execute))\b/,
			(name) => `changes a database (prisma ${name})`,
		),
	],
	[
		'systemctl service launchctl',
		withSubcommand(
			/^(?:\S+ )?(?:stop|restart|disable|mask|kill|unload|bootout|remove)\b/,
			(name) => `stops a service (${name})`,
		),
	],
	['shutdown reboot halt poweroff', always('ends this machine')],
	['crontab', (words) => (has(words, /^-r$/) ? 'deletes scheduled tasks (crontab -r)' : null)],
	['mail sendmail mutt msmtp', always('sends mail')],
];

/** Rule by program name, in lower case. */
export const destructivePrograms: ReadonlyMap<string, DestructiveRule> = new Map(
	entries.flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)),
);
