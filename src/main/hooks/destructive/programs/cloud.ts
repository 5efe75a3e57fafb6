/** Command lines of clouds: what only reads is known, or the first verb decides. */
import { type DestructiveRule, type Entries, has, isUnknown, operandsOf } from '../rule.ts';
import { STATEMENT } from '../telltale.ts';

/** Names of operations follow one pattern there, so all that do not read count. */
const READS =
	/^(?:describe|list|get|head|lookup|search|scan|query|view|filter|batch-get|start-query|stop-query|test|validate|estimate|wait|tail|ls|presign|decode|simulate|select|detect|check|preview|download|help)(?:-|$)/;
/** Services and operations that change this machine's settings only. */
const LOCAL = /^(?:configure\b|sso |help\b|history |ecr get-|codeartifact login|eks update-kubeconfig|sts )/;

const aws: DestructiveRule = (words) => {
	const operands = operandsOf(
		words,
		/^--(?:profile|region|output|query|endpoint-url|color|ca-bundle|cli-read-timeout|cli-connect-timeout)$/,
	);
	const [service, operation] = operands;
	if (service === undefined || operation === undefined) return null;
	if (isUnknown(service) || isUnknown(operation)) return 'runs a subcommand that cannot be read';
	if (LOCAL.test(`${service} ${operation}`) || READS.test(operation)) return null;
	const downloads =
		service === 's3' && /^(?:cp|sync)$/.test(operation) && !/^s3:|\uFFFC/.test(operands[3] ?? 's3:');
	return downloads && !has(words, /^--delete$/)
		? null
		: `changes something in the cloud (aws ${service} ${operation})`;
};

const CHANGES =
	/(?:^|-)(?:delete|destroy|terminate|remove|rm|rb|mb|sync|cp|mv|rsync|put|create|update|deploy|publish|apply|scale|restart|stop|start|set|run|execute|invoke|send|push|purge|reboot|rollback|import|modify|attach|detach|disable|enable|add|submit|promote|reset|insert|load|mk|patch|call|ssh|scp)(?=$|-)/;

/** Groups of commands, then a verb, then names: the first word that is a verb of either kind decides. */
const firstVerb =
	(program: string, local: RegExp): DestructiveRule =>
	(words) => {
		const operands = operandsOf(
			words,
			/^--(?:project|account|region|zone|configuration|subscription|output|location)$/,
		);
		const path = operands.filter((word, index) => index > 0 || !/^(?:alpha|beta)$/.test(word));
		if (local.test(path[0] ?? '')) return null;
		for (const [index, word] of path.entries()) {
			if (isUnknown(word)) return index < 2 ? 'runs a subcommand that cannot be read' : null;
			if (READS.test(word) || /^(?:show|read|cat|stat|du|hash|version|logs)$/.test(word)) return null;
			// `gcloud run`, `gcloud deploy`: groups that are named like verbs.
			const group = index === 0 && path.length > 1 && /^(?:run|deploy)$/.test(word);
			if (!group && CHANGES.test(word)) return `changes something in the cloud (${program} ${word})`;
		}
		return path[0] === 'run' ? `changes something in the cloud (${program} run)` : null;
	};

const bq: DestructiveRule = (words, inside) =>
	operandsOf(words)[0] === 'query'
		? has(words, STATEMENT)
			? 'changes or deletes data (bq)'
			: null
		: firstVerb('bq', /^(?:help|version)$/)(words, inside);

export const cloudPrograms: Entries = [
	['aws awslocal', aws],
	['gcloud', firstVerb('gcloud', /^(?:config|auth|components|init|info|topic|help|version)$/)],
	['gsutil', firstVerb('gsutil', /^(?:help|version)$/)],
	['bq', bq],
	['az', firstVerb('az', /^(?:account|login|logout|configure|config|extension|version|find|interactive)$/)],
	['doctl ibmcloud oci scw hcloud linode-cli', firstVerb('cloud', /^(?:auth|login|config|version)$/)],
];
