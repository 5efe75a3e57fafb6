/**
 * The forwarder on Windows: a batch file around the curl that Windows brings along since 2018 (10, version 1803), and
 * PowerShell where there is none, or where the pid of the client is wanted, which a batch file cannot learn.
 */
import { PROCESS_HEADER } from './floor-address.ts';
import {
	END_EVENTS,
	type ForwardDeadlines,
	GATE_EVENTS,
	MOST_REPLY_BYTES,
	PAUSE_SECONDS,
	QUIET_FILE,
	START_EVENTS,
} from './forward-deadlines.ts';

const QUIET = `"%~dp0${QUIET_FILE}"`;
const POWERSHELL =
	'"%system%\\WindowsPowerShell\\v1.0\\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0forward.ps1"';
/** Sets \`now\`, in seconds of the day and a constant: the 1 before each part keeps 08 and 09 from being octal. */
const LOOK_AT_CLOCK =
	'for /f "tokens=1-3 delims=:., " %%a in ("%TIME: =0%") do set /a "now=(1%%a*60+1%%b)*60+1%%c"';

/**
 * - Every program by its full path: cmd.exe would rather take one of the same name from the agent's work tree.
 * - The reply goes through a file of the person's temporary directory, so that no code page touches it and nothing is
 *   printed before all of it is known to be the floor's. Its directory is made by a name that was free: cmd.exe gives
 *   batch files that start in one second the same random numbers.
 * - A gate that nobody answered (28) leaves a note when that was, as on other systems (forward-posix.ts).
 * - \`findstr\` reads to the end what nobody took: a client that cannot write its payload reports a failed hook.
 */
export function batchForwardProgram(deadlines: ForwardDeadlines): string {
	const whenAny = (events: readonly string[], then: string) =>
		events.map((event) => `if "%~2"=="${event}" ${then}`);
	return lines([
		'@echo off',
		'rem Of Agent Floor: tells the floor on this machine what an agent does, and the agent what the floor answers.',
		'rem Without the floor it does nothing. Written anew whenever the floor starts.',
		'setlocal EnableExtensions DisableDelayedExpansion',
		'set "system=%SystemRoot%\\System32"',
		'if not exist "%~dp0forward.curl" goto drain',
		'set "within="',
		`set "deadline=${deadlines.others}"`,
		...whenAny(END_EVENTS, `set "deadline=${deadlines.end}"`),
		...whenAny(GATE_EVENTS, `set "deadline=${deadlines.gate}" & set "within=?within=${deadlines.consent}"`),
		'set "place="',
		`if exist ${QUIET} goto quiet`,
		':ask',
		...whenAny(START_EVENTS, 'goto powershell'),
		'if not exist "%system%\\curl.exe" goto powershell',
		'set "tries=0"',
		':place',
		'set /a tries+=1',
		'if %tries% gtr 50 goto drain',
		'set "place=%TEMP%\\agent-floor-%RANDOM%-%RANDOM%-%RANDOM%"',
		'md "%place%" 2>nul || goto place',
		'"%system%\\curl.exe" -q -K "%~dp0forward.curl" --max-time %deadline% --request-target "/hooks/%~1/%~2%within%" -T - -o "%place%\\reply" >"%place%\\status" 2>nul',
		'if errorlevel 28 if not errorlevel 29 goto silent',
		'if errorlevel 1 goto away',
		'"%system%\\findstr.exe" /b /l /c:"200 application/json" "%place%\\status" >nul 2>nul || goto away',
		'"%system%\\findstr.exe" /b /l /c:"{" "%place%\\reply" >nul 2>nul || goto away',
		'type "%place%\\reply" 2>nul',
		'rd /s /q "%place%" 2>nul',
		`if exist ${QUIET} del /q ${QUIET} 2>nul`,
		'exit /b 0',
		':silent',
		`if not defined within if not exist ${QUIET} goto away`,
		'set "TIME="',
		LOOK_AT_CLOCK,
		`set "note=%~dp0${QUIET_FILE}.%RANDOM%%RANDOM%"`,
		'>"%note%" echo %now%',
		`move /y "%note%" ${QUIET} >nul 2>nul`,
		':away',
		'if defined place rd /s /q "%place%" 2>nul',
		':drain',
		'"%system%\\findstr.exe" "^" >nul 2>nul',
		'exit /b 0',
		':quiet',
		'set "TIME="',
		LOOK_AT_CLOCK,
		'set "since="',
		`2>nul set /p "since=" <${QUIET}`,
		`set "passed=${PAUSE_SECONDS}"`,
		'2>nul set /a "passed=now-since"',
		'if %passed% lss 0 set /a "passed+=86400"',
		`if %passed% lss ${PAUSE_SECONDS} goto drain`,
		'if not defined within goto ask',
		'if not exist "%system%\\curl.exe" goto hello',
		`"%system%\\curl.exe" -q -K "%~dp0forward.curl" --max-time ${deadlines.others} --request-target /hooks -d "" >nul 2>nul`,
		'if errorlevel 28 if not errorlevel 29 goto silent',
		'goto ask',
		':hello',
		`${POWERSHELL} /hooks ${deadlines.others} <nul >nul 2>nul`,
		'if errorlevel 28 if not errorlevel 29 goto silent',
		'goto ask',
		':powershell',
		`${POWERSHELL} "/hooks/%~1/%~2%within%" %deadline% 2>nul`,
		'if errorlevel 28 if not errorlevel 29 goto silent',
		`if not errorlevel 1 if exist ${QUIET} del /q ${QUIET} 2>nul`,
		'exit /b 0',
	]);
}

