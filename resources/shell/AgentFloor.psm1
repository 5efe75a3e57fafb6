# Which model a shell loop is to use while models are rate-limited: the seed's functions, for Windows PowerShell 5.1 and
# PowerShell 7.
#
#   Import-Module /path/to/agent-floor/resources/shell/AgentFloor.psd1
#
#   Get-CurrentModel                         the model to use now; waits while the whole chain is limited
#   Update-CircuitBreakerOnSuccess           the call went well
#   Update-CircuitBreakerOnRateLimit         it was refused for a rate limit; -RetryAfter, -Message, -Model
#   Update-CircuitBreakerOnFailure           it failed for another reason
#   Get-CircuitBreakerState, Save-CircuitBreakerState
#
# The work is done by the command agent-floor, so that all loops of this machine agree. Where that command is not there,
# the state file alone is used, and a warning says so once. See docs/rate-limits.md. ASCII only: Windows PowerShell reads
# a file without a byte order mark in the system's code page.
#
#   $env:AGENT_FLOOR_COMMAND  default agent-floor, from the PATH
#   $env:AGENT_FLOOR_CALLER   tells loops of one directory apart; default the number of this process

Set-StrictMode -Off

$script:Dash = [char]0x2014
$script:LongestWishSeconds = 604800
$script:StaleLockSeconds = 10
$script:LongestWaitSeconds = 60
$script:HasSaidAlone = $false

# ---------------------------------------------------------------------------------------------------------------------
# The seed's functions.

function Get-CircuitBreakerState {
    param([string]$StateFile = ".squad/ralph-circuit-breaker.json")

    $path = Resolve-StateFile $StateFile
    if (Test-Path -LiteralPath $path) { return (Read-StateFile $path) }
    $state = New-DefaultState
    if (Test-Path -LiteralPath (Split-Path -Parent $path)) { Write-StateFile $path $state }
    return $state
}

function Save-CircuitBreakerState {
    param(
        [object]$State,
        [string]$StateFile = ".squad/ralph-circuit-breaker.json"
    )

    $path = Resolve-StateFile $StateFile
    New-StateDirectory $path
    Use-StateLock $path { Write-StateFile $path $State }
}

# With -NoWait it returns the last fallback while the whole chain is limited, as the seed does.
function Get-CurrentModel {
    param(
        [string]$StateFile = ".squad/ralph-circuit-breaker.json",
        [switch]$NoWait
    )

    $path = Resolve-StateFile $StateFile
    $words = @('current')
    if (-not $NoWait) { $words += '--wait' }
    $answer = Invoke-AgentFloor $path $words
    if ($null -ne $answer) {
        if ($answer.Code -eq 0) { return $answer.Text }
        if ($answer.Code -eq 3) { return (Confirm-ModelName (Get-LastFallback (Get-CircuitBreakerState -StateFile $StateFile))) }
        Write-Warning "agent-floor does not work here (exit code $($answer.Code)); the state file alone is used."
    }
    return (Get-ModelFromFile $path ([bool]$NoWait))
}

function Update-CircuitBreakerOnSuccess {
    param([string]$StateFile = ".squad/ralph-circuit-breaker.json")

    $path = Resolve-StateFile $StateFile
    if (Send-Report $path @('success')) { return }
    # Nothing was kept yet: nothing is limited.
    if (-not (Test-Path -LiteralPath (Split-Path -Parent $path))) { return }
    Use-StateLock $path {
        $cb = Read-StateFile $path
        if ($cb.state -eq 'half-open') {
            $cb.consecutiveFailures = 0
            $cb.halfOpenSuccesses = (Get-Count $cb.halfOpenSuccesses) + 1
            if ($cb.halfOpenSuccesses -ge 2) {
                $cb.state = 'closed'
                $cb.openedAt = $null
                $cb.resumeAt = $null
                $cb.halfOpenSuccesses = 0
                $cb.currentFallbackIndex = 0
                $cb.metrics.totalRecoveries = (Get-Count $cb.metrics.totalRecoveries) + 1
                $cb.metrics.lastRecoveryAt = Get-Stamp
                Write-StateFile $path $cb
                Write-Host "  [circuit-breaker] RECOVERED $Dash back to preferred model ($($cb.preferredModel))" -ForegroundColor Green
                return
            }
            Write-StateFile $path $cb
            Write-Host "  [circuit-breaker] Half-open success $($cb.halfOpenSuccesses)/2" -ForegroundColor Yellow
            return
        }
        if ((Get-Count $cb.consecutiveFailures) -ne 0) {
            $cb.consecutiveFailures = 0
            $cb.waitUntil = $null
            Write-StateFile $path $cb
        }
    }
}

