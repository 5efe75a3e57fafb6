/** The house's walls (docs/architecture.md). A wrong import fails `npm test`. */
const domain = '^src/main/(floor|failover|models|insights|notices|timeline|usage|harness)/';

module.exports = {
	forbidden: [
		{ name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
		{
			name: 'no-orphans',
			severity: 'error',
			from: {
				orphan: true,
				pathNot: [
					'\\.d\\.ts$',
					'^src/main/(index|headless)\\.ts$',
					'^src/preload/',
					'^src/renderer/main\\.tsx$',
				],
			},
			to: {},
		},
		{
			name: 'shared-imports-nothing-of-ours',
			severity: 'error',
			from: { path: '^src/shared/' },
			to: { path: '^src/', pathNot: '^src/shared/' },
		},
		{
			name: 'shared-runs-anywhere',
			severity: 'error',
			from: { path: '^src/shared/' },
			to: { dependencyTypes: ['core'] },
		},
		{
			name: 'floor-is-pure',
			comment:
				'Agents, ladder, heartbeat, orders and standing: no I/O; only shared, schemas, and node:crypto for hashes.',
			severity: 'error',
			from: { path: '^src/main/floor/' },
			to: { pathNot: ['^src/shared/', '^src/main/floor/', '^(node:)?crypto$', 'node_modules/zod/'] },
		},
		{
			name: 'failover-is-pure',
			comment:
				'Breakers, evidence, recommendation, orchestration and the outbox rules: no I/O; only shared, schemas, and node:crypto for hashes.',
			severity: 'error',
			from: { path: '^src/main/failover/' },
			to: { pathNot: ['^src/shared/', '^src/main/failover/', '^(node:)?crypto$', 'node_modules/zod/'] },
		},
		{
			name: 'models-are-pure',
			comment:
				'The model breaker, its chains, and the text of its state file: no I/O; only shared, schemas, and node:crypto for hashes.',
			severity: 'error',
			from: { path: '^src/main/models/' },
			to: { pathNot: ['^src/shared/', '^src/main/models/', '^(node:)?crypto$', 'node_modules/zod/'] },
		},
		{
			name: 'notices-are-pure',
			comment: 'What the operator is told, and when: no I/O; only shared.',
			severity: 'error',
			from: { path: '^src/main/notices/' },
			to: { pathNot: ['^src/shared/', '^src/main/notices/'] },
		},
		{
			name: 'timeline-is-pure',
			comment: 'Records of an agent to its timeline: no I/O; only shared and what the floor calls an event.',
			severity: 'error',
			from: { path: '^src/main/timeline/' },
			to: { pathNot: ['^src/shared/', '^src/main/floor/', '^src/main/timeline/'] },
		},
		{
			name: 'insights-are-pure',
			comment: 'Looking back: no I/O; only shared, and how amounts of usage are added.',
			severity: 'error',
			from: { path: '^src/main/insights/' },
			to: { pathNot: ['^src/shared/', '^src/main/usage/reconcile.ts$', '^src/main/insights/'] },
		},
		{
			name: 'usage-sees-floor-and-shared-only',
			severity: 'error',
			from: { path: '^src/main/usage/' },
			to: { path: '^src/', pathNot: ['^src/shared/', '^src/main/floor/', '^src/main/usage/'] },
		},
		{
			name: 'telemetry-is-pure',
			comment: 'Bytes and numbers in, plain records out: no I/O; of usage only what a record is made of.',
			severity: 'error',
			from: { path: '^src/main/telemetry/' },
			to: {
				pathNot: [
					'^src/shared/',
					'^src/main/telemetry/',
					'^src/main/usage/(token-usage|session-format|session-tally|formats/(json-values|provider-error))\\.ts$',
					'node_modules/@bufbuild/protobuf/',
				],
			},
		},
		{
			name: 'hooks-see-floor-and-shared-only',
			severity: 'error',
			from: { path: '^src/main/hooks/' },
			to: { path: '^src/', pathNot: ['^src/shared/', '^src/main/floor/', '^src/main/hooks/'] },
		},
		{
			name: 'gateway-sees-shared-failover-models-and-standing-only',
			comment:
				'It asks the floor for a refusal and tells it who answered; nothing else of it is its business.',
			severity: 'error',
			from: { path: '^src/main/gateway/' },
			to: {
				path: '^src/',
				pathNot: [
					'^src/shared/',
					'^src/main/(gateway|failover)/',
					'^src/main/models/model-desk\\.ts$',
					'^src/main/floor/(standing|events)\\.ts$',
				],
			},
		},
		{
			name: 'front-doors-are-pure',
			comment:
				'Protocols, relay and SSE: bytes in, bytes out; no sockets, no clocks. node:crypto for hashes.',
			severity: 'error',
			from: { path: '^src/main/gateway/(sse|protocols|relay)/' },
			to: { dependencyTypes: ['core'], pathNot: ['^(node:)?crypto$'] },
		},
		{
			name: 'store-and-machine-see-shared-only',
			severity: 'error',
			from: { path: '^src/main/(store|machine)/' },
			to: {
				path: '^src/',
				pathNot: [
					'^src/shared/',
					'^src/main/(store|machine)/',
					'^src/main/floor/(events|verdict)\\.ts$',
					'^src/main/usage/usage-store\\.ts$',
				],
			},
		},
		{
			name: 'local-servers-see-shared-only',
			severity: 'error',
			from: { path: '^src/main/local-servers/' },
			to: { path: '^src/', pathNot: ['^src/shared/', '^src/main/local-servers/'] },
		},
		{
			name: 'electron-only-in-desktop-and-preload',
			severity: 'error',
			from: { pathNot: ['^src/main/desktop/', '^src/preload/', '^src/main/index\\.ts$'] },
			to: { path: '(^|node_modules/)electron($|/)' },
		},
		{
			name: 'nothing-imports-desktop-but-the-electron-entry',
			severity: 'error',
			from: { path: '^src/', pathNot: ['^src/main/desktop/', '^src/main/index\\.ts$'] },
			to: { path: '^src/main/desktop/' },
		},
		{
			name: 'renderer-imports-only-shared',
			severity: 'error',
			from: { path: '^src/renderer/' },
			to: { path: '^src/', pathNot: ['^src/shared/', '^src/renderer/'] },
		},
		{
			name: 'renderer-has-no-node',
			severity: 'error',
			from: { path: '^src/renderer/' },
			to: { dependencyTypes: ['core'] },
		},
		{
			name: 'preload-imports-only-shared',
			severity: 'error',
			from: { path: '^src/preload/' },
			to: { path: '^src/', pathNot: ['^src/shared/', '^src/preload/'] },
		},
		{
			name: 'domain-has-no-electron-or-server',
			severity: 'error',
			from: { path: domain },
			to: { path: '^src/main/(server|desktop|cli|hooks)/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.node.json' },
		enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
	},
};
