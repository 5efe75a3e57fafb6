/**
 * How the plugin of opencode calls the floor, and keeps every failure to itself: JavaScript, for Bun and Node.
 *
 * The request is written to a plain socket: both `fetch` and `node:http` of Bun go through the proxy of the environment,
 * to which neither token nor work of the person's belongs (measured with the Bun of 1.18.33).
 */

export const OPENCODE_CALLS = `
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';

/** Ends a line of HTTP. */
const LINE = String.fromCharCode(13, 10);
let quietUntil = 0;
/** Calls in a row that nobody answered in time. */
let unanswered = 0;
/** From then on calls are left out for a while. */
const MOST_UNANSWERED = 3;

/** Whatever goes wrong is nobody's business. */
function quietly(work) {
	return async (input, output) => {
		try {
			await work(input, output);
		} catch {}
	};
}

/** What the work returns as text is thrown: that is how opencode is told to refuse. */
function refusing(work) {
	return async (input, output) => {
		let reason;
		try {
			reason = await work(input, output);
		} catch {}
		if (typeof reason === 'string') throw new Error(reason);
	};
}

function keep(map, key, value) {
	map.delete(key);
	map.set(key, value);
	if (map.size > KEPT) map.delete(map.keys().next().value);
}

/** What the work gives within that time; undefined otherwise, also when it fails. */
function within(milliseconds, work) {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, milliseconds);
		quietly(async () => resolve(await work()))().finally(() => {
			clearTimeout(timer);
			resolve(undefined);
		});
	});
}

/** The floor's answer; null without one. Never rejects. */
async function post(event, body, seconds, query = '') {
	if (Date.now() < quietUntil) return null;
	try {
		const configuration = await readFile(CONFIGURATION, 'utf8');
		const valueOf = (line) => new RegExp('^' + line + '(.*)"$', 'm').exec(configuration)[1];
		const { host, hostname, port } = new URL(valueOf('url = "'));
		const bytes = Buffer.from(JSON.stringify(body));
		const head = [
			'POST /hooks/opencode/' + event + query + ' HTTP/1.1',
			'Host: ' + host,
			'Authorization: ' + valueOf('header = "Authorization: '),
			'Content-Type: application/json',
			'Content-Length: ' + bytes.length,
			PROCESS_HEADER + ': ' + process.pid,
			'Connection: close',
		];
		const sent = Buffer.concat([Buffer.from(head.join(LINE) + LINE + LINE), bytes]);
		return answerIn(await exchange(hostname, Number(port), sent, seconds));
	} catch {
		return null;
	}
}

/** All that comes back until the other side closes. */
function exchange(host, port, sent, seconds) {
	return new Promise((resolve, reject) => {
		const chunks = [];
		const socket = connect({ host, port });
		const giveUp = () => {
			unanswered += 1;
			if (unanswered >= MOST_UNANSWERED) quietUntil = Date.now() + SECONDS.quiet * 1000;
			socket.destroy(new Error('no answer in time'));
		};
		// An answer that came while the program was busy with something else is read first.
		let timer = setTimeout(() => {
			timer = setTimeout(giveUp, 100);
		}, seconds * 1000);
		socket.on('data', (chunk) => chunks.push(chunk));
		socket.on('end', () => {
			unanswered = 0;
			resolve(Buffer.concat(chunks));
		});
		socket.on('error', reject);
		socket.on('close', () => {
			clearTimeout(timer);
			reject(new Error('broken off'));
		});
		socket.write(sent);
	});
}

/** Only a whole object that came as JSON with status 200: anything else on that port is not the floor. */
function answerIn(bytes) {
	const end = bytes.indexOf(LINE + LINE);
	const head = bytes.subarray(0, end).toString('latin1');
	const body = bytes.subarray(end + 2 * LINE.length);
	const isFloor = head.startsWith('HTTP/1.1 200 ') && head.toLowerCase().includes(LINE + 'content-type: application/json');
	const length = Number(head.toLowerCase().split(LINE + 'content-length: ')[1]?.split(LINE)[0]);
	return isFloor && body.length === length ? JSON.parse(body.toString('utf8')) : null;
}
`;