# -RetryAfter: seconds, an HTTP date, or words ("4 hours"); -Message: what the program said, the time is read from it;
# -Model: which model it was (default: the one that this loop got last).
function Update-CircuitBreakerOnRateLimit {
    param(
        [string]$StateFile = ".squad/ralph-circuit-breaker.json",
        [string]$RetryAfter,
        [string]$Message,
        [string]$Model
    )

    $path = Resolve-StateFile $StateFile
    $words = @('rate-limit')
    if ($RetryAfter) { $words += "--retry-after=$(ConvertTo-PlainArgument $RetryAfter)" }
    if ($Message) { $words += "--message=$(ConvertTo-PlainArgument $Message)" }
    if ($Model) { $words += "--model=$(ConvertTo-PlainArgument $Model)" }
    if (Send-Report $path $words) { return }

    $wish = [Math]::Max((Get-Wish "retry after: $RetryAfter"), (Get-Wish $Message))
    if ($RetryAfter -and $wish -eq 0) {
        Write-Warning "Without agent-floor only spans are understood (90, 90s, 4 hours), so the cooldown alone counts: $RetryAfter"
    }
    New-StateDirectory $path
    Use-StateLock $path { Update-FileOnRateLimit $path $wish $Model }
}

# Neither success nor limit: whoever made the test call gives it back.
function Update-CircuitBreakerOnFailure {
    param([string]$StateFile = ".squad/ralph-circuit-breaker.json")

    # The file alone knows of no test call.
    [void](Send-Report (Resolve-StateFile $StateFile) @('failure'))
}

# ---------------------------------------------------------------------------------------------------------------------
# Through the command.

# $null: the command is not there, or cannot know this file. Otherwise .Code and .Text, the last line it printed.
function Invoke-AgentFloor {
    param([string]$Path, [string[]]$Words)

    $slashed = $Path -replace '\\', '/'
    $suffix = '/.squad/ralph-circuit-breaker.json'
    if (-not $slashed.EndsWith($suffix)) { return $null }
    $directory = $slashed.Substring(0, $slashed.Length - $suffix.Length)
    if ($directory -eq '' -or $directory -match ':$') { $directory = "$directory/" }
    $name = 'agent-floor'
    if ($env:AGENT_FLOOR_COMMAND) { $name = $env:AGENT_FLOOR_COMMAND }
    # Not the .ps1 that npm puts beside it: an execution policy may forbid that one.
    $command = Get-Command -Name $name -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($null -eq $command) {
        if (-not $script:HasSaidAlone) {
            $script:HasSaidAlone = $true
            Write-Warning "There is no command $name here, so only the loops that use $Path know of each other's limits. docs/rate-limits.md says how to get it."
        }
        return $null
    }
    $caller = "PowerShell $PID"
    if ($env:AGENT_FLOOR_CALLER) { $caller = $env:AGENT_FLOOR_CALLER }

    # A loop may still want to look at the exit code of its own program.
    $exitCode = $global:LASTEXITCODE
    $PSNativeCommandUseErrorActionPreference = $false
    try {
        $printed = & $command model @Words "--directory=$directory" "--caller=$caller"
        $code = $global:LASTEXITCODE
    }
    catch {
        Write-Warning "$name could not be started: $($_.Exception.Message)"
        $code = 127
    }
    finally {
        $global:LASTEXITCODE = $exitCode
    }
    return [pscustomobject]@{ Code = $code; Text = [string](@($printed) | Select-Object -Last 1) }
}

