/**
 * The command handler of the events that cannot go over http. It passes the payload on by stdin only, ends within its
 * own deadline, prints the floor's JSON object or nothing, keeps standard error empty and exits 0 whatever happens:
 * without the floor, the session starts and ends as if the floor did not exist.
 *
 * It is a line of shell around curl, so that no session waits for a Node process to start. The token is read from a
 * file of mode 0600 beside the settings (`authorizationFile`), because every local user can read the arguments of a
 * running process. What the line prints becomes context for the model, hence the check for an object.
 */
import { PROCESS_HEADER } from './floor-address.ts';
import { powershellQuoted, shellQuoted } from './quoting.ts';

/** Seconds that the forwarder gives the floor, connection included. */
export const FORWARDER_DEADLINE_SECONDS = 1;

export interface ForwarderTarget {
	readonly url: string;
	/** Absolute path of a file that holds one header line, `Authorization: Bearer …`. */
	readonly authorizationFile: string;
}

/** The fields of the handler that `platform` needs. */
export function forwarderHandler(
	platform: NodeJS.Platform,
	target: ForwarderTarget,
): { readonly command: string; readonly shell?: 'powershell' } {
	return platform === 'win32'
		? { command: powershellForwarder(target), shell: 'powershell' }
		: { command: posixForwarder(target) };
}

/**
 * For `/bin/sh -c`, which Claude Code starts directly: there `$PPID` is Claude Code itself.
 * `-q`: no curlrc of the person's. `-T -`: streamed, so that the deadline holds while stdin stays open, too. An empty
 * `Expect:`: no second round trip before the body. The `cat` left behind drains what an absent floor did not take,
 * so that Claude Code never writes into a broken pipe; it ends with the pipe.
 */
export function posixForwarder({ url, authorizationFile }: ForwarderTarget): string {
	const curl = [
		'curl -q -s -f',
		`--noproxy '*' --max-time ${FORWARDER_DEADLINE_SECONDS}`,
		"-X POST -H 'Content-Type: application/json' -H 'Expect:'",
		`-H "${PROCESS_HEADER}: $PPID"`,
		`-H ${shellQuoted(`@${authorizationFile}`)}`,
		`-T - ${shellQuoted(url)}`,
	].join(' ');
	return [
		'exec 3<&0 2>/dev/null',
		`r=$(${curl} <&3) || r=`,
		`case $r in '{'*'}') printf '%s\\n' "$r";; esac`,
		'cat <&3 >/dev/null & exit 0',
	].join('; ');
}

/**
 * For Windows PowerShell 5.1 and PowerShell 7. No double quotes, so that the line survives as one argument; bytes in
 * and out, so that no code page touches them; the reply ends in a bare line feed.
 */
export function powershellForwarder({ url, authorizationFile }: ForwarderTarget): string {
	const milliseconds = FORWARDER_DEADLINE_SECONDS * 1000;
	return [
		`$ErrorActionPreference='Stop'; try { $m=New-Object IO.MemoryStream`,
		`if([Console]::OpenStandardInput().CopyToAsync($m).Wait(${milliseconds})) { $q=[Net.HttpWebRequest]::Create(${powershellQuoted(url)})`,
		`$q.Method='POST'; $q.Proxy=$null; $q.Timeout=${milliseconds}; $q.ReadWriteTimeout=${milliseconds}; $q.ContentType='application/json'`,
		`$q.Headers.Add([IO.File]::ReadAllText(${powershellQuoted(authorizationFile)}).Trim())`,
		`$q.Headers.Add('${PROCESS_HEADER}',(Get-CimInstance Win32_Process -Filter ('ProcessId='+$PID)).ParentProcessId)`,
		`$q.ContentLength=$m.Length; $s=$q.GetRequestStream(); $m.WriteTo($s); $s.Close()`,
		`$r=(New-Object IO.StreamReader($q.GetResponse().GetResponseStream())).ReadToEnd().Trim()`,
		`if($r.StartsWith('{') -and $r.EndsWith('}')) { $b=(New-Object Text.UTF8Encoding $false).GetBytes($r+[char]10)`,
		`$o=[Console]::OpenStandardOutput(); $o.Write($b,0,$b.Length); $o.Flush() } } } catch { $null=$_ }; exit 0`,
	].join('; ');
}

/** What the authorisation file holds. */
export function authorizationLine(agentToken: string): string {
	return `Authorization: Bearer ${agentToken}\n`;
}

/** True for a forwarder of any version, port and installation. */
export function isForwarder(command: string): boolean {
	return command.includes('/hooks/claude-code/') && command.includes(PROCESS_HEADER);
}
