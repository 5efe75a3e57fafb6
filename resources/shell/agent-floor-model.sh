# Which model a shell loop is to use while models are rate-limited. POSIX sh; source it:
#
#   . /path/to/agent-floor/resources/shell/agent-floor-model.sh
#
#   agent_floor_current_model [--no-wait]     prints the model to use now
#   agent_floor_success                       the call went well
#   agent_floor_rate_limit [--retry-after=SPAN] [--message=TEXT] [--model=MODEL]
#   agent_floor_failure                       it failed for another reason
#   agent_floor_state                         prints the state file
#
# The work is done by the command agent-floor, so that all loops of this machine agree. Where that command is not there,
# the state file alone is used, as the seed's functions do it, and standard error says so once. See docs/rate-limits.md.
#
#   AGENT_FLOOR_STATE_FILE  default .squad/ralph-circuit-breaker.json
#   AGENT_FLOOR_COMMAND     default agent-floor, from the PATH
#   AGENT_FLOOR_CALLER      tells loops of one directory apart; default the number of this shell

# Waits while the whole chain is limited, and says so on standard error. With --no-wait it prints the last fallback
# instead, as the seed does, and returns 3.
agent_floor_current_model() (
	_af_names
	if _af_by_command; then
		if [ "${1-}" = --no-wait ]; then _af_wait=; else _af_wait=--wait; fi
		_af_model=$(_af_command current $_af_wait) && { printf '%s\n' "$_af_model"; exit 0; }
		_af_status=$?
		case $_af_status in
			3) _af_read && _af_last_fallback && _af_print; exit 3 ;;
			2 | 126 | 127) _af_say "agent-floor does not work here; the state file alone is used." ;;
			*) exit "$_af_status" ;;
		esac
	fi
	_af_file_current "${1-}"
)

agent_floor_success() (
	_af_names
	_af_report success "$@" || _af_file_success "$@"
)

agent_floor_rate_limit() (
	_af_names
	_af_report rate-limit "$@" || _af_file_rate_limit "$@"
)

agent_floor_failure() (
	_af_names
	# The file alone knows of no test call that could be given back.
	_af_report failure "$@" || _af_no_words "$@"
)

agent_floor_state() (
	_af_names
	if [ -f "$_af_file" ]; then cat "$_af_file"; else _af_default; fi
)

# ---------------------------------------------------------------------------------------------------------------------
# Through the command.

_af_names() {
	_af_file=${AGENT_FLOOR_STATE_FILE:-.squad/ralph-circuit-breaker.json}
	_af_program=${AGENT_FLOOR_COMMAND:-agent-floor}
	_af_tab=$(printf '\t')
}

# The command knows a repository by its directory, so the file has to be where the seed puts it.
_af_by_command() {
	command -v "$_af_program" >/dev/null 2>&1 || return 1
	case $_af_file in
		.squad/ralph-circuit-breaker.json) _af_directory=. ;;
		*/.squad/ralph-circuit-breaker.json) _af_directory=${_af_file%/.squad/ralph-circuit-breaker.json} ;;
		*) return 1 ;;
	esac
	[ -n "$_af_directory" ] || _af_directory=/
}

_af_command() {
	"$_af_program" model "$@" "--directory=$_af_directory" "--caller=${AGENT_FLOOR_CALLER:-sh $$}" </dev/null
}

# 1: it has to be done on the file.
_af_report() {
	_af_by_command || return 1
	_af_command "$@" && return 0
	_af_status=$?
	# Used wrongly is used wrongly on the file as well.
	case $_af_status in
		2 | 126 | 127) _af_say "agent-floor did not take the report; the state file alone is used." && return 1 ;;
	esac
	exit "$_af_status"
}

_af_say() {
	printf '  [circuit-breaker] %s\n' "$(printf '%s' "$*" | tr '\000-\037\177' '?')" >&2
}

# ---------------------------------------------------------------------------------------------------------------------
# On the file alone: the seed's logic, with a lock and an atomic replace.