# Whether the command took it.
function Send-Report {
    param([string]$Path, [string[]]$Words)

    $answer = Invoke-AgentFloor $Path $Words
    if ($null -eq $answer) { return $false }
    if ($answer.Code -eq 0) { return $true }
    Write-Warning "agent-floor did not take the report (exit code $($answer.Code)); the state file alone is used."
    return $false
}

# What neither cmd.exe nor Windows PowerShell can hand on unharmed becomes a blank.
function ConvertTo-PlainArgument {
    param([string]$Text)

    $line = ($Text -replace '[\x00-\x1f"%^&|<>!`]', ' ').Trim()
    if ($line.Length -gt 1000) { $line = $line.Substring(0, 1000) }
    return $line
}

# ---------------------------------------------------------------------------------------------------------------------
# On the file alone: the seed's logic, with a lock and an atomic replace.

function Get-ModelFromFile {
    param([string]$Path, [bool]$NoWait)

    # Nothing was kept yet: nothing is limited.
    if (-not (Test-Path -LiteralPath (Split-Path -Parent $Path))) { return (New-DefaultState).preferredModel }
    $said = $null
    while ($true) {
        $choice = Use-StateLock $Path { Select-Model $Path }
        if ($null -eq $choice.Until) { return (Confirm-ModelName $choice.Model) }
        if ($NoWait) { return (Confirm-ModelName $choice.Last) }
        $rest = [Math]::Ceiling(($choice.Until - [DateTime]::UtcNow).TotalSeconds)
        if ($said -ne $choice.Until) {
            Write-Host "  [circuit-breaker] All models of the chain are limited; waiting $rest s." -ForegroundColor Red
            $said = $choice.Until
        }
        # Somebody else may find sooner that a model answers again.
        Start-Sleep -Seconds ([Math]::Max(1, [Math]::Min(30, $rest)))
    }
}

# .Model to use; .Until (UTC) where it is not to be asked before; .Last fallback of the chain.
function Select-Model {
    param([string]$Path)

    $cb = Read-StateFile $Path
    $preferred = [pscustomobject]@{ Model = $cb.preferredModel; Until = $null; Last = (Get-LastFallback $cb) }
    if ($cb.state -ne 'open') { return $preferred }
    $now = [DateTime]::UtcNow
    $opened = ConvertTo-Moment $cb.openedAt
    $resume = ConvertTo-Moment $cb.resumeAt
    # The cooldown from an openedAt that is still to come ends when the provider asked for: agent-floor writes it so.
    $isMeant = $null -ne $opened -and $null -ne $resume -and $opened.AddMinutes((Get-Cooldown $cb)) -le $resume.AddMinutes(1)
    if ($null -eq $opened -or ($opened -gt $now.AddMinutes(1) -and -not $isMeant)) {
        # Without a time, or with one that is still to come, the cooldown counts from now.
        $opened = $now
        $cb.openedAt = Get-Stamp
        Write-StateFile $Path $cb
    }
    $due = $opened.AddMinutes((Get-Cooldown $cb))
    if ($null -ne $resume -and $resume -gt $due) { $due = $resume }
    if ($now -ge $due) {
        $cb.state = 'half-open'
        $cb.halfOpenSuccesses = 0
        $cb.waitUntil = $null
        Write-StateFile $Path $cb
        Write-Host "  [circuit-breaker] Cooldown expired. Testing preferred model..." -ForegroundColor Yellow
        return $preferred
    }
    $chain = @($cb.fallbackChain)
    $model = $cb.preferredModel
    if ($chain.Count -gt 0) { $model = $chain[[Math]::Min((Get-Count $cb.currentFallbackIndex), $chain.Count - 1)] }
    $until = ConvertTo-Moment $cb.waitUntil
    if ($null -ne $until -and $until -le $now) { $until = $null }
    if ($null -ne $until -and $until -gt $due) { $until = $due }
    return [pscustomobject]@{ Model = $model; Until = $until; Last = $preferred.Last }
}

