@{
    RootModule           = 'AgentFloor.psm1'
    ModuleVersion        = '0.1.0'
    GUID                 = '5b0c1d3e-6f0a-4c57-9e1b-3a2f6d8c7e41'
    Author               = 'Agent Floor'
    Description          = 'Which model a shell loop is to use while models are rate-limited'
    PowerShellVersion    = '5.1'
    CompatiblePSEditions = @('Desktop', 'Core')
    FunctionsToExport    = @(
        'Get-CircuitBreakerState'
        'Save-CircuitBreakerState'
        'Get-CurrentModel'
        'Update-CircuitBreakerOnSuccess'
        'Update-CircuitBreakerOnRateLimit'
        'Update-CircuitBreakerOnFailure'
    )
    CmdletsToExport      = @()
    VariablesToExport    = @()
    AliasesToExport      = @()
}