_af_file_current() {
	_af_said=
	# Nothing was kept yet: nothing is limited.
	_af_model=claude-sonnet-5
	_af_has_place || { _af_print; return; }
	while :; do
		_af_lock_and_read || return
		_af_now=$(date +%s)
		_af_choose
		_af_unlock
		[ -n "$_af_until" ] || { _af_print; return; }
		[ "$1" != --no-wait ] || { _af_last_fallback; _af_print && return 3; return; }
		_af_rest=$((_af_until - _af_now))
		[ "$_af_said" = "$_af_until" ] || _af_say "All models of the chain are limited; waiting ${_af_rest} s."
		_af_said=$_af_until
		# Somebody else may find sooner that a model answers again.
		[ "$_af_rest" -le 30 ] || _af_rest=30
		[ "$_af_rest" -ge 1 ] || _af_rest=1
		sleep "$_af_rest"
	done
}

# A file in somebody's repository names it: a terminal obeys control characters, and a program takes a dash at the
# beginning for an option. A backslash begins an escape of JSON that is not read here.
_af_print() {
	case $_af_model in
		'' | -* | *\\* | *[[:cntrl:]]*)
			_af_say "$_af_file names a model that no model is called: a name has no dash at its beginning, no backslash and no control characters. Correct it there."
			return 2
			;;
	esac
	printf '%s\n' "$_af_model"
}

# Sets _af_model, and _af_until where it is not to be asked before.
_af_choose() {
	_af_until=
	_af_model=$_af_preferred
	[ "$_af_circuit" = open ] || return 0
	if [ -z "$_af_opened" ] || { [ "$_af_opened" -gt $((_af_now + 60)) ] && ! _af_is_meant; }; then
		# Without a time, or with one that is still to come, the cooldown counts from now.
		_af_opened=$_af_now
		_af_write "openedAt$_af_tab$(_af_date)"
	fi
	_af_due=$((_af_opened + _af_cooldown_seconds))
	if [ -n "$_af_resume" ] && [ "$_af_resume" -gt "$_af_due" ]; then _af_due=$_af_resume; fi
	if [ "$_af_now" -ge "$_af_due" ]; then
		_af_write "state$_af_tab\"half-open\"" "halfOpenSuccesses${_af_tab}0" "waitUntil${_af_tab}null"
		_af_say "Cooldown expired. Testing preferred model..."
		return 0
	fi
	_af_last=$((_af_count - 1))
	[ "$_af_index" -le "$_af_last" ] || _af_index=$_af_last
	[ "$_af_count" -eq 0 ] || _af_model=$(_af_fallback $((_af_index + 1)))
	if [ -n "$_af_paused" ] && [ "$_af_paused" -gt "$_af_now" ]; then
		_af_until=$_af_paused
		[ "$_af_due" -ge "$_af_until" ] || _af_until=$_af_due
	fi
}

# The cooldown from an openedAt that is still to come ends when the provider asked for: agent-floor writes it so.
_af_is_meant() {
	[ -n "$_af_resume" ] && [ $((_af_opened + _af_cooldown_seconds)) -le $((_af_resume + 60)) ]
}

# The fallback with that number, from 1.
_af_fallback() { printf '%s\n' "$_af_fallbacks" | sed -n "$1p"; }

_af_last_fallback() {
	_af_model=$_af_preferred
	[ "$_af_count" -eq 0 ] || _af_model=$(_af_fallback "$_af_count")
}

