/** The composition: builds every part once, connects them, owns start and stop. Both hosts use it. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
	type PushChannel,
	type PushPayload,
	pushChannels,
	type RequestHandlers,
} from '../shared/channels.ts';
import { type Disposable, DisposableStore } from '../shared/disposable.ts';
import type { FloorSnapshot } from '../shared/snapshot.ts';
import { ClientConnections } from './app/client-connections.ts';
import { createConnectionHandlers } from './app/connection-handlers.ts';
import { createConsentGate } from './app/consent-gate.ts';
import { DemoSwitch } from './app/demo-switch.ts';
import { createFailoverHandlers } from './app/failover-handlers.ts';
import { FailoverParts } from './app/failover-parts.ts';
import { createHandlers } from './app/handlers.ts';
import { Heart } from './app/heart.ts';
import { openKeeping } from './app/keeping.ts';
import { createLookingBack } from './app/looking-back.ts';
import { createModelHandlers } from './app/model-handlers.ts';
import { limitKey } from './app/model-incidents.ts';
import { ModelParts } from './app/model-parts.ts';
import { NoticesPart } from './app/notices-part.ts';
import { Observers } from './app/observers.ts';
import { ProcessEnder } from './app/process-ender.ts';
import { Publisher } from './app/publisher.ts';
import { Recorder } from './app/recorder.ts';
import { StatusBoard } from './app/status-board.ts';
import { createTelemetrySink } from './app/telemetry-floor.ts';
import { scheduleTimer } from './app/timers.ts';
import { createToldTrouble } from './app/told-trouble.ts';
import { Troubles } from './app/troubles.ts';
import { UsageParts } from './app/usage-parts.ts';
import { agentFromMemory } from './floor/agent-memory.ts';
import { Floor } from './floor/floor.ts';
import { gatewayGuides } from './gateway/guide.ts';
import { createDestructiveJudge } from './hooks/destructive/judge.ts';
import { createDialects } from './hooks/dialects.ts';
import { createReadOnlyJudge } from './hooks/read-only/judge.ts';
import { loadShellGrammar } from './hooks/shell-grammar.ts';
import { identifyProcess } from './machine/processes.ts';
import { Repositories } from './machine/repositories.ts';
import { SuspendDetector } from './machine/suspend.ts';
import { WorkTreeScanner } from './machine/work-tree.ts';
import { type Listener, listen } from './server/listener.ts';
import { loadWindowFiles } from './server/window-files.ts';
import { TelemetryReceiver } from './telemetry/telemetry-receiver.ts';

export interface FloorApp {
	/** `http://127.0.0.1:<port>` */
	readonly url: string;
	/** The window's address, with the token that opens it. */
	readonly address: string;
	/** The same for a window that this program opens: it works once, within a minute. */
	windowAddress(): string;
	readonly handlers: RequestHandlers;
	subscribe<C extends PushChannel>(channel: C, listener: (payload: PushPayload<C>) => void): Disposable;
	snapshot(): FloorSnapshot;
	/** A desktop could not show the notice of this key: it is told again. */
	noticeFailed(key: string): void;
	noteSuspend(): void;
	noteResume(): void;
	/** Settles everything that is under way. */
	stop(): Promise<void>;
}

export interface StartOptions {
	readonly dataDirectory: string;
	/** Overrides the setting; 0 takes any free one. */
	readonly port?: number;
	/** Play the demo from the start. */
	readonly demo?: boolean;
	readonly version: string;
	/** The built window (`out/renderer`). */
	readonly windowDirectory: string;
	/** Where `.claude/settings.json` is looked for; the user's home if not given. */
	readonly homeDirectory?: string;
}

const PRUNE_EVERY_MS = 3_600_000;
const LOOK_AT_HOOKS_EVERY_MS = 60_000;