function Update-FileOnRateLimit {
    param([string]$Path, [int]$Wish, [string]$Model)

    $cb = Read-StateFile $Path
    $chain = @($cb.fallbackChain)
    # A call that began before the circuit opened tells nothing new.
    if ($cb.state -eq 'open' -and $Model -and $Model -eq $cb.preferredModel) { return }
    $cb.consecutiveFailures = (Get-Count $cb.consecutiveFailures) + 1
    if ($cb.state -ne 'open') {
        $cb.state = 'open'
        $cb.openedAt = Get-Stamp
        $cb.halfOpenSuccesses = 0
        $cb.currentFallbackIndex = 0
        $cb.resumeAt = $null
        $cb.waitUntil = $null
        if ($Wish -gt (Get-Cooldown $cb) * 60) { $cb.resumeAt = Get-Stamp $Wish }
        if ($chain.Count -eq 0) { $cb.waitUntil = Get-Stamp (Get-Pause $cb $Wish) }
        $cb.metrics.totalFallbacks = (Get-Count $cb.metrics.totalFallbacks) + 1
        $cb.metrics.lastFallbackAt = Get-Stamp
        Write-StateFile $Path $cb
        $next = 'nothing'
        if ($chain.Count -gt 0) { $next = $chain[0] }
        Write-Host "  [circuit-breaker] RATE LIMITED $Dash falling back to $next (cooldown: $(Get-CooldownWords $cb))" -ForegroundColor Red
        return
    }
    $index = Get-Count $cb.currentFallbackIndex
    if ($index -lt $chain.Count - 1) {
        $cb.currentFallbackIndex = $index + 1
        Write-StateFile $Path $cb
        Write-Host "  [circuit-breaker] Fallback also limited $Dash trying $($chain[$index + 1])" -ForegroundColor Red
        return
    }
    # The seed also starts the cooldown of the preferred model anew here; then it would never be tested again.
    $cb.waitUntil = Get-Stamp (Get-Pause $cb $Wish)
    Write-StateFile $Path $cb
    Write-Host "  [circuit-breaker] Fallback also limited $Dash every model of the chain is" -ForegroundColor Red
}

# Seconds until the last fallback is asked again: 60, doubled each time, at most the cooldown, at least the wish.
function Get-Pause {
    param([object]$State, [int]$Wish)

    $times = [Math]::Max(0, [Math]::Min(20, (Get-Count $State.consecutiveFailures) - @($State.fallbackChain).Count - 1))
    $pause = [Math]::Min(60 * [Math]::Pow(2, $times), (Get-Cooldown $State) * 60)
    return [int][Math]::Max($pause, $Wish)
}

