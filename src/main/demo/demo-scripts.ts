/** The bundled floor: what each demo agent does, for ever, until the demo ends. */
import type { DemoAgent, DemoContext, DemoTool } from './demo-agent.ts';

export interface DemoScript {
	readonly name: string;
	readonly play: (agent: DemoAgent, context: DemoContext) => Promise<void>;
}

const read = (path: string): DemoTool => ({
	tool: 'Read',
	input: { file_path: path },
	result: `contents of ${path}`,
});
const edit = (path: string, round: number): DemoTool => ({
	tool: 'Edit',
	input: { file_path: path, old_string: `step ${round}`, new_string: `step ${round + 1}` },
	result: `The file ${path} has been updated.`,
});
const shell = (command: string, result: string, failed = false): DemoTool => ({
	tool: 'Bash',
	input: { command },
	result,
	failed,
	tookMs: 900,
});

/** Works as one would wish: looks, changes, checks. */
const healthy: DemoScript = {
	name: 'checkout-service',
	play: async (agent, { pause }) => {
		await agent.prompt('Add idempotency keys to the payment endpoint');
		for (let round = 0; ; round += 1) {
			const file = `src/payments/${['keys', 'store', 'handler', 'retry', 'audit'][round % 5]}.ts`;
			await agent.use(read(file));
			await pause(1_500);
			await agent.use(edit(file, round));
			await pause(1_200);
			await agent.use(shell(`npx vitest run payments/${round}`, `Tests ${12 + round} passed`));
			await pause(2_500);
		}
	},
};

/** Runs one failing command again and again, and does not listen. */
const looping: DemoScript = {
	name: 'billing-api',
	play: async (agent, { pause }) => {
		await agent.prompt('Make the invoice tests green');
		for (;;) {
			if (agent.halted) await waitForOperator(agent, pause);
			await agent.use(shell('npm test -- invoice', 'Exit code 1\n3 failed: rounding of half cents', true));
			await pause(1_000);
		}
	},
};

/** Alternates two reads until it gets the note, then changes its approach and recovers. */
const steerable: DemoScript = {
	name: 'search-index',
	play: async (agent, { pause }) => {
		await agent.prompt('Find out why the nightly reindex is slow');
		for (let round = 0; ; round += 1) {
			let heard = false;
			while (!heard) {
				const one = await agent.use(read('logs/reindex.log'));
				await pause(700);
				const two = await agent.use(shell('grep -c slow logs/reindex.log', '0'));
				await pause(700);
				heard = one.note !== '' || two.note !== '' || one.denied || two.denied;
			}
			for (let step = 0; step < 14; step += 1) {
				await agent.use(
					shell(`EXPLAIN_STEP=${round}.${step} ./bin/explain --query ${step}`, `plan ${round}.${step}`),
				);
				await pause(2_500);
			}
		}
	},
};

/** Its provider is over its limit: shown on the agent, never held against it. */
const failing: DemoScript = {
	name: 'recommendations',
	play: async (agent, { pause }) => {
		for (;;) {
			await agent.prompt('Backfill the embeddings for March');
			await agent.use(shell('python backfill.py --month 3 --dry-run', 'would write 48 211 rows'));
			await pause(3_000);
			await agent.send('StopFailure', {
				error: 'rate_limit',
				last_assistant_message:
					'API Error: Request rejected (429): this request would exceed your rate limit',
			});
			await pause(45_000);
		}
	},
};

/** Needs a person. */
const waiting: DemoScript = {
	name: 'infra-terraform',
	play: async (agent, { pause }) => {
		await agent.prompt('Rotate the database credentials');
		await agent.use(read('modules/db/main.tf'));
		await agent.use(shell('terraform plan -out rotate.plan', 'Plan: 2 to add, 0 to change, 1 to destroy'));
		await agent.send('Notification', {
			notification_type: 'permission_prompt',
			message: 'Claude needs your permission to use Bash: terraform apply rotate.plan',
		});
		for (;;) await pause(60_000);
	},
};

/** Compacts its context now and then; a busy burst after it is no alarm. */
const compacting: DemoScript = {
	name: 'mobile-app',
	play: async (agent, { pause }) => {
		await agent.prompt('Migrate the settings screens to the new navigation');
		for (let round = 0; ; round += 1) {
			await agent.send('PreCompact', { trigger: 'auto', custom_instructions: '' });
			await pause(12_000);
			await agent.send('PostCompact', { trigger: 'auto', compact_summary: 'six of nine screens are done' });
			for (let step = 0; step < 8; step += 1) {
				await agent.use(edit(`app/screens/screen-${round}-${step}.tsx`, step));
				await pause(2_200);
			}
		}
	},
};

/** Sends two subagents out and ends its turn. */
const delegating: DemoScript = {
	name: 'docs-site',
	play: async (agent, { pause }) => {
		for (let round = 0; ; round += 1) {
			await agent.prompt(`Check the links of chapter ${round + 1}`);
			const helpers = ['a', 'b'].map((letter) => ({
				agent_id: `sub-${round}${letter}`,
				agent_type: 'Explore',
			}));
			for (const helper of helpers) await agent.send('SubagentStart', helper);
			for (let step = 0; step < 4; step += 1) {
				await agent.use(read(`content/chapter-${round + 1}/page-${step}.md`));
				await pause(1_800);
			}
			for (const helper of helpers) await agent.send('SubagentStop', helper);
			await agent.stop('All links of the chapter resolve.');
			await pause(20_000);
		}
	},
};

export const demoScripts: readonly DemoScript[] = [
	looping,
	steerable,
	waiting,
	failing,
	healthy,
	compacting,
	delegating,
];

/** A stopped session comes back only with a prompt that the floor lets through. */
async function waitForOperator(agent: DemoAgent, pause: DemoContext['pause']): Promise<void> {
	while (agent.halted) {
		await pause(4_000);
		await agent.prompt('Go on');
	}
}
