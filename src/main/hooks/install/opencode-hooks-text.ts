/** What the plugin of opencode does at each of opencode's hooks and events: JavaScript, for Bun and Node. */

/**
 * Uses what stands in `OPENCODE_CALLS` and the constants that `opencodePlugin` writes.
 *
 * - opencode calls every export, so there is one. Of two installations in one process the first one speaks.
 * - Observers go out one after the other, gates when those before them are out; gates do not wait for each other.
 * - A tool that fails has no `tool.execute.after` (measured): its note is added to its error whenever the messages go to
 *   the model, which stays the same text from then on.
 * - `seen` comes once for a session in this process: resumed sessions are not created again.
 */
export const OPENCODE_HOOKS = String.raw`
/** Of sessions, calls and notes; the oldest are forgotten first. */
const KEPT = 2000;
const FIRST = Symbol.for('agent-floor.opencode');
const run = process.pid + '-' + Date.now().toString(36);
let deliveries = 0;

export const AgentFloor = async (opencode) => {
	globalThis[FIRST] ??= import.meta.url;
	if (globalThis[FIRST] !== import.meta.url) return {};
	const { client, directory } = opencode ?? {};
	const sessions = new Map();
	const refused = new Map();
	const failures = new Map();
	const reading = new Set();
	let queue = Promise.resolve();
	/** Stragglers come after the end. */
	let isOver = false;

	const tell = (event, body) => {
		queue = queue.then(() => post(event, body, SECONDS.others));
		return queue;
	};
	const ask = async (event, body) => {
		await queue;
		return (await post(event, body, SECONDS.others)) ?? {};
	};
	/** With time for a person to be asked; of a floor that was silent before, first with a call that nobody waits long for. */
	const askAtGate = async (event, body) => {
		await queue;
		if (unanswered > 0 && (await post('hello', { ...body, args: null }, SECONDS.others)) === null) return {};
		return (await post(event, body, SECONDS.gate, '?within=' + SECONDS.consent)) ?? {};
	};

	const learn = (info) => {
		const id = info?.id;
		if (typeof id !== 'string') return;
		const known = sessions.get(id) ?? {};
		keep(sessions, id, {
			...known,
			parentID: info.parentID ?? known.parentID ?? null,
			agent: info.agent ?? known.agent ?? null,
			model: info.model?.id ?? known.model ?? null,
			spent: info.tokens ? { tokens: info.tokens, cost: info.cost } : known.spent,
		});
	};
	const about = (id, more) => {
		const { parentID = null, agent = null, model = null } = sessions.get(id) ?? {};
		let rootID = id;
		for (let steps = 0; steps < 20 && sessions.get(rootID)?.parentID; steps += 1) rootID = sessions.get(rootID).parentID;
		deliveries += 1;
		const delivery = run + '-' + deliveries;
		return { sessionID: id, parentID, rootID, agent, model, directory, delivery, ...more };
	};
	/** Before anything else is told of a session, to a floor that comes later, too. */
	const see = async (id, source) => {
		if (sessions.get(id)?.isSeen) return;
		if (!sessions.has(id)) {
			sessions.set(id, {});
			const found = await within(500, async () => client.session.get({ path: { id } }));
			learn(found?.data);
		}
		const known = sessions.get(id);
		if (known.isSeen) return;
		known.isSeen = true;
		tell('session.seen', about(id, { source, spent: known.spent })).then((reply) => {
			const now = sessions.get(id);
			if (now) now.isSeen = reply !== null;
		});
	};
	const isWord = (value) => typeof value === 'string' && value !== '';
	const halt = async (id, reason) => {
		const { rootID } = about(id);
		within(1000, async () => client.tui.showToast({ body: { title: 'Agent Floor', message: reason, variant: 'warning' } }));
		await within(1000, async () => client.session.abort({ path: { id: rootID } }));
	};

	const observers = {
		'session.created': ({ info }) => {
			learn(info);
			return see(info.id, 'new');
		},
		'session.updated': ({ info }) => {
			learn(info);
			return see(info.id, 'resume');
		},
		'session.deleted': ({ info, sessionID }) => {
			const id = sessionID ?? info.id;
			if (!sessions.get(id)?.isSeen) return;
			tell('session.deleted', about(id));
			sessions.delete(id);
		},
		'session.idle': ({ sessionID }) => tellOf('session.idle', sessionID),
		'session.compacted': ({ sessionID }) => tellOf('session.compacted', sessionID),
		'session.error': ({ sessionID, error }) => {
			const { message, statusCode, isRetryable, responseBody } = error?.data ?? {};
			const body = isWord(responseBody) ? responseBody.slice(0, 4000) : undefined;
			return tellOf('session.error', sessionID, {
				error: { name: error?.name, data: { message, statusCode, isRetryable, responseBody: body } },
			});
		},
		'session.status': ({ sessionID, status }) => {
			if (status?.type === 'retry') return tellOf('session.status', sessionID, { status });
		},
		'permission.asked': ({ sessionID, permission, patterns, metadata }) =>
			tellOf('permission.asked', sessionID, { permission, patterns, command: metadata?.command }),
		'question.asked': ({ sessionID, questions }) =>
			tellOf('question.asked', sessionID, { question: questions?.[0]?.question }),
		'message.updated': ({ info }) => {
			if (info?.role !== 'assistant') return;
			const known = sessions.get(info.sessionID);
			if (known && isWord(info.modelID)) known.model = info.modelID;
			if (!info.time?.completed) return;
			const { id, modelID, providerID, cost, tokens, finish, time } = info;
			return tellOf('message.updated', info.sessionID, {
				message: { id, modelID, providerID, cost, tokens, finish, time },
			});
		},
		'message.part.updated': ({ part }) => {
			const { id, type, sessionID, callID, tool, state } = part ?? {};
			if (type !== 'tool' || state?.status !== 'error') return;
			if (failures.has(id) || refused.has(sessionID + callID)) return;
			keep(failures, id, '');
			const answered = (async () => {
				await see(sessionID, 'resume');
				const told = { tool, callID, args: state.input, error: state.error, isInterrupted: state.metadata?.interrupted };
				const reply = await ask('tool.execute.error', about(sessionID, told));
				if (isWord(reply.note)) keep(failures, id, reply.note);
				if (reply.stop === true) await halt(sessionID, reply.note);
			})();
			const read = answered.catch(() => {}).then(() => reading.delete(read));
			reading.add(read);
			return read;
		},
	};
	observers['permission.updated'] = observers['permission.asked'];
	const tellOf = async (event, id, more) => {
		if (!isWord(id)) return;
		await see(id, 'resume');
		await tell(event, about(id, more));
	};

	return {
		event: quietly(async ({ event }) => {
			if (!isOver) await observers[event.type]?.(event.properties ?? {});
		}),
		'chat.message': refusing(async ({ sessionID }, { message, parts }) => {
			if (!isWord(sessionID)) return;
			await see(sessionID, 'resume');
			const known = sessions.get(sessionID);
			if (known && isWord(message?.model?.modelID)) known.model = message.model.modelID;
			const texts = parts.filter((part) => part.type === 'text' && isWord(part.text));
			const typed = texts.filter((part) => part.synthetic !== true).map((part) => part.text);
			const told = about(sessionID, { messageID: message?.id, prompt: typed.join('\n') });
			const reply = await ask('chat.message', told);
			if (isWord(reply.block)) {
				if (reply.stop === true) await halt(sessionID, reply.block);
				return reply.block;
			}
			const last = texts.at(-1);
			if (isWord(reply.note) && last) {
				parts.push({ ...last, id: last.id.slice(0, -2) + 'zz', text: reply.note, synthetic: true });
			}
		}),
		'tool.execute.before': refusing(async ({ tool, sessionID, callID }, { args }) => {
			if (!isWord(sessionID)) return;
			await see(sessionID, 'resume');
			const told = about(sessionID, { tool, callID, args });
			const reply = await askAtGate('tool.execute.before', told);
			if (!isWord(reply.deny)) return;
			keep(refused, sessionID + callID, true);
			if (reply.stop === true) await halt(sessionID, reply.deny);
			return reply.deny;
		}),
		'tool.execute.after': quietly(async ({ tool, sessionID, callID, args }, result) => {
			if (!isWord(sessionID)) return;
			await see(sessionID, 'resume');
			const { title, output, content, isError, metadata } = result;
			const told = { tool, callID, args, title, output, content, isError, exit: metadata?.exit };
			const reply = await ask('tool.execute.after', about(sessionID, told));
			if (isWord(reply.note)) {
				if (typeof output === 'string') result.output = output + '\n\n' + reply.note;
				else if (Array.isArray(content)) content.push({ type: 'text', text: reply.note });
			}
			if (reply.stop === true) await halt(sessionID, reply.note);
		}),
		'experimental.chat.messages.transform': quietly(async (_, { messages }) => {
			await Promise.all(reading);
			for (const { parts } of messages) {
				for (const part of parts) {
					const note = failures.get(part.id);
					if (note && isWord(part.state?.error) && !part.state.error.endsWith(note)) {
						part.state = { ...part.state, error: part.state.error + '\n\n' + note };
					}
				}
			}
		}),
		'experimental.session.compacting': quietly(async ({ sessionID }) => {
			tellOf('session.compacting', sessionID).catch(() => {});
		}),
		dispose: quietly(async () => {
			for (const [id, { parentID, isSeen }] of sessions) {
				if (isSeen && !parentID) tell('session.end', about(id));
			}
			isOver = true;
			await within(SECONDS.others * 1000, () => queue);
		}),
	};
};
`;
