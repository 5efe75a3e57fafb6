/**
 * How the plugin of opencode calls the floor, and keeps every failure to itself: JavaScript, for Bun and Node.
 *
 * The request is written to a plain socket: both `fetch` and `node:http` of Bun go through the proxy of the environment,
 * to which neither token nor work of the person's belongs (measured with the Bun of 1.18.33).
 */
import { MOST_REPLY_BYTES } from './forward-deadlines.ts';

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
const MOST_REPLY_BYTES = ${MOST_REPLY_BYTES};

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

/** All that comes back until the other side closes; what cannot be the floor's is not waited for. */
function exchange(host, port, sent, seconds) {
	return new Promise((resolve, reject) => {
		let received = Buffer.alloc(0);
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
		socket.on('data', (chunk) => {
			received = Buffer.concat([received, chunk]);
			if (received.length > MOST_REPLY_BYTES || isStrange(received)) socket.destroy(new Error('not the floor'));
		});
		socket.on('end', () => {
			unanswered = 0;
			resolve(received);
		});
		socket.on('error', reject);
		socket.on('close', () => {
			clearTimeout(timer);
			reject(new Error('broken off'));
		});
		socket.write(sent);
	});
}

const STATUS = Buffer.from('HTTP/1.1 200 ');

/** As far as it can be told from the beginning of an answer. */
function isStrange(bytes) {
	const known = Math.min(bytes.length, STATUS.length);
	if (bytes.compare(STATUS, 0, known, 0, known) !== 0) return true;
	const end = bytes.indexOf(LINE + LINE);
	return end >= 0 && !(lengthIn(bytes.subarray(0, end)) <= MOST_REPLY_BYTES);
}

/** Bytes of the body of an answer that may be the floor's; NaN for any other. */
function lengthIn(bytes) {
	const head = bytes.toString('latin1').toLowerCase();
	const isJson = head.includes(LINE + 'content-type: application/json');
	return isJson ? Number(head.split(LINE + 'content-length: ')[1]?.split(LINE)[0]) : Number.NaN;
}

/** Only a whole object that came as JSON with status 200: anything else on that port is not the floor. */
function answerIn(bytes) {
	if (isStrange(bytes)) return null;
	const end = bytes.indexOf(LINE + LINE);
	const body = bytes.subarray(end + 2 * LINE.length);
	return end >= 0 && body.length === lengthIn(bytes.subarray(0, end)) ? JSON.parse(body.toString('utf8')) : null;
}
`;
