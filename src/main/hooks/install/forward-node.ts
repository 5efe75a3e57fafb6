/** What the forwarder runs where there is no curl: the same request from Node, or from Electron running as Node. */
import { PROCESS_HEADER } from './floor-address.ts';
import { MOST_REPLY_BYTES } from './forward-deadlines.ts';

/**
 * Arguments: path, deadline in seconds, pid. Prints the reply and the line that curl would add to it, and nothing when
 * anything went wrong; exits with 28 like curl when nobody answered in time. The configuration is curl's, so that there is one place for port and token. CommonJS: an ES
 * module cannot lie in a directory with a backslash.
 */
export function nodeForwardProgram(): string {
	return `// Of Agent Floor: the forwarder beside this file uses it where there is no curl.
const { readFileSync } = require('node:fs');
const { request } = require('node:http');
const { join } = require('node:path');

const [path, deadline, pid] = process.argv.slice(2);
setTimeout(() => process.exit(28), Number(deadline) * 1000);
process.on('uncaughtException', () => process.exit(1));
const configuration = readFileSync(join(__dirname, 'forward.curl'), 'utf8');
const valueOf = (line) => new RegExp('^' + line + '(.*)"$', 'm').exec(configuration)[1];
const call = request(valueOf('url = "'), {
	path,
	method: 'POST',
	agent: false,
	headers: {
		authorization: valueOf('header = "Authorization: '),
		'content-type': 'application/json',
		'${PROCESS_HEADER}': pid,
	},
});
call.on('response', (response) => {
	const { 'content-type': type = '', 'content-length': length = 0 } = response.headers;
	const isFloor = response.statusCode === 200 && type.startsWith('application/json');
	if (!isFloor || length > ${MOST_REPLY_BYTES}) process.exit(1);
	const chunks = [];
	let size = 0;
	response.on('data', (chunk) => {
		size += chunk.length;
		if (size > ${MOST_REPLY_BYTES}) process.exit(1);
		chunks.push(chunk);
	});
	response.on('end', () => {
		if (!response.complete) process.exit(1);
		const last = \`\\n200 \${type}\`;
		process.stdout.write(Buffer.concat([...chunks, Buffer.from(last)]), () => process.exit(0));
	});
	response.on('error', () => process.exit(1));
});
process.stdin.pipe(call);
`;
}
