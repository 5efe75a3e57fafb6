/**
 * The forwarder on Windows: a batch file around the curl that Windows brings along since 2018 (10, version 1803), and
 * PowerShell where there is none, or where the pid of the client is wanted, which a batch file cannot learn.
 */
import { PROCESS_HEADER } from './floor-address.ts';
import { END_EVENTS, type ForwardDeadlines, GATE_EVENTS, START_EVENTS } from './forward-deadlines.ts';

/**
 * - Every program by its full path: cmd.exe would rather take one of the same name from the agent's work tree.
 * - The reply goes through a file of the person's temporary directory, so that no code page touches it and nothing is
 *   printed before all of it is known to be the floor's. Its directory is made by a name that was free: cmd.exe gives
 *   batch files that start in one second the same random numbers.
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
		...whenAny(START_EVENTS, 'goto powershell'),
		'if not exist "%system%\\curl.exe" goto powershell',
		'set "tries=0"',
		':place',
		'set /a tries+=1',
		'if %tries% gtr 50 goto drain',
		'set "place=%TEMP%\\agent-floor-%RANDOM%-%RANDOM%-%RANDOM%"',
		'md "%place%" 2>nul || goto place',
		'"%system%\\curl.exe" -q -K "%~dp0forward.curl" --max-time %deadline% --request-target "/hooks/%~1/%~2%within%" -T - -o "%place%\\reply" >"%place%\\status" 2>nul',
		'if errorlevel 1 goto away',
		'"%system%\\findstr.exe" /b /l /c:"200 application/json" "%place%\\status" >nul 2>nul || goto away',
		'"%system%\\findstr.exe" /b /l /c:"{" "%place%\\reply" >nul 2>nul || goto away',
		'type "%place%\\reply" 2>nul',
		'rd /s /q "%place%" 2>nul',
		'exit /b 0',
		':away',
		'rd /s /q "%place%" 2>nul',
		':drain',
		'"%system%\\findstr.exe" "^" >nul 2>nul',
		'exit /b 0',
		':powershell',
		'"%system%\\WindowsPowerShell\\v1.0\\powershell.exe" -NoLogo -NoProfile -NonInteractive -ExecutionPolicy Bypass -File "%~dp0forward.ps1" "/hooks/%~1/%~2%within%" %deadline% 2>nul',
		'exit /b 0',
	]);
}

/**
 * For Windows PowerShell 5.1 and PowerShell 7. Bytes in and out, so that no code page touches them; the reply ends in a
 * bare line feed (openai/codex#38295). The pid is that of the nearest ancestor that is no shell.
 */
export function powershellForwardProgram(): string {
	return lines([
		'# Of Agent Floor: the forwarder beside this file uses it at the start of a session, and where there is no curl.',
		'param([string]$Path, [int]$Deadline)',
		"$ErrorActionPreference = 'Stop'",
		'try {',
		'	$wait = $Deadline * 1000',
		'	$body = New-Object IO.MemoryStream',
		'	if (-not [Console]::OpenStandardInput().CopyToAsync($body).Wait($wait)) { exit 0 }',
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
		'	$reply = (New-Object IO.StreamReader($answer.GetResponseStream())).ReadToEnd().Trim()',
		"	$isFloor = [int]$answer.StatusCode -eq 200 -and $answer.ContentType -like 'application/json*'",
		"	if ($isFloor -and $reply.StartsWith('{') -and $reply.EndsWith('}')) {",
		'		$bytes = (New-Object Text.UTF8Encoding $false).GetBytes($reply + [char]10)',
		'		$out = [Console]::OpenStandardOutput(); $out.Write($bytes, 0, $bytes.Length); $out.Flush()',
		'	}',
		'} catch { $null = $_ }',
		'exit 0',
	]);
}

function lines(text: readonly string[]): string {
	return `${text.join('\r\n')}\r\n`;
}