# Used wrongly: 2.
_af_no_words() {
	[ $# -eq 0 ] && return
	_af_say "Not understood, and nothing was reported: $1"
	return 2
}

# A repository without the directory gets it with its first limit, not for a question.
_af_has_place() { [ -d "$(dirname "$_af_file")" ]; }

_af_make_place() {
	_af_has_place && return
	mkdir -p "$(dirname "$_af_file")" 2>/dev/null || return 0
	_af_say "$(dirname "$_af_file") was made: the state file is kept there."
}

_af_file_success() {
	_af_no_words "$@" || return
	_af_has_place || return 0
	_af_lock_and_read || return
	if [ "$_af_circuit" = half-open ]; then
		_af_successes=$((_af_successes + 1))
		if [ "$_af_successes" -ge 2 ]; then
			_af_write "state$_af_tab\"closed\"" "openedAt${_af_tab}null" "halfOpenSuccesses${_af_tab}0" \
				"currentFallbackIndex${_af_tab}0" "consecutiveFailures${_af_tab}0" "resumeAt${_af_tab}null" \
				"metrics.totalRecoveries$_af_tab$((_af_recoveries + 1))" "metrics.lastRecoveryAt$_af_tab$(_af_date)"
			_af_say "RECOVERED — back to preferred model ($_af_preferred)"
		else
			_af_write "halfOpenSuccesses$_af_tab$_af_successes" "consecutiveFailures${_af_tab}0"
			_af_say "Half-open success $_af_successes/2"
		fi
	elif [ "$_af_failures" -ne 0 ]; then
		_af_write "consecutiveFailures${_af_tab}0" "waitUntil${_af_tab}null"
	fi
	_af_unlock
}

_af_file_rate_limit() {
	_af_wish=0
	_af_about=
	for _af_option; do
		case $_af_option in
			--retry-after=*) _af_take_wish "retry after: ${_af_option#*=}" "$_af_option" ;;
			--message=*) _af_take_wish "${_af_option#*=}" "$_af_option" ;;
			--model=*) _af_about=${_af_option#*=} ;;
			*) _af_no_words "$_af_option" || return ;;
		esac
	done
	_af_make_place
	_af_lock_and_read || return
	_af_now=$(date +%s)
	_af_failures=$((_af_failures + 1))
	if [ "$_af_circuit" != open ]; then
		_af_stamp=$(_af_date)
		_af_resumes=null
		[ "$_af_wish" -le "$_af_cooldown_seconds" ] || _af_resumes=$(_af_date "$_af_wish")
		_af_pauses=null
		[ "$_af_count" -gt 0 ] || _af_pauses=$(_af_date "$(_af_pause)")
		_af_write "state$_af_tab\"open\"" "openedAt$_af_tab$_af_stamp" "halfOpenSuccesses${_af_tab}0" \
			"currentFallbackIndex${_af_tab}0" "consecutiveFailures$_af_tab$_af_failures" "resumeAt$_af_tab$_af_resumes" \
			"waitUntil$_af_tab$_af_pauses" "metrics.totalFallbacks$_af_tab$((_af_opens + 1))" \
			"metrics.lastFallbackAt$_af_tab$_af_stamp"
		_af_say "RATE LIMITED — falling back to $(printf '%s\n' "${_af_fallbacks:-nothing}" | sed -n 1p) (cooldown: $(_af_cooldown_words))"
	elif [ -n "$_af_about" ] && [ "$_af_about" = "$_af_preferred" ]; then
		# It was asked before the circuit opened; that it is limited is known.
		:
	elif [ "$_af_index" -lt $((_af_count - 1)) ]; then
		_af_index=$((_af_index + 1))
		_af_write "currentFallbackIndex$_af_tab$_af_index" "consecutiveFailures$_af_tab$_af_failures"
		_af_say "Fallback also limited — trying $(_af_fallback $((_af_index + 1)))"
	else
		# The seed also starts the cooldown of the preferred model anew here; then it would never be tested again.
		_af_write "consecutiveFailures$_af_tab$_af_failures" "waitUntil$_af_tab$(_af_date "$(_af_pause)")"
		_af_say "Fallback also limited — every model of the chain is"
	fi
	_af_unlock
}

# $1: a text; what it wishes becomes _af_wish, unless that is longer. $2: what to name where that is not understood.
_af_take_wish() {
	_af_found=$(printf '%s\n' "$1" | LC_ALL=C awk "$_af_spans")
	case $_af_found in
		'') ;;
		\?) _af_say "Without agent-floor only spans are understood (90, 90s, 4 hours), so the cooldown alone counts: $(printf '%.200s' "$2")" ;;
		*) [ "$_af_found" -le "$_af_wish" ] || _af_wish=$_af_found ;;
	esac
}

# Prints the longest span behind a word such as "try again in", in seconds, a week at most; "?" where only a time of the
# day or something that is no time stands there; nothing without such a word.
_af_spans='
{
	text = tolower($0)
	gsub(/["\047`]/, "", text)
	gsub(/[-_]/, " ", text)
	while (match(text, /(try again|retry|retrying|retrydelay|wait|resets?|available again)[ :=]*(in|after|for|at|on|until)?[ :=]+/)) {
		hint = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		seconds = span(text, hint ~ /after *[:=] *$/)
		if (seconds > longest) longest = seconds
		if (seconds == 0 && (hint ~ /retry after *: *$/ || text ~ /^[0-9]/)) unclear = 1
	}
}

END {
	if (longest > 604800) longest = 604800
	if (longest > 0) printf "%d\n", int(longest + 0.999)
	else if (unclear) print "?"
}

function span(text, isBare,    total, part, unit) {
	sub(/^(about|approximately) /, "", text)
	if (isBare && text ~ /^[0-9]+([.][0-9]+)? *([;)}]|, *[a-z]|$)/) return text + 0
	while (match(text, /^([0-9]+([.][0-9]+)? *|an? +)(milliseconds?|msecs?|ms|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])/)) {
		part = substr(text, 1, RLENGTH)
		text = substr(text, RLENGTH + 1)
		if (text ~ /^[a-z]/) break
		unit = part
		sub(/^([0-9.]+ *|an? +)/, "", unit)
		total += (part ~ /^a/ ? 1 : part + 0) * (unit ~ /^m(s|illi)/ ? 0.001 : unit ~ /^d/ ? 86400 : unit ~ /^h/ ? 3600 : unit ~ /^m/ ? 60 : 1)
		sub(/^(,? and |, | )/, "", text)
	}
	return total + 0
}
'