# Seconds of the longest span that a text names behind a word such as "try again in"; a week at most, 0 without one.
function Get-Wish {
    param([string]$Text)

    $hint = '(?:try again|retry|retrying|retry-?delay|wait|resets?|available again)["'' :=_-]*(?:in|after|for)?["'' :=]+(?:about |approximately )?'
    $part = '(?:(\d+(?:\.\d+)?) *|an? +)(milliseconds?|msecs?|ms|days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])(?![a-z])(?:,? and |, | )?'
    $factors = @{ d = 86400; h = 3600; m = 60; s = 1 }
    $longest = 0.0
    foreach ($found in [regex]::Matches($Text, "$hint((?:$part)+)", 'IgnoreCase')) {
        $seconds = 0.0
        foreach ($one in [regex]::Matches($found.Groups[1].Value, $part, 'IgnoreCase')) {
            $count = 1.0
            if ($one.Groups[1].Success) { $count = [double]::Parse($one.Groups[1].Value, [System.Globalization.CultureInfo]::InvariantCulture) }
            $unit = $one.Groups[2].Value.ToLowerInvariant()
            if ($unit -match '^m(s|illi)') { $seconds += $count / 1000 }
            else { $seconds += $count * $factors[$unit.Substring(0, 1)] }
        }
        $longest = [Math]::Max($longest, $seconds)
    }
    if ($Text -match '(?i)retry[ _-]?after["'' ]*[:=]["'' ]*(\d{1,9})(?:\.\d+)?\s*(?:["''};)]|$)') { $longest = [Math]::Max($longest, [double]$Matches[1]) }
    return [int][Math]::Min([Math]::Ceiling($longest), $LongestWishSeconds)
}

# A repository without the directory gets it with its first limit, not for a question.
function New-StateDirectory {
    param([string]$Path)

    $directory = Split-Path -Parent $Path
    if (Test-Path -LiteralPath $directory) { return }
    [void][System.IO.Directory]::CreateDirectory($directory)
    Write-Host "  [circuit-breaker] $directory was made: the state file is kept there." -ForegroundColor Yellow
}

# The seed's 10m; what is no whole number of minutes in seconds.
function Get-CooldownWords {
    param([object]$State)

    $minutes = Get-Cooldown $State
    if ($minutes -eq [Math]::Floor($minutes)) { return "$($minutes)m" }
    return "$([Math]::Ceiling($minutes * 60))s"
}

# A file in somebody's repository names it: a terminal obeys control characters, and a program takes a dash at the
# beginning for an option.
function Confirm-ModelName {
    param([string]$Model)

    if ($Model -match '^$|^-|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]') {
        throw 'The state file names a model that no model is called: a name has no dash at its beginning and no control characters. Correct it there.'
    }
    return $Model
}

function Get-LastFallback {
    param([object]$State)

    $chain = @($State.fallbackChain)
    if ($chain.Count -eq 0) { return $State.preferredModel }
    return $chain[$chain.Count - 1]
}

function Get-Count {
    param([object]$Value)

    $count = $Value -as [int]
    if ($null -eq $count -or $count -lt 0) { return 0 }
    return $count
}

function Get-Cooldown {
    param([object]$State)

    $minutes = $State.cooldownMinutes -as [double]
    if ($null -eq $minutes -or $minutes -le 0 -or $minutes -gt 10080) { return 10.0 }
    return $minutes
}

# ---------------------------------------------------------------------------------------------------------------------
# Reading and writing.

# .NET does not know PowerShell's current location.
function Resolve-StateFile {
    param([string]$StateFile)

    return $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($StateFile)
}

function New-DefaultState {
    return [pscustomobject][ordered]@{
        state                = 'closed'
        preferredModel       = 'claude-sonnet-5'
        fallbackChain        = @('gpt-5.4-mini', 'gpt-5-mini')
        currentFallbackIndex = 0
        cooldownMinutes      = 10
        openedAt             = $null
        halfOpenSuccesses    = 0
        consecutiveFailures  = 0
        metrics              = [pscustomobject][ordered]@{
            totalFallbacks  = 0
            totalRecoveries = 0
            lastFallbackAt  = $null
            lastRecoveryAt  = $null
        }
    }
}

