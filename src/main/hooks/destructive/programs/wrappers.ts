/** Programs that run the command behind their own options: what counts is that command. */
import type { DestructiveRule, Entries, Inside, Words } from '../rule.ts';

/** How a wrapper's own words end and its command begins. */
export interface Wrapper {
	/** Letters of short options that take a value. */
	readonly valued?: string;
	/** Names of long options that take the next word. */
	readonly long?: string;
	/** Options that take none, when all others do. */
	readonly flags?: RegExp;
	/** Own words before the command: a duration, a lock file, a host. */
	readonly operands?: number;
	/** `NAME=value` may stand before the command. */
	readonly assignments?: boolean;
}

/** The command behind the wrapper's own words. */
export function commandBehind(words: Words, wrapper: Wrapper): Words {
	let operands = wrapper.operands ?? 0;
	let index = 0;
	for (; index < words.length; index += 1) {
		const word = words[index] ?? '';
		if (word === '--') {
			// Options end here, own words do not.
			while (wrapper.assignments && /^\w+=/.test(words[index + 1] ?? '')) index += 1;
			return words.slice(index + 1 + operands);
		}
		if (/^-./.test(word)) {
			if (takesNext(word, wrapper)) index += 1;
		} else if (wrapper.assignments && /^\w+\+?=/.test(word)) {
			// Its value is no command.
		} else if (operands > 0) operands -= 1;
		else break;
	}
	return words.slice(index);
}

function takesNext(option: string, { valued = '', long = '', flags }: Wrapper): boolean {
	if (flags !== undefined) return !flags.test(option) && !/^(?:--.*=|-[^-].)/.test(option);
	if (option.startsWith('--')) return long.split(' ').includes(option.slice(2));
	const first = [...option].findIndex((letter, index) => index > 0 && valued.includes(letter));
	return first === option.length - 1;
}

const behind =
	(wrapper: Wrapper): DestructiveRule =>
	(words, inside) =>
		inside.command(commandBehind(words, wrapper));

/** Without a command they start a shell, which reads what they are given. */
const orShell =
	(wrapper: Wrapper): DestructiveRule =>
	(words, inside) => {
		const command = commandBehind(words, wrapper);
		return inside.command(command.length === 0 ? ['sh'] : command);
	};

/** `-c LINE`, `--command=LINE` among the wrapper's own words: a line; otherwise the command behind them. */
const lineOr =
	(option: RegExp, wrapper: Wrapper): DestructiveRule =>
	(words, inside) => {
		const command = commandBehind(words, wrapper);
		const at = words.slice(0, words.length - command.length).findIndex((word) => option.test(word));
		return at === -1 ? inside.command(command) : inside.line(optionValue(words.slice(at), option) ?? '');
	};

/** `su me -c LINE`; `runuser -u me -- command`. */
const su: DestructiveRule = (words, inside) => {
	if (/^(?:-u|--user)/.test(words[0] ?? ''))
		return inside.command(commandBehind(words, { valued: 'ugG', long: 'user group' }));
	const line = optionValue(words, /^(?:-[a-z]*c$|--command|--session-command)/);
	return line === null ? inside.command(['sh']) : inside.line(line);
};

/** The value of an option, in the next word or behind `=`; the pattern has no end. */
export function optionValue(words: Words, option: RegExp): string | null {
	for (const [index, word] of words.entries()) {
		const match = option.exec(word);
		if (match === null) continue;
		const rest = word.slice(match[0].length);
		return rest === '' ? (words[index + 1] ?? '') : rest.replace(/^=/, '');
	}
	return null;
}

const sudo: DestructiveRule = (words, inside) => {
	const command = commandBehind(words, {
		valued: 'ugCDhprRtTUac',
		long: 'user group chdir host prompt role type close-from command-timeout other-user',
		assignments: true,
	});
	const edits = words.some((word) => /^(?:-e|--edit|-l|--list|-v|-k|-K)$/.test(word));
	return edits && command.length === 0 ? null : inside.command(command.length === 0 ? ['sh'] : command);
};

/** `env -S "…"` splits its text like a shell. */
const env: DestructiveRule = (words, inside) => {
	const option = /^(?:-[iv0]*S|--split-string)/;
	const at = words.findIndex((word) => option.test(word));
	const command = commandBehind(words, { valued: 'uC', long: 'unset chdir', assignments: true });
	if (at === -1 || words.length - command.length < at) return inside.command(command);
	const text = optionValue(words, option) ?? '';
	const attached = (words[at] ?? '').replace(option, '') !== '';
	return inside.line([text, ...words.slice(at + (attached ? 1 : 2))].join(' '));
};