# The seed's 10m; what is no whole number of minutes in seconds.
_af_cooldown_words() {
	case $_af_cooldown in
		*[!0-9]*) printf '%ss' "$_af_cooldown_seconds" ;;
		*) printf '%sm' "$_af_cooldown" ;;
	esac
}

# Seconds until the last fallback is asked again: 60, doubled each time, at most the cooldown, at least the wish.
_af_pause() {
	_af_times=$((_af_failures - _af_count))
	_af_seconds=60
	while [ "$_af_times" -gt 1 ] && [ "$_af_seconds" -lt "$_af_cooldown_seconds" ]; do
		_af_seconds=$((_af_seconds * 2))
		_af_times=$((_af_times - 1))
	done
	[ "$_af_seconds" -le "$_af_cooldown_seconds" ] || _af_seconds=$_af_cooldown_seconds
	[ "$_af_seconds" -ge "$_af_wish" ] || _af_seconds=$_af_wish
	printf '%s\n' "$_af_seconds"
}

_af_default() {
	cat <<'JSON'
{
  "state": "closed",
  "preferredModel": "claude-sonnet-5",
  "fallbackChain": [
    "gpt-5.4-mini",
    "gpt-5-mini"
  ],
  "currentFallbackIndex": 0,
  "cooldownMinutes": 10,
  "openedAt": null,
  "halfOpenSuccesses": 0,
  "consecutiveFailures": 0,
  "metrics": {
    "totalFallbacks": 0,
    "totalRecoveries": 0,
    "lastFallbackAt": null,
    "lastRecoveryAt": null
  }
}
JSON
}

# As (Get-Date).ToString("o") writes it, in quotes; $1 seconds from now.
_af_date() {
	_af_offset=$(date +%z)
	awk -v at="$(($(date +%s) + ${1:-0}))" -v zone="$_af_offset" 'BEGIN {
		minutes = substr(zone, 2, 2) * 60 + substr(zone, 4, 2)
		if (substr(zone, 1, 1) == "-") minutes = -minutes
		at += minutes * 60
		days = int(at / 86400); rest = at - days * 86400
		# The civil calendar from days since 1970 (March is the first month, so that the leap day is the last).
		z = days + 719468; era = int(z / 146097); doe = z - era * 146097
		yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
		doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100)); mp = int((5 * doy + 2) / 153)
		month = mp < 10 ? mp + 3 : mp - 9
		printf "\"%04d-%02d-%02dT%02d:%02d:%02d.0000000%s:%s\"\n", yoe + era * 400 + (month <= 2), month,
			doy - int((153 * mp + 2) / 5) + 1, int(rest / 3600), int(rest % 3600 / 60), rest % 60,
			substr(zone, 1, 3), substr(zone, 4, 2)
	}'
}

# ---------------------------------------------------------------------------------------------------------------------
# The lock: the directory FILE.lock with "PID HOST TOKEN" in its file owner, as the command itself takes it. It is stale
# when its owner is gone, or has not given it up for 10 s.