# Every field is there afterwards: assigning to one that is missing would fail.
function Read-StateFile {
    param([string]$Path)

    if (-not (Test-Path -LiteralPath $Path)) { return (Add-MissingField (New-DefaultState)) }
    $state = $null
    try { $state = [System.IO.File]::ReadAllText($Path) | ConvertFrom-Json }
    catch { Write-Verbose $_.Exception.Message }
    $names = @()
    if ($state -is [System.Management.Automation.PSCustomObject]) { $names = @($state.PSObject.Properties.Name) }
    if (-not ($names -contains 'state' -or $names -contains 'preferredModel' -or $names -contains 'fallbackChain')) {
        $aside = "$Path.corrupt-$([DateTime]::UtcNow.ToString('yyyy-MM-ddTHH-mm-ss'))"
        [System.IO.File]::Move($Path, $aside)
        Write-Warning "$Path is no whole state file; it was set aside as $aside, and begins anew."
        $state = New-DefaultState
        Write-StateFile $Path $state
    }
    return (Add-MissingField $state)
}

function Add-MissingField {
    param([object]$State)

    $default = New-DefaultState
    foreach ($field in @($default.PSObject.Properties) + @($default.metrics.PSObject.Properties)) {
        $target = $State
        if ($default.metrics.PSObject.Properties[$field.Name]) { $target = $State.metrics }
        if ($target -is [System.Management.Automation.PSCustomObject] -and -not $target.PSObject.Properties[$field.Name]) {
            $target | Add-Member -NotePropertyName $field.Name -NotePropertyValue $field.Value
        }
    }
    if ($State.metrics -isnot [System.Management.Automation.PSCustomObject]) { $State.metrics = $default.metrics }
    foreach ($name in 'resumeAt', 'waitUntil') {
        if (-not $State.PSObject.Properties[$name]) { $State | Add-Member -NotePropertyName $name -NotePropertyValue $null }
    }
    return $State
}

# Replaced at once: nobody reads half of it. ASCII only, so that every PowerShell reads it alike.
function Write-StateFile {
    param([string]$Path, [object]$State)

    $copy = $State
    if ($State -is [System.Management.Automation.PSCustomObject]) {
        $copy = $State.PSObject.Copy()
        # Ours, not the seed's: they are there only when they say something.
        foreach ($name in 'resumeAt', 'waitUntil') {
            if ($copy.PSObject.Properties[$name] -and $null -eq $copy.$name) { $copy.PSObject.Properties.Remove($name) }
        }
    }
    $json = $copy | ConvertTo-Json -Depth 20
    $json = [regex]::Replace($json, '[^\x00-\x7e]', { param($match) '\u{0:x4}' -f [int][char]$match.Value })
    $fresh = "$Path.$PID.new"
    [System.IO.File]::WriteAllText($fresh, "$json$([Environment]::NewLine)")
    for ($try = 1; ; $try++) {
        try {
            if (Test-Path -LiteralPath $Path) { [System.IO.File]::Replace($fresh, $Path, [NullString]::Value) }
            else { [System.IO.File]::Move($fresh, $Path) }
            return
        }
        catch {
            # On Windows a file that somebody just reads cannot be replaced.
            if ($try -ge 20) {
                Remove-Item -LiteralPath $fresh -ErrorAction SilentlyContinue
                throw
            }
            Start-Sleep -Milliseconds 50
        }
    }
}

# As the seed writes dates; $Seconds from now.
function Get-Stamp {
    param([double]$Seconds = 0)

    return (Get-Date).AddSeconds($Seconds).ToString('o')
}

# UTC; $null for what is no date. PowerShell 7 makes a DateTime of a date in JSON, Windows PowerShell leaves it text.
function ConvertTo-Moment {
    param([object]$Value)

    if ($null -eq $Value) { return $null }
    if ($Value -is [DateTime]) { return $Value.ToUniversalTime() }
    if ($Value -is [DateTimeOffset]) { return $Value.UtcDateTime }
    if ($Value -is [System.Management.Automation.PSCustomObject]) { return (ConvertTo-Moment $Value.value) }
    if ([string]$Value -match '^\\?/Date\((-?\d+)') {
        return ([DateTime]::new(1970, 1, 1, 0, 0, 0, [DateTimeKind]::Utc)).AddMilliseconds([double]$Matches[1])
    }
    $moment = [DateTimeOffset]::MinValue
    $invariant = [System.Globalization.CultureInfo]::InvariantCulture
    $style = [System.Globalization.DateTimeStyles]::AssumeLocal
    if ([DateTimeOffset]::TryParse([string]$Value, $invariant, $style, [ref]$moment)) { return $moment.UtcDateTime }
    return $null
}