/**
 * For Windows PowerShell 5.1 and PowerShell 7. Bytes in and out, so that no code page touches them; the reply ends in a
 * bare line feed (openai/codex#38295). The pid is that of the nearest ancestor that is no shell. Exit code: 0 when the
 * floor answered, 28 like curl's when nobody did in time, else 1.
 */
export function powershellForwardProgram(): string {
	return lines([
		'# Of Agent Floor: the forwarder beside this file uses it at the start of a session, and where there is no curl.',
		'param([string]$Path, [int]$Deadline)',
		"$ErrorActionPreference = 'Stop'",
		'$code = 1',
		'$clock = [Diagnostics.Stopwatch]::StartNew()',
		'try {',
		'	$wait = $Deadline * 1000',
		'	$body = New-Object IO.MemoryStream',
		'	if (-not [Console]::OpenStandardInput().CopyToAsync($body).Wait($wait)) { exit 1 }',
		"	$text = [IO.File]::ReadAllText((Join-Path $PSScriptRoot 'forward.curl'))",
		`	$url = [regex]::Match($text, '(?m)^url = "(.*?)"\\r?$').Groups[1].Value`,
		`	$token = [regex]::Match($text, '(?m)^header = "Authorization: (.*?)"\\r?$').Groups[1].Value`,
		'	$client = 0; $at = $PID',
		'	for ($step = 0; $step -lt 6; $step++) {',
		'		$parent = (Get-CimInstance Win32_Process -Filter "ProcessId=$at").ParentProcessId',
		'		$found = Get-CimInstance Win32_Process -Filter "ProcessId=$parent"',
		'		if (-not $found) { break }',
		"		if ($found.Name -notmatch '^(cmd|powershell|pwsh|conhost|sh|bash)\\.exe$') { $client = $parent; break }",
		'		$at = $parent',
		'	}',
		'	$call = [Net.HttpWebRequest]::Create($url + $Path)',
		"	$call.Method = 'POST'; $call.Proxy = $null; $call.ContentType = 'application/json'",
		'	$call.Timeout = $wait; $call.ReadWriteTimeout = $wait; $call.ServicePoint.Expect100Continue = $false',
		`	$call.Headers.Add('Authorization', $token); $call.Headers.Add('${PROCESS_HEADER}', [string]$client)`,
		'	$call.ContentLength = $body.Length',
		'	$stream = $call.GetRequestStream(); $body.WriteTo($stream); $stream.Close()',
		'	$answer = $call.GetResponse()',
		`	$characters = New-Object char[] ${MOST_REPLY_BYTES}`,
		'	$reading = (New-Object IO.StreamReader($answer.GetResponseStream())).ReadBlockAsync($characters, 0, $characters.Length)',
		'	if (-not $reading.Wait([int][Math]::Max(1, $wait - $clock.ElapsedMilliseconds))) { exit 28 }',
		'	$reply = (New-Object string($characters, 0, $reading.Result)).Trim()',
		"	$isFloor = [int]$answer.StatusCode -eq 200 -and $answer.ContentType -like 'application/json*'",
		"	if ($isFloor -and $reply.StartsWith('{') -and $reply.EndsWith('}')) {",
		'		$bytes = (New-Object Text.UTF8Encoding $false).GetBytes($reply + [char]10)',
		'		$out = [Console]::OpenStandardOutput(); $out.Write($bytes, 0, $bytes.Length); $out.Flush()',
		'		$code = 0',
		'	}',
		'} catch {',
		'	for ($cause = $_.Exception; $cause; $cause = $cause.InnerException) {',
		"		if ($cause -is [Net.WebException] -and [string]$cause.Status -eq 'Timeout') { $code = 28 }",
		'	}',
		'}',
		'exit $code',
	]);
}

function lines(text: readonly string[]): string {
	return `${text.join('\r\n')}\r\n`;
}
