/** Containers, clusters and infrastructure as code. */
import {
	always,
	type DestructiveRule,
	type Entries,
	has,
	isUnknown,
	operandsOf,
	withSubcommand,
} from '../rule.ts';

const CONTAINERS =
	/^(?:(?:image |container |volume |network |system |builder |buildx |manifest |pod )?(?:push|rm|rmi|prune|kill|remove)|compose (?:down|rm|push|kill)|stack (?:deploy|rm)|service (?:update|rm|scale)|swarm leave)\b/;
const removesContainers = withSubcommand(
	CONTAINERS,
	(name) => `removes or publishes containers (${name})`,
	/^(?:-[Hclfp]|--(?:host|context|config|log-level|file|project-name|profile|env-file|project-directory|connection|url))$/,
);

/** docker and its like; what they run inside is judged by the caller. */
export const containerRule: DestructiveRule = (words, inside) => {
	if (has(words, /^--push$/)) return 'publishes an image (--push)';
	// docker-compose has the subcommands of `docker compose` by themselves.
	const [first = ''] = operandsOf(words, /^(?:-[fp]|--(?:file|project-name|profile|env-file|context|host))$/);
	return removesContainers(words, inside) ?? (first === 'down' ? 'removes containers (down)' : null);
};

const KUBECTL =
	/^(?:delete|apply(?! view)|create|replace|patch|scale|autoscale|expose|run|drain|cordon|uncordon|rollout (?:restart|undo|pause|resume)|set|edit|annotate|label|taint|debug)\b/;
const changesCluster = withSubcommand(
	KUBECTL,
	(name) => `changes a cluster (kubectl ${name})`,
	/^(?:-[nflsocvk]|--(?:namespace|context|kubeconfig|cluster|user|as|as-group|as-uid|server|token|request-timeout|filename|selector|output|container))$/,
);

/** kubectl; what `exec` runs is judged by the caller. */
export const clusterRule: DestructiveRule = (words, inside) => {
	if (has(words, /^--dry-run=(?:client|server)$/)) return null;
	const [name, ...rest] = operandsOf(words, /^(?:-[nc]|--(?:namespace|context|kubeconfig|container))$/);
	if (name === 'cp' && /^[^/.].*:/.test(rest.at(-1) ?? '')) return 'copies into a container (kubectl cp)';
	return changesCluster(words, inside);
};

const ansible: DestructiveRule = (words) =>
	has(words, /^(?:--check|-C|--list-hosts|--list-tasks|--syntax-check|--version)$/)
		? null
		: 'changes other machines (ansible)';

const terraform: DestructiveRule = withSubcommand(
	/^(?:apply|destroy|import|taint|untaint|state (?:rm|mv|push|replace-provider)|workspace delete|force-unlock|(?:run-all|run|stack run) (?:apply|destroy))\b/,
	(name) => `changes infrastructure (terraform ${name})`,
);

/** A service manager's verb may stand behind the service (`service nginx stop`). */
const service: DestructiveRule = (words) => {
	const operands = operandsOf(words, /^(?:-[HM]|--(?:host|machine|root))$/);
	if (isUnknown(operands[0] ?? '')) return 'runs a subcommand that cannot be read';
	const verb = operands
		.slice(0, 2)
		.find((word) => /^(?:stop|restart|disable|mask|kill|unload|bootout|remove|isolate)$/.test(word));
	return verb === undefined ? null : `stops a service (${verb})`;
};

export const clusterPrograms: Entries = [
	[
		'helm',
		withSubcommand(
			/^(?:install|upgrade|uninstall|delete|rollback|push)\b/,
			(name) => `changes a cluster (helm ${name})`,
			/^(?:-n|--(?:namespace|kube-context|kubeconfig))$/,
		),
	],
	[
		'helmfile',
		withSubcommand(/^(?:apply|sync|destroy|delete)\b/, (name) => `changes a cluster (helmfile ${name})`),
	],
	[
		'kustomize skaffold argocd flux',
		withSubcommand(
			/^(?:deploy|delete|run|dev|app (?:sync|delete|set|create|rollback)|reconcile|suspend|resume|create|uninstall|bootstrap)\b/,
			(name) => `changes a cluster (${name})`,
		),
	],
	['terraform tofu terragrunt', terraform],
	[
		'pulumi',
		withSubcommand(
			/^(?:up|update|destroy|refresh|import|stack rm|cancel|state delete)\b/,
			(name) => `changes infrastructure (pulumi ${name})`,
			/^(?:-[Cs]|--(?:cwd|stack))$/,
		),
	],
	['ansible ansible-playbook', ansible],
	['systemctl service launchctl rc-service', service],
	['shutdown reboot halt poweroff', always('ends this machine')],
	[
		'crontab',
		(words, { input }) =>
			has(words, /^-[a-z]*r/)
				? 'deletes scheduled tasks (crontab -r)'
				: input.kind !== 'none' || operandsOf(words, /^-u$/).length > 0
					? 'replaces scheduled tasks (crontab)'
					: null,
	],
];