/** Rejects with a `StartError`: port taken, already running (with its address), data directory not usable. */
export async function startFloor(options: StartOptions): Promise<FloorApp> {
	const { dataDirectory, version } = options;
	const now = Date.now;
	const held = new DisposableStore();
	const keeping = await openKeeping(dataDirectory);
	const { store, settings, tokens } = keeping;
	held.add(keeping);
	// Loaded once: two loads at the same time disturb each other.
	const grammar = await loadShellGrammar();
	const isReadOnly = await createReadOnlyJudge(grammar);
	const isDestructive = await createDestructiveJudge(grammar);
	const floor = new Floor({ getSettings: () => settings.current, isReadOnly });
	const troubles = new Troubles(floor, now);
	const board = new StatusBoard({
		settings: () => settings.current,
		dataDirectory,
		version,
		startedAt: now(),
	});
	const usage: UsageParts = new UsageParts({
		floor,
		now,
		isDemoFloor: options.demo === true,
		store: store.usage,
		...(options.homeDirectory !== undefined && { homeDirectory: options.homeDirectory, env: {} }),
		isDemo: (path) => path.startsWith(join(dataDirectory, 'demo')),
		localModels: () => failover.localModels.models().map(({ name }) => name),
		onChange: () => publisher.schedule(),
		onTrouble: ({ client, sessionId, trouble }) => toldTrouble(client, sessionId, trouble),
		onError: troubles.report,
	});
	const toldTrouble = createToldTrouble({
		floor,
		now,
		onTrouble: (event, agent) => {
			models.hookCounted(event, agent.id);
			recorder.heard(agent.id);
			publisher.schedule();
		},
	});
	const publisher = held.add(
		new Publisher({
			floor,
			status: board.status,
			failover: () => failover.view(),
			models: () => models.view(),
			usage: () => usage.view(),
			sightings: () => usage.sightings(),
			now,
		}),
	);
	const ender = new ProcessEnder({
		floor,
		graceSeconds: () => settings.current.stop.graceSeconds,
		now,
		onChange: publisher.schedule,
		onError: troubles.report,
	});
	const recorder = held.add(new Recorder({ floor, store, publisher, ender, onError: troubles.report }));
	const suspend = new SuspendDetector();
	const workTrees = new WorkTreeScanner({ now, maxAgeMs: () => settings.current.heartbeatSeconds * 500 });
	const repositories = new Repositories({ now, onFound: () => observers.placeAgents() });
	const past = createLookingBack({
		floor,
		store,
		settings,
		usage,
		repositories,
		workTrees,
		now,
		onError: troubles.report,
	});
	held.add(floor.onRecord(past.timeline.record));
	const observers: Observers = new Observers({
		floor,
		usage: usage.agents,
		workTrees,
		repositoryOf: (directory) => repositories.of(directory),
		now,
		onObserved: publisher.schedule,
		onError: troubles.report,
	});
	held.onDispose(() => observers.dispose());
	const heart = held.add(
		new Heart({
			intervalSeconds: () => settings.current.heartbeatSeconds,
			now,
			observe: () => observers.observe(),
			beat: (at, lateMs) => {
				floor.beat(at);
				board.beat(at, lateMs);
				publisher.schedule();
			},
			sleptMs: () => suspend.check(),
			onSleep: (milliseconds, at) => {
				floor.noteSleep(milliseconds, at);
				failover.noteWake();
			},
			onError: (error) => troubles.report('the heartbeat', error),
		}),
	);
	board.nextBeatAt = () => heart.nextBeatAt;

	floor.restore(keeping.remembered(agentFromMemory, troubles.report));
	const incidentsBefore = store.loadIncidents();
	floor.incidents.restore(incidentsBefore);
	const notices = held.add(
		new NoticesPart({
			floor,
			publisher,
			table: store.notices,
			openBefore: incidentsBefore.filter(({ endedAt }) => endedAt === null),
			rules: () => settings.current.notifications,
			now,
			schedule: scheduleTimer,
			onError: troubles.report,
		}),
	);
	held.add(floor.onRecord(recorder.record));
	held.add(
		floor.onRecord((record) => {
			if (record.kind === 'agent-removed') usage.agents.forget(record.agentId);
		}),
	);
	held.add(keeping.onTrouble(troubles.storage));
	for (const problem of keeping.problems) troubles.found(problem);

	const models: ModelParts = held.add(
		new ModelParts({
			floor,
			settings,
			dataDirectory,
			onChange: publisher.schedule,
			onError: troubles.report,
		}),
	);
	const failover: FailoverParts = held.add(
		new FailoverParts({
			floor,
			store,
			settings,
			models: models.breakers,
			dataDirectory,
			agentToken: tokens.agentToken,
			ownPort: () => listener.port,
			onChange: publisher.schedule,
			onCapability: (capability) => publisher.push('failover:capability', capability),
			onAnswer: (answer) => {
				usage.counters.answered(answer);
				const agent = floor.agentOfSession(answer.client, answer.sessionKey);
				if (agent) observers.usageSoon(agent.id);
			},
			onAgent: (agentId) => {
				recorder.heard(agentId);
				models.callCounted(agentId);
				const agent = floor.agent(agentId);
				if (agent) past.timeline.answered(agent);
				publisher.schedule();
			},
			onError: troubles.report,
		}),
	);
	board.tier = () => failover.tier();
	held.add(
		floor.onRecord((record) => {
			if (record.kind === 'incident') failover.incidentChanged(record.incident);
		}),
	);
	const connections = new ClientConnections({
		home: options.homeDirectory ?? homedir(),
		env: process.env,
		dataDirectory,
		agentToken: tokens.agentToken,
		isDemoFloor: options.demo === true,
		baseUrl: () => listener.url,
		onStatus: (status) => {
			board.hooks = status;
			publisher.schedule();
		},
	});
	const demo = new DemoSwitch({
		floor,
		agentToken: tokens.agentToken,
		baseUrl: () => listener.url,
		directory: join(dataDirectory, 'demo'),
		onChange: (playing) => {
			board.demo = playing;
			publisher.schedule();
		},
		onError: (error) => troubles.report('the demo', error),
	});
	const handlers = createHandlers({
		floor,
		publisher,
		ender,
		now,
		history: (agentId) => store.historyOf(agentId),
		getSettings: () => settings.current,
		updateSettings: (patch) => settings.update(patch),
		planHooks: (client, remove) => connections.plan(client, remove),
		applyHooks: (client, remove) => connections.apply(client, remove),
		startDemo: () => demo.start(),
		stopDemo: () => demo.stop(),
		models: createModelHandlers(models, (chainId, words) =>
			floor.incidents.decideAbout(limitKey(chainId), { at: now(), by: 'operator', words }),
		),
		records: {
			...past.handlers,
			...createConnectionHandlers({
				connections,
				floor,
				now,
				address: () => listener.url,
				lastSeenOf: (client) => store.departed.lastSeenOf(client),
			}),
		},
		failover: createFailoverHandlers({
			failover,
			decided: (incidentId, words) =>
				floor.incidents.decide(incidentId, { at: now(), by: 'operator', words }),
			answerOf: (idempotencyKey) => {
				const row = store.turnAnswersOf(idempotencyKey).at(-1);
				return row ? { model: row.model, text: row.text, at: row.at } : null;
			},
			sloDays: (days) => store.sloDays(days, now()),
			guides: () => gatewayGuides(listener.url, tokens.agentToken, settings.current.providers),
			hasLocalServer: (serverId) => settings.current.localServers.some(({ id }) => id === serverId),
		}),
	});
	await models.start();
	const listener: Listener = await listen({
		port: options.port ?? settings.current.port,
		...tokens,
		handlers,
		hooks: {
			floor,
			dialects: createDialects(),
			now,
			identifyProcess,
			consent: createConsentGate({
				floor,
				consents: failover.consents,
				judge: isDestructive,
				tier: () => failover.tier(),
			}),
			isDemoPlaying: () => demo.isPlaying,
			onEvent: (event, body, agentId, isDemo) => {
				if (isDemo) past.timeline.played(event, agentId);
				else recorder.event(event, body, agentId);
				models.hookCounted(event, agentId);
				observers.usageSoon(agentId);
				publisher.schedule();
			},
			onUsage: (event, used) => usage.counters.hooked(event, used),
			onError: (error) => troubles.report('counting an event', error),
		},
		telemetry: {
			receiver: new TelemetryReceiver(now),
			sink: createTelemetrySink({
				floor,
				counters: usage.counters,
				now,
				isConnected: () => board.hooks['claude-code'] === 'installed',
				onTrouble: toldTrouble,
				onUsage: (agentId) => observers.usageSoon(agentId),
				onChange: publisher.schedule,
			}),
			onError: (error) => troubles.report('counting telemetry', error),
		},
		gateway: failover.gateway,
		windowFiles: await loadWindowFiles(options.windowDirectory),
		onUnexpected: troubles.report,
	}).catch((error: unknown) => {
		held.dispose();
		throw error;
	});
	board.address = listener.url;
	for (const channel of Object.keys(pushChannels) as PushChannel[]) {
		held.add(publisher.subscribe(channel, (payload) => listener.transport.push(channel, payload)));
	}
	keeping.announce({ url: listener.url, port: listener.port, pid: process.pid, ...tokens });
	held.add(
		settings.onChange((current) => {
			heart.rearm();
			failover.settingsChanged();
			models.settingsChanged();
			notices.changed();
			publisher.push('settings:changed', current);
			publisher.schedule();
		}),
	);
	held.add(settings.onProblems(troubles.settings));
	troubles.settings(settings.problems);
	held.add(every(PRUNE_EVERY_MS, () => keeping.prune(now()), troubles.report));
	await connections.writeForwarder().catch((error: unknown) => {
		troubles.report('writing the program that hooks run', error);
	});
	held.add(every(LOOK_AT_HOOKS_EVERY_MS, () => connections.look(), troubles.report));
	await failover.start();
	usage.start();
	heart.start();
	notices.start();
	if (options.demo) await demo.start();

	return {
		url: listener.url,
		address: `${listener.url}/?token=${tokens.operatorToken}`,
		windowAddress: () => listener.windowAddress(),
		handlers,
		subscribe: (channel, hear) => publisher.subscribe(channel, hear),
		snapshot: () => publisher.snapshot(),
		noticeFailed: (key) => notices.notShown(key),
		noteSuspend: () => suspend.noteSuspend(),
		noteResume: () => {
			suspend.noteResume();
			const slept = suspend.check();
			if (slept > 0) floor.noteSleep(slept, now());
			failover.noteWake();
			heart.rearm();
		},
		stop: async () => {
			demo.stop();
			await failover.stop();
			await listener.close();
			await connections.withdrawForwarder().catch((error: unknown) => {
				troubles.report('taking back where hooks call', error);
			});
			// Now nobody can tell of a model any more.
			await models.stop();
			await usage.stop();
			held.dispose();
			keeping.withdraw();
		},
	};
}

/** At once, then at intervals, until disposed. A failure is reported and does not end it. */
function every(
	ms: number,
	work: () => Promise<unknown>,
	onError: (where: string, error: unknown) => void,
): Disposable {
	const run = (): void => {
		work().catch((error: unknown) => onError('a regular task', error));
	};
	run();
	const timer = setInterval(run, ms);
	timer.unref();
	return { dispose: () => clearInterval(timer) };
}
