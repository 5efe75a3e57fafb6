/** The forwarder on Linux and macOS: a few lines for any POSIX shell around curl, so that no hook waits for a runtime. */
import { PROCESS_HEADER } from './floor-address.ts';
import {
	END_EVENTS,
	type ForwardDeadlines,
	GATE_EVENTS,
	PAUSE_SECONDS,
	QUIET_FILE,
	START_EVENTS,
} from './forward-deadlines.ts';
import { shellQuoted } from './quoting.ts';

/** A hook's command is run by one of these, or by none when the shell replaces itself with the program. */
const SHELLS = 'sh bash dash zsh ksh mksh ash fish csh tcsh nu elvish xonsh busybox pwsh';

/**
 * No path and no port stands in it but that of the runtime: it finds its configuration beside itself.
 *
 * - `exec 3<&0 2>/dev/null`: standard input is kept for curl; nothing ever reaches standard error.
 * - No configuration: no floor. Then nothing is started but what drains the payload.
 * - A gate that nobody answered (28) leaves a note until when hooks pass at once. After that the next gate first asks
 *   whether anybody is there, with a request that nobody waits long for; only a floor that answers takes the note away.
 *   An observer's silence begins no pause: a floor that is slow once must not let gates pass.
 * - The pid of the client is that of the nearest ancestor that is no shell. Where there is no /proc (macOS) `ps` is
 *   asked, which costs milliseconds: only at a session's start, which is when the floor looks at it.
 * - curl: `-q` no curlrc of the person's; `-T -` streams the body, so that the deadline holds while standard input stays
 *   open, too; the path as `--request-target` leaves URL and token to the file (curl 7.55, 2017). Without curl (127),
 *   the floor's own Node does the same.
 * - Printed is only an object that came as JSON with status 200: anything else on that port is not the floor.
 * - `cat` drains what nobody took, in the background and with nothing of the hook's held open: Codex calls a hook
 *   failed, and waits, when its payload cannot be written.
 */
export function posixForwardProgram(deadlines: ForwardDeadlines, runtime: string): string {
	const any = (events: readonly string[]) => events.join(' | ');
	return `#!/bin/sh
# Of Agent Floor: tells the floor on this machine what an agent does, and tells the agent what the floor answers.
# Without the floor it does nothing. Written anew whenever the floor starts.
exec 3<&0 2>/dev/null
directory=\${0%/*}
client=$1
event=$2
end='
'
quiet=$directory/${QUIET_FILE}
pass() {
	cat <&3 >/dev/null &
	exit 0
}
[ -r "$directory/forward.curl" ] || pass

within= deadline=${deadlines.others}
case $event in
${any(GATE_EVENTS)}) within='?within=${deadlines.consent}' deadline=${deadlines.gate} ;;
${any(END_EVENTS)}) deadline=${deadlines.end} ;;
esac

fall_quiet() {
	now=$(date +%s) && echo "$((now + ${PAUSE_SECONDS}))" >"$quiet.$$" && mv -f "$quiet.$$" "$quiet"
}
if [ -e "$quiet" ]; then
	read -r until <"$quiet"
	now=$(date +%s)
	# A clock that was set back is not waited for.
	[ "$until" -gt "$now" ] && [ "$until" -le "$((now + ${PAUSE_SECONDS}))" ] && pass
	if [ -n "$within" ]; then
		curl -q -K "$directory/forward.curl" --max-time ${deadlines.others} --request-target /hooks -d '' >/dev/null
		status=$?
		if [ "$status" -eq 127 ]; then
			export ELECTRON_RUN_AS_NODE=1
			${shellQuoted(runtime)} "$directory/forward.cjs" /hooks ${deadlines.others} 0 </dev/null >/dev/null
			status=$?
		fi
		[ "$status" -eq 28 ] && { fall_quiet; pass; }
	fi
fi

# Name and parent of a process.
look_at() {
	if read -r name <"/proc/$1/comm"; then
		read -r parent <"/proc/$1/stat" || return 1
		parent=\${parent##*) }
		parent=\${parent#* }
		parent=\${parent%% *}
		return 0
	fi
	case $event in ${any(START_EVENTS)}) ;; *) return 1 ;; esac
	name=$(ps -o comm= -p "$1") && parent=$(ps -o ppid= -p "$1") || return 1
	name=\${name##*/}
	name=\${name#-}
	parent=\${parent##* }
}

pid=0 at=$PPID steps=0
while [ "$steps" -lt 5 ] && look_at "$at"; do
	case " ${SHELLS} " in
	*" $name "*) ;;
	*) pid=$at && break ;;
	esac
	at=$parent steps=$((steps + 1))
done

reply=$(curl -q -K "$directory/forward.curl" --max-time "$deadline" -H "${PROCESS_HEADER}: $pid" \\
	--request-target "/hooks/$client/$event$within" -T - <&3)
status=$?
if [ "$status" -eq 127 ]; then
	export ELECTRON_RUN_AS_NODE=1
	reply=$(${shellQuoted(runtime)} "$directory/forward.cjs" "/hooks/$client/$event$within" "$deadline" "$pid" <&3)
	status=$?
fi
case $status$reply in
0"{"*"}$end"200\\ application/json*)
	printf '%s\\n' "\${reply%"$end"*}"
	[ -e "$quiet" ] && rm -f "$quiet"
	exit 0
	;;
esac
[ "$status" -eq 28 ] && { [ -n "$within" ] || [ -e "$quiet" ]; } && fall_quiet
pass
`;
}