_af_lock() {
	_af_host=$(uname -n)
	_af_token="$$ $_af_host $(date +%s).${_af_locks:-0}"
	_af_locks=$((${_af_locks:-0} + 1))
	_af_waited=0
	_af_owner=
	# Ctrl-C between taking it and giving it back must not leave it behind.
	trap '_af_unlock; exit 130' INT
	trap '_af_unlock; exit 143' TERM
	trap '_af_unlock; exit 129' HUP
	# Some can make a directory twice; the file inside it can be made only once.
	until mkdir "$_af_file.lock" 2>/dev/null && (set -C && printf '%s\n' "$_af_token" >"$_af_file.lock/owner") 2>/dev/null; do
		if [ ! -d "$_af_file.lock" ] && [ ! -w "$(dirname "$_af_file")" ]; then
			_af_say "$_af_file cannot be written."
			trap - INT TERM HUP
			return 1
		fi
		_af_seen=$(cat "$_af_file.lock/owner" 2>/dev/null)
		if [ "$_af_seen" != "$_af_owner" ]; then
			_af_owner=$_af_seen
			_af_waited=0
		fi
		if [ "$_af_waited" -ge 100 ] || _af_is_gone; then
			_af_break_lock
			_af_waited=0
			continue
		fi
		_af_nap
		_af_waited=$((_af_waited + _af_napped))
	done
}

_af_lock_and_read() {
	_af_lock || return 1
	_af_read && return
	_af_unlock
	return 1
}

_af_unlock() {
	[ "$(cat "$_af_file.lock/owner" 2>/dev/null)" != "$_af_token" ] || rm -rf "$_af_file.lock"
	trap - INT TERM HUP
}

# Its owner was a process of this machine that does not exist any more.
_af_is_gone() {
	_af_pid=${_af_owner%% *}
	_af_where=${_af_owner#* }
	case $_af_pid in
		'' | *[!0-9]*) return 1 ;;
	esac
	[ "${_af_where%% *}" = "$_af_host" ] || return 1
	# kill says 1 for a process of somebody else as well; ps knows it.
	! kill -0 "$_af_pid" 2>/dev/null && ! ps -p "$_af_pid" >/dev/null 2>&1
}

# Renaming is the claim: of several who find the lock stale only one has it then.
_af_break_lock() {
	_af_grave=$_af_file.lock.$$.$(date +%s)
	mv "$_af_file.lock" "$_af_grave" 2>/dev/null || return 0
	if [ "$(cat "$_af_grave/owner" 2>/dev/null)" = "$_af_owner" ]; then
		rm -rf "$_af_grave"
	elif [ ! -e "$_af_file.lock" ]; then
		# It was the new lock of somebody who was quicker.
		mv "$_af_grave" "$_af_file.lock" 2>/dev/null
	else
		rm -rf "$_af_grave"
	fi
}

# In tenths of a second; where only whole ones can be slept, ten of them.
_af_nap() {
	if sleep 0.1 2>/dev/null; then
		_af_napped=1
	else
		sleep 1
		_af_napped=10
	fi
}

# ---------------------------------------------------------------------------------------------------------------------
# Reading and writing the JSON, whatever its spacing, line ends and unknown fields.

_af_read() {
	if [ ! -f "$_af_file" ]; then
		_af_default >"$_af_file.$$.new" && mv "$_af_file.$$.new" "$_af_file" || return 1
	fi
	_af_circuit=closed _af_preferred=claude-sonnet-5 _af_fallbacks= _af_count=0 _af_index=0 _af_opened=
	_af_cooldown=10 _af_cooldown_seconds=600 _af_successes=0 _af_failures=0 _af_resume= _af_paused= _af_opens=0 _af_recoveries=0
	_af_fields=$(AF_EDITS='' AF_ZONE=$(date +%z) LC_ALL=C awk "$_af_json" "$_af_file") || {
		_af_aside=$_af_file.corrupt-$(date -u +%Y-%m-%dT%H-%M-%S)
		mv "$_af_file" "$_af_aside" || return 1
		_af_say "$_af_file is no whole state file; it was set aside as $_af_aside, and begins anew."
		_af_read
		return
	}
	while IFS="$_af_tab" read -r _af_key _af_value; do
		case $_af_key in
			state) _af_circuit=$_af_value ;;
			preferred) _af_preferred=$_af_value ;;
			fallback)
				_af_count=$((_af_count + 1))
				_af_fallbacks="${_af_fallbacks:+$_af_fallbacks
}$_af_value"
				;;
			index) _af_index=$_af_value ;;
			cooldown) _af_cooldown=$_af_value ;;
			cooldown_seconds) _af_cooldown_seconds=$_af_value ;;
			opened) _af_opened=$_af_value ;;
			resume) _af_resume=$_af_value ;;
			paused) _af_paused=$_af_value ;;
			successes) _af_successes=$_af_value ;;
			failures) _af_failures=$_af_value ;;
			opens) _af_opens=$_af_value ;;
			recoveries) _af_recoveries=$_af_value ;;
		esac
	done <<FIELDS