const command: DestructiveRule = (words, inside) =>
	/^-[pvV]*[vV]/.test(words[0] ?? '') ? null : inside.command(commandBehind(words, {}));

/** The command is every word behind, joined to a line. */
const joined =
	(wrapper: Wrapper): DestructiveRule =>
	(words, inside) =>
		inside.line(commandBehind(words, wrapper).join(' '));

const xargs: DestructiveRule = (words, inside) => {
	const inner = commandBehind(words, {
		valued: 'nLPsdEIaJRS',
		long: 'max-args max-lines max-procs max-chars delimiter eof arg-file process-slot-var',
	});
	const mark = optionValue(words, /^(?:-I|--replace)/) || '{}';
	if (inner[0]?.includes(mark)) return 'runs a program whose name cannot be read';
	// `xargs sh -c`: the text comes from the input.
	return /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(inner.at(-2) ?? '') && /^-\w*c$/.test(inner.at(-1) ?? '')
		? 'runs a text that only the shell will know'
		: inside.command(inner);
};

/** `parallel rm ::: a b`; without a command its arguments are the lines. */
const parallel: DestructiveRule = (words, inside) => {
	const at = words.findIndex((word) => /^:::/.test(word));
	const before = commandBehind(at === -1 ? words : words.slice(0, at), {
		valued: 'jNnLPISaEd',
		long: 'jobs max-procs max-args arg-file colsep delimiter joblog sshlogin results timeout delay',
	});
	if (before.length > 0) return inside.line(before.join(' '));
	return at === -1
		? 'runs lines that only the shell will know'
		: eachLine(
				words.slice(at + 1).filter((word) => !word.startsWith(':::')),
				inside,
			);
};

/** Every word is a line of its own. */
function eachLine(words: Words, inside: Inside): string | null {
	for (const word of words) {
		const found = word.startsWith('-') ? null : inside.line(word);
		if (found !== null) return found;
	}
	return null;
}

/** `find … -exec rm {} +`, `fd -x rm`. */
const find: DestructiveRule = (words, inside) => {
	if (words.includes('-delete')) return 'deletes what it finds (find -delete)';
	for (const [index, word] of words.entries()) {
		if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word)) continue;
		const found = inside.command(words.slice(index + 1));
		if (found !== null) return found;
	}
	return null;
};

const TERMINAL_RUNS =
	/^(?:new|new-session|neww|new-window|splitw|split-window|respawn\S*|run|run-shell|send|send-keys|popup|display-popup|pipe-pane|if|if-shell|-dmS?|-X|stuff)$/;
/** Each word may be a line, or all of them one. */
const terminal: DestructiveRule = (words, inside) => {
	const at = words.findIndex((word) => TERMINAL_RUNS.test(word));
	if (at === -1) return null;
	const rest = words.slice(at + 1).filter((word) => !word.startsWith('-'));
	return eachLine([...rest, rest.join(' '), rest.slice(1).join(' ')], inside);
};

/** `doppler run -- command`. */
const behindDashes: DestructiveRule = (words, inside) =>
	words.includes('--') ? inside.command(words.slice(words.indexOf('--') + 1)) : null;

/** A subcommand that runs what is behind its own words: `lxc exec box -- rm`. */
const behindWord =
	(subcommand: string, wrapper: Wrapper): DestructiveRule =>
	(words, inside) => {
		const rest = words.includes(subcommand) ? words.slice(words.indexOf(subcommand) + 1) : [];
		return inside.command(
			rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : commandBehind(rest, wrapper),
		);
	};

/** `nix develop -c command`. */
const nix: DestructiveRule = (words, inside) => {
	const at = words.findIndex((word) => /^(?:-c|--command)$/.test(word));
	return at === -1 ? null : inside.command(words.slice(at + 1));
};

/** Its options take none, one or two words, so any word that is a program's name may begin the command. */
const bwrap: DestructiveRule = (words, inside) => {
	for (const [index, word] of words.entries()) {
		const found = /^[-/]/.test(word) ? null : inside.command(words.slice(index));
		if (found !== null) return found;
	}
	return null;
};

