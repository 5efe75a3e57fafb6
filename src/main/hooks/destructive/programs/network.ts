/** Programs that send data to other machines. */
import {
	always,
	type DestructiveRule,
	type Entries,
	has,
	isUnknown,
	operandsOf,
	type Words,
} from '../rule.ts';

/** curl's short options that take a value. */
const CURL_VALUED = 'AbcCdDeEFhHKmoPQrtTuUwxXyYz';

interface CurlOption {
	readonly name: string;
	readonly value: string;
}

/** Options in clusters taken apart: `-sSXPOST` is `-s -S -X POST`. */
function curlOptions(words: Words): readonly CurlOption[] {
	const options: CurlOption[] = [];
	for (let index = 0; index < words.length; index += 1) {
		const word = words[index] ?? '';
		if (word.startsWith('--')) {
			const [name = '', ...value] = word.split('=');
			options.push({ name, value: value.length > 0 ? value.join('=') : (words[index + 1] ?? '') });
		} else if (word.startsWith('-')) {
			const at = [...word].findIndex((letter, place) => place > 0 && CURL_VALUED.includes(letter));
			const flags = at === -1 ? word.slice(1) : word.slice(1, at);
			options.push(...[...flags].map((letter) => ({ name: `-${letter}`, value: '' })));
			if (at === -1) continue;
			const attached = word.slice(at + 1);
			options.push({ name: `-${word[at]}`, value: attached === '' ? (words[index + 1] ?? '') : attached });
			if (attached === '') index += 1;
		}
	}
	return options;
}

const curl: DestructiveRule = (words) => {
	const options = curlOptions(words);
	const asGet = options.some(({ name }) => name === '-G' || name === '--get');
	for (const { name, value } of options) {
		if (name === '-X' || name === '--request') {
			if (!/^(?:GET|HEAD|OPTIONS)$/i.test(value)) return 'sends data to a server, as deploy hooks do (curl)';
		} else if (name === '-K' || name === '--config') {
			return 'takes its options from a file (curl --config)';
		} else if (/^(?:-[FTQ]|--(?:form.*|upload-file|json|quote|mail-.*))$/.test(name)) {
			return 'sends data to a server (curl)';
		} else if (/^(?:-d|--(?:data.*|url-query))$/.test(name) && !asGet && name !== '--url-query') {
			return 'sends data to a server, as deploy hooks do (curl)';
		}
	}
	return null;
};

/** `http POST url`, `http url field=value`. */
const httpie: DestructiveRule = (words, { input }) => {
	const operands = operandsOf(
		words,
		/^(?:-[apos]|--(?:auth|print|output|style|session|timeout|proxy|verify))$/,
	);
	const [method = ''] = operands;
	if (/^(?:GET|HEAD|OPTIONS)$/i.test(method)) return null;
	const sends =
		/^(?:POST|PUT|PATCH|DELETE)$/i.test(method) ||
		operands.slice(1).some((word) => /^[\w.-]+(?:=(?!=)|:=|@)/.test(word)) ||
		input.kind === 'text' ||
		has(words, /^--raw/);
	return sends ? 'sends data to a server (http)' : null;
};

const wget: DestructiveRule = (words) => {
	const method = words.indexOf('--method');
	const sends =
		has(words, /^--(?:post-|body-|method=(?!GET$|HEAD$))/i) ||
		(method !== -1 && !/^(?:GET|HEAD)$/i.test(words[method + 1] ?? ''));
	return sends ? 'sends data to a server (wget)' : null;
};

/** `host:path`, `user@host:path`, `rsync://`: another machine. */
const REMOTE = /^(?:[\w.-]+@)?[\w.-]+:(?!\\)|^(?:rsync|scp|sftp):\/\//;

/** The first place is where it copies from; options may stand anywhere. */
const copyOut =
	(program: string, valued: RegExp): DestructiveRule =>
	(words) => {
		const [, ...targets] = operandsOf(words, valued);
		if (targets.some((target) => REMOTE.test(target))) return `writes to another machine (${program})`;
		const last = targets.at(-1) ?? '';
		if (isUnknown(last) && !/^[^\uFFFC]*\//.test(last))
			return `copies to a place that cannot be read (${program})`;
		return has(words, /^--(?:delete|del$|remove-source-files$)/) ? `deletes files (${program})` : null;
	};

const RSYNC_VALUED =
	/^(?:-[efTBM]|--(?:rsh|exclude|include|exclude-from|include-from|files-from|filter|temp-dir|bwlimit|port|log-file|rsync-path|partial-dir|backup-dir|compare-dest|link-dest|chmod|chown|max-size|min-size|timeout))$/;

/** `nc host 80 < file`. */
const pipe: DestructiveRule = (words, { input }) =>
	input.kind !== 'none' || has(words, /^(?:-[a-z]*[ec]$|--(?:sh-)?exec)|^(?:EXEC|SYSTEM):/i)
		? 'sends data to another machine'
		: null;

const mail: DestructiveRule = (words, { input }) =>
	words.length > 0 || input.kind !== 'none' ? 'sends mail' : null;

export const networkPrograms: Entries = [
	['curl', curl],
	['http https xh xhs', httpie],
	['wget', wget],
	['scp', copyOut('scp', /^-[PiocFlJSDX]$/)],
	['rsync', copyOut('rsync', RSYNC_VALUED)],
	['sftp ftp lftp', always('can change files on another machine')],
	['nc ncat netcat socat telnet openssl-s_client', pipe],
	['mail mailx sendmail mutt msmtp swaks', mail],
];
