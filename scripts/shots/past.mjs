/** A month of played work for the pictures: session files that the floor reads, and rows that its store would have. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const DAY_MS = 86_400_000;
const repositories = ['shop-api', 'search-index', 'billing', 'mobile-app', 'infra', 'docs-site'];
const models = ['claude-sonnet-4-5', 'claude-opus-4-5', 'claude-haiku-4-5'];

/** The same month each time. */
function dice(seed) {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

/** Session files of Claude Code below `home`, of the 30 days before `now` (ms). Returns the sessions. */
export function writeSessions(home, now) {
	const roll = dice(7);
	const sessions = [];
	for (let back = 29; back >= 0; back -= 1) {
		const weekend = [0, 6].includes(new Date(now - back * DAY_MS).getDay());
		const count = weekend ? Math.floor(roll() * 2) : 2 + Math.floor(roll() * 4);
		for (let index = 0; index < count; index += 1) {
			const directory = `/home/dev/${repositories[Math.floor(roll() * roll() * repositories.length)]}`;
			const session = { id: randomUUID(), directory, at: now - back * DAY_MS - (1 + index) * 1_200_000 };
			sessions.push(session);
			const folder = join(home, '.claude/projects', directory.replaceAll('/', '-'));
			mkdirSync(folder, { recursive: true });
			const model = models[Math.floor(roll() * roll() * models.length)];
			const lines = Array.from({ length: 10 + Math.floor(roll() * 30) }, (_, turn) =>
				answerLine(session, model, session.at + turn * 20_000, roll),
			);
			writeFileSync(join(folder, `${session.id}.jsonl`), `${lines.join('\n')}\n`);
		}
	}
	return sessions;
}

function answerLine({ id, directory }, model, at, roll) {
	return JSON.stringify({
		type: 'assistant',
		timestamp: new Date(at).toISOString(),
		sessionId: id,
		cwd: directory,
		requestId: `req_${randomUUID()}`,
		message: {
			id: `msg_${randomUUID()}`,
			model,
			role: 'assistant',
			content: [],
			usage: {
				input_tokens: 200 + Math.floor(roll() * 2_000),
				output_tokens: 300 + Math.floor(roll() * 2_500),
				cache_read_input_tokens: Math.floor(roll() * 90_000),
				cache_creation_input_tokens: Math.floor(roll() * 9_000),
			},
		},
	});
}

const arms = [
	['repeated-tool', 'identical calls of Bash `npm test`', 'calls', 8, true],
	['same-result', 'equal calls with the same result: Read `package.json`', 'calls', 4, true],
	['error-storm', 'consecutive API errors of the agent’s own making', 'errors', 5, true],
	['no-new-result', 'calls that told nothing new', 'calls', 8, false],
	['token-velocity', 'output tokens a minute', 'output tokens/min', 60_000, true],
];

/** Trips with verdicts, days at the gateway, and incidents, into a store that a floor has made and left. */
export function writePast(file, sessions, now) {
	const roll = dice(11);
	const database = new Database(file);
	const trip =
		database.prepare(`INSERT INTO transitions (at, agent_id, session_id, from_level, to_level, action, reason,
		evidence) VALUES (?, ?, ?, 'healthy', 'steering', 'steer', ?, ?)`);
	const verdict = database.prepare('INSERT INTO trip_verdicts (transition_id, verdict, at) VALUES (?, ?, ?)');
	const turns =
		database.prepare(`INSERT INTO slo_turns (day, provider_id, turns, fallback_turns, refused_turns,
		queued_turns) VALUES (?, 'anthropic', ?, ?, ?, ?)`);
	const depth = database.prepare('INSERT INTO queue_depths (day, most) VALUES (?, ?)');
	const span = database.prepare(
		"INSERT INTO degraded_spans (id, provider_id, started_at, known_until) VALUES (?, 'anthropic', ?, ?)",
	);
	const incident =
		database.prepare(`INSERT INTO incidents (id, kind, severity, title, detail, agent_id, opened_at,
		updated_at, count, ended_at, end_reason, decisions) VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?)`);
	database.transaction(() => {
		for (const session of sessions) {
			if (roll() > 0.35) continue;
			const [arm, counted, unit, limit, right] = arms[Math.floor(roll() * arms.length)];
			const count = Math.ceil(limit * (1.1 + roll()));
			const at = session.at + 300_000;
			const { lastInsertRowid } = trip.run(
				at,
				`claude-code:${session.id}`,
				session.id,
				`${counted}: ${count} ${unit} (limit ${limit})`,
				JSON.stringify({
					arm,
					counted,
					count,
					limit,
					unit,
					since: at - 200_000,
					lastAt: at,
					lastOccurrences: [],
					clears: 'Something new.',
				}),
			);
			if (roll() > 0.3)
				verdict.run(lastInsertRowid, right || roll() > 0.6 ? 'right' : 'false-alarm', at + 600_000);
		}
		for (let back = 29; back >= 0; back -= 1) {
			const day = localDay(now - back * DAY_MS);
			const bad = back % 9 === 4;
			const count = 60 + Math.floor(roll() * 140);
			turns.run(day, count, bad ? Math.floor(count * 0.3) : Math.floor(roll() * 3), bad ? 2 : 0, bad ? 5 : 0);
			depth.run(day, bad ? 7 : Math.floor(roll() * 2));
			if (!bad) continue;
			const began = now - back * DAY_MS - 5 * 3_600_000;
			span.run(randomUUID(), began, began + 42 * 60_000);
			incident.run(
				`incident-${began}-1`,
				'provider-lost',
				'urgent',
				'Anthropic does not answer',
				'Turns through the gateway are held. Agents connected by hooks alone are not touched.',
				began,
				began + 42 * 60_000,
				9,
				began + 42 * 60_000,
				'Anthropic answers again',
				JSON.stringify([
					{ at: began + 30_000, by: 'operator', words: 'Switched 4 turns to qwen3-coder:30b' },
				]),
			);
		}
	})();
	database.close();
}

function localDay(at) {
	const date = new Date(at);
	const two = (number) => String(number).padStart(2, '0');
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