const nodemon: DestructiveRule = (words, inside) => {
	const line = optionValue(words, /^(?:-x|--exec)/);
	const script = commandBehind(words, {
		valued: 'xewidC',
		long: 'exec ext watch ignore delay config signal',
	});
	return (line === null ? null : inside.line(line)) ?? inside.command(['node', ...script]);
};

const ssh: DestructiveRule = (words, inside) => {
	const remote = commandBehind(words, { valued: 'bcDEeFIiJLlmOopQRSWw', operands: 1 });
	if (remote.length > 0) return inside.line(remote.join(' '));
	return inside.input.kind === 'none' ? null : 'sends lines to another machine (ssh)';
};

export const wrappers: Entries = [
	['sudo doas', sudo],
	['gosu su-exec faketime', behind({ operands: 1 })],
	['dbus-run-session xvfb-run', behind({ valued: 'nsef', long: 'server-num server-args config-file' })],
	['bwrap', bwrap],
	['sg', lineOr(/^-c$/, { operands: 1 })],
	['sshpass', behind({ valued: 'pfdP' })],
	['adb', behindWord('shell', {})],
	[
		'lxc incus multipass',
		behindWord('exec', { valued: 'd', long: 'cwd env user working-directory', operands: 1 }),
	],
	['limactl machinectl', behindWord('shell', { long: 'workdir uid', operands: 1 })],
	['toolbox', behindWord('run', { valued: 'cdr', long: 'container distro release' })],
	['devcontainer', behindWord('exec', { long: 'workspace-folder container-id' })],
	['vagrant', (words, inside) => inside.line(optionValue(words, /^(?:-c$|--command)/) ?? '')],
	['nix-shell', (words, inside) => inside.line(optionValue(words, /^--(?:run|command)/) ?? '')],
	['nix', nix],
	['env', env],
	['command', command],
	['exec', behind({ valued: 'a' })],
	['time gtime', behind({ valued: 'fo', long: 'format output' })],
	[
		'nohup setsid builtin noglob nocorrect coproc unbuffer busybox toybox chronic fakeroot proot pkexec rlwrap winpty',
		behind({}),
	],
	['stdbuf', behind({ valued: 'ioe', long: 'input output error' })],
	['ionice', behind({ valued: 'cn', long: 'class classdata' })],
	['chrt', behind({ valued: 'TPD', operands: 1 })],
	['taskset', behind({ operands: 1 })],
	['caffeinate', behind({ valued: 'tw' })],
	['nice', behind({ valued: 'n', long: 'adjustment' })],
	['timeout gtimeout', behind({ valued: 'ks', long: 'kill-after signal', operands: 1 })],
	['flock', lineOr(/^(?:-c$|--command)/, { valued: 'wE', long: 'timeout wait', operands: 1 })],
	['chroot', orShell({ operands: 1 })],
	['unshare', orShell({ valued: 'SGRw', long: 'setuid setgid root wd' })],
	['nsenter', orShell({ valued: 'tSG', long: 'target setuid setgid' })],
	[
		'setpriv systemd-run systemd-inhibit prlimit numactl firejail',
		behind({ valued: 'puEMHtC', long: 'unit property uid gid setenv machine who why what mode reuid regid' }),
	],
	['runuser su', su],
	['strace ltrace', behind({ valued: 'eopsuPaEIOSXb' })],
	['script', lineOr(/^(?:-[a-z]*c$|--command)/, { valued: 'tTIOBEmo', operands: 1 })],
	['watch', joined({ valued: 'nq', long: 'interval' })],
	['watchexec', joined({ valued: 'ewifdsEjo', long: 'exts watch ignore filter debounce signal shell env' })],
	['entr', (words, inside) => (words.includes('-s') ? joined({}) : behind({}))(words, inside)],
	['nodemon', nodemon],
	['xargs gxargs', xargs],
	['parallel', parallel],
	['concurrently hyperfine', eachLine],
	['find gfind fd fdfind', find],
	['tmux screen', terminal],
	['cross-env', behind({ assignments: true })],
	['cross-env-shell', joined({ assignments: true })],
	['dotenv', behind({ valued: 'efvp', long: 'env file' })],
	['doppler op aws-vault chamber infisical dotenvx teller guix distrobox', behindDashes],
	['direnv', (words, inside) => (words[0] === 'exec' ? inside.command(words.slice(2)) : null)],
	['ssh mosh', ssh],
	[
		'wsl',
		(words, inside) =>
			inside.command(
				commandBehind(words, { valued: 'due', long: 'distribution user exec', assignments: false }),
			),
	],
];