$_af_fields
FIELDS
}

# Each argument: the field's name, a tab, its value as JSON.
_af_write() {
	_af_edits=$(printf '%s\n' "$@")
	AF_EDITS=$_af_edits AF_ZONE= LC_ALL=C awk "$_af_json" "$_af_file" >"$_af_file.$$.new" &&
		mv "$_af_file.$$.new" "$_af_file"
}

# With AF_EDITS it prints the file with these values, else what the functions above want to know.
_af_json='
{ text = text $0 "\n" }

END {
	if (substr(text, 1, 3) == "\357\273\277") start = 4; else start = 1
	position = start; size = length(text)
	value("")
	blank()
	if (bad || position <= size || kind[""] != "object") exit 1
	if (!("state" in from) && !("preferredmodel" in from) && !("fallbackchain" in from)) exit 1
	if (ENVIRON["AF_EDITS"] != "") edit(); else tell()
}

function blank() { while (position <= size && index(" \t\r\n", substr(text, position, 1))) position++ }

function string(    begin, character) {
	begin = ++position
	while (position <= size) {
		character = substr(text, position, 1)
		if (character == "\"") return substr(text, begin, position++ - begin)
		position += character == "\\" ? 2 : 1
	}
	bad = 1
	return ""
}

function value(path,    character, key, count, begin) {
	if (bad) return
	blank()
	begin = position
	character = substr(text, position, 1)
	if (character == "{" || character == "[") {
		kind[path] = character == "{" ? "object" : "list"
		position++
		blank()
		if (index("}]", substr(text, position, 1))) { close_[path] = position++ }
		else for (;;) {
			if (kind[path] == "object") {
				blank()
				if (substr(text, position, 1) != "\"") { bad = 1; return }
				key = tolower(string())
				blank()
				if (substr(text, position++, 1) != ":") { bad = 1; return }
			} else key = count + 0
			count++
			value(path == "" ? key : path "." key)
			if (bad) return
			ended[path] = position
			blank()
			character = substr(text, position++, 1)
			if (character == ",") continue
			if (character != (kind[path] == "object" ? "}" : "]")) { bad = 1; return }
			close_[path] = position - 1
			break
		}
		members[path] = count + 0
	} else if (character == "\"") {
		kind[path] = "string"
		plain[path] = unescaped(string())
	} else {
		while (position <= size && substr(text, position, 1) ~ /[-+.0-9A-Za-z]/) position++
		plain[path] = substr(text, begin, position - begin)
		kind[path] = plain[path] == "null" ? "null" : "number"
		if (plain[path] !~ /^(null|true|false|-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?)$/) bad = 1
	}
	from[path] = begin
	till[path] = position
}