# ---------------------------------------------------------------------------------------------------------------------
# The lock: the directory FILE.lock; whoever makes "PID HOST TOKEN" in its file owner has it, as the command does. It is
# stale when its owner has not given it up for 10 s.

function Use-StateLock {
    param([string]$Path, [scriptblock]$Work)

    $lock = "$Path.lock"
    $owner = Join-Path $lock 'owner'
    $token = "$PID $([System.Net.Dns]::GetHostName()) $([guid]::NewGuid())"
    $seen = $null
    $unchanged = [System.Diagnostics.Stopwatch]::StartNew()
    $waiting = [System.Diagnostics.Stopwatch]::StartNew()
    while (-not (New-LockOwner $lock $owner $token)) {
        $present = Get-LockOwner $owner
        if ($present -ne $seen) {
            $seen = $present
            $unchanged.Restart()
        }
        if ($unchanged.Elapsed.TotalSeconds -ge $StaleLockSeconds) {
            Remove-StaleLock $lock $seen
            $unchanged.Restart()
        }
        if ($waiting.Elapsed.TotalSeconds -ge $LongestWaitSeconds) { throw "The lock $lock cannot be taken." }
        Start-Sleep -Milliseconds (Get-Random -Minimum 20 -Maximum 60)
    }
    try { return (& $Work) }
    finally {
        if ((Get-LockOwner $owner) -eq $token) { Remove-Item -LiteralPath $lock -Recurse -Force -ErrorAction SilentlyContinue }
    }
}

# Making a directory that is there already is no error in .NET, so the file inside it decides: it can be made only once.
function New-LockOwner {
    param([string]$Lock, [string]$Owner, [string]$Token)

    if (Test-Path -LiteralPath $Lock) { return $false }
    try {
        [void][System.IO.Directory]::CreateDirectory($Lock)
        $stream = [System.IO.File]::Open($Owner, [System.IO.FileMode]::CreateNew)
        $bytes = [System.Text.Encoding]::ASCII.GetBytes("$Token`n")
        $stream.Write($bytes, 0, $bytes.Length)
        $stream.Dispose()
        return $true
    }
    catch {
        # Somebody was quicker, or it may not be written to; the one who waits finds out which.
        Write-Verbose $_.Exception.Message
        return $false
    }
}

# Renaming is the claim: of several who find the lock stale only one has it then.
function Remove-StaleLock {
    param([string]$Lock, [string]$Seen)

    $grave = "$Lock.$([guid]::NewGuid())"
    try { [System.IO.Directory]::Move($Lock, $grave) }
    catch {
        Write-Verbose $_.Exception.Message
        return
    }
    if ((Get-LockOwner (Join-Path $grave 'owner')) -ne $Seen -and -not (Test-Path -LiteralPath $Lock)) {
        # It was the new lock of somebody who was quicker.
        [System.IO.Directory]::Move($grave, $Lock)
        return
    }
    Remove-Item -LiteralPath $grave -Recurse -Force -ErrorAction SilentlyContinue
}

function Get-LockOwner {
    param([string]$Owner)

    try { return [System.IO.File]::ReadAllText($Owner).Trim() }
    catch { return '' }
}

Export-ModuleMember -Function @(
    'Get-CircuitBreakerState'
    'Save-CircuitBreakerState'
    'Get-CurrentModel'
    'Update-CircuitBreakerOnSuccess'
    'Update-CircuitBreakerOnRateLimit'
    'Update-CircuitBreakerOnFailure'
)