function unescaped(raw) {
	gsub(/\\\//, "/", raw); gsub(/\\"/, "\"", raw); gsub(/\\\\/, "\\", raw)
	gsub(/\t/, " ", raw)
	gsub(/^ +| +$/, "", raw)
	return raw
}

function tell(    at, minutes, words, n) {
	say("state", tolower(plain["state"]))
	say("preferred", plain["preferredmodel"])
	if (kind["fallbackchain"] == "string") {
		n = split(plain["fallbackchain"], words, /[ ]+/)
		for (at = 1; at <= n; at++) say("fallback", words[at])
	} else if (kind["fallbackchain"] == "list") {
		for (at = 0; at < members["fallbackchain"]; at++) say("fallback", plain["fallbackchain." at])
	} else if (!("fallbackchain" in from)) { say("fallback", "gpt-5.4-mini"); say("fallback", "gpt-5-mini") }
	say("index", whole("currentfallbackindex"))
	minutes = plain["cooldownminutes"] + 0
	if (minutes <= 0 || minutes > 10080) minutes = 10
	say("cooldown", minutes)
	say("cooldown_seconds", int(minutes * 60 + 0.999))
	say("opened", epoch("openedat"))
	say("resume", epoch("resumeat"))
	say("paused", epoch("waituntil"))
	say("successes", whole("halfopensuccesses"))
	say("failures", whole("consecutivefailures"))
	say("opens", whole("metrics.totalfallbacks"))
	say("recoveries", whole("metrics.totalrecoveries"))
}

# One line each: a line break in a value stays a control character.
function say(name, said) { gsub(/\n/, "\001", said); if (said != "") print name "\t" said }

function whole(path) { return plain[path] ~ /^[0-9]+$/ && length(plain[path]) < 10 ? plain[path] + 0 : 0 }

# Seconds since 1970; empty for what is no date. The forms are those that PowerShell 5 and 7 leave in the file.
function epoch(path,    said, parts, zone, hour) {
	said = kind[path] == "object" ? plain[path ".value"] : plain[path]
	if (said ~ /^\/Date\(-?[0-9]+/) { said = substr(said, 7); sub(/[^-0-9].*$/, "", said); return sprintf("%.0f", int(said / 1000)) }
	if (said ~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]/) {
		zone = substr(said, 17)
		sub(/^:[0-9][0-9]([.][0-9]*)?/, "", zone)
		return seconds(substr(said, 1, 4), substr(said, 6, 2), substr(said, 9, 2), substr(said, 12, 2),
			substr(said, 15, 2), substr(said, 17, 1) == ":" ? substr(said, 18, 2) : 0, zone)
	}
	if (split(said, parts, /[\/ :,]+/) >= 6 && said ~ /^[0-9]+\/[0-9]+\/[0-9][0-9][0-9][0-9]/) {
		hour = parts[4] + 0
		if (parts[7] == "PM" && hour < 12) hour += 12
		if (parts[7] == "AM" && hour == 12) hour = 0
		return seconds(parts[3], parts[1], parts[2], hour, parts[5], parts[6], "")
	}
	return ""
}

function seconds(year, month, day, hour, minute, second, zone,    y, era, doy, doe, offset) {
	month += 0
	y = month <= 2 ? year - 1 : year + 0
	era = int(y / 400)
	doy = int((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
	doe = (y - era * 400) * 365 + int((y - era * 400) / 4) - int((y - era * 400) / 100) + doy
	if (zone == "") zone = ENVIRON["AF_ZONE"]
	gsub(/[: ]/, "", zone)
	offset = zone ~ /^[-+]/ ? substr(zone, 2, 2) * 60 + substr(zone, 4, 2) : 0
	if (substr(zone, 1, 1) == "-") offset = -offset
	# Not by itself: some awks print large numbers as 1.79606e+09.
	return sprintf("%.0f", ((era * 146097 + doe - 719468) * 24 + hour) * 3600 + minute * 60 + second - offset * 60)
}

function edit(    lines, n, at, cut, name, path, parent, key, missing, order, inserted) {
	n = split(ENVIRON["AF_EDITS"], lines, "\n")
	for (at = 1; at <= n; at++) {
		cut = index(lines[at], "\t")
		name = substr(lines[at], 1, cut - 1)
		wanted[name] = substr(lines[at], cut + 1)
		path = tolower(name)
		if (path in from) { change(from[path], till[path], wanted[name]); continue }
		if ((name == "waitUntil" || name == "resumeAt") && wanted[name] == "null") continue
		parent = name ~ /[.]/ ? "metrics" : ""
		key = name
		sub(/^.*[.]/, "", key)
		if (parent == "metrics" && kind["metrics"] != "object") {
			if ("metrics" in from) continue
			missing = missing (missing == "" ? "" : ", ") "\"" key "\": " wanted[name]
		} else inserted[parent] = inserted[parent] (members[parent] + (inserted[parent] != "") > 0 ? "," : "") "\n  " (parent == "" ? "" : "  ") "\"" key "\": " wanted[name]
	}
	if (missing != "") inserted[""] = inserted[""] ",\n  \"metrics\": { " missing " }"
	for (parent in inserted) change(members[parent] > 0 ? ended[parent] : close_[parent], 0, inserted[parent])
	# From the end to the beginning, so that no place moves before its turn.
	for (;;) {
		order = 0
		for (at in replacement) if (at + 0 > order) order = at + 0
		if (order == 0) break
		text = substr(text, 1, order - 1) replacement[order] substr(text, upto[order])
		delete replacement[order]
	}
	printf "%s", text
}

function change(begin, end, with) { replacement[begin] = with; upto[begin] = end ? end : begin }
'

# ---------------------------------------------------------------------------------------------------------------------
# Once, when this file is sourced: the functions themselves run in subshells, which remember nothing.

(
	_af_names
	command -v "$_af_program" >/dev/null 2>&1 ||
		_af_say "There is no command $_af_program here, so only the loops that use $_af_file know of each other's limits. docs/rate-limits.md says how to get it."
)
