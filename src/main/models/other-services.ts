/**
 * Whose limit a line of an error output tells of. Programs that work for an agent (package managers, git, test runners)
 * have limits of their own, and the agent's error output may repeat them; they say nothing of a model. Pure.
 */

/** Whether the line names a program or a service that is certainly no model's, whatever else it says. */
export function isOfOtherService(line: string): boolean {
	return otherServices.some((pattern) => pattern.test(line));
}

/** Whether the line names an address, and nothing that is a model's. */
export function isOfOtherAddress(line: string): boolean {
	return addresses.test(line) && !modelWords.test(line);
}

const otherServices: readonly RegExp[] = [
	// Who speaks, at the beginning of the line.
	/^\W*(?:npm|yarn|pnpm) (?:error|ERR!|warn|WARN)/,
	/^\W*(?:(?:error|warning): ?)?(?:npx?|yarn|pnpm|bun|pip3?|poetry|uvx?|conda|mamba|cargo|gem|bundler?|composer|go|gradle|mvn|nuget|dotnet|brew|apt(?:-get)?|dnf|yum|apk|docker|podman|buildkit|skopeo|helm|kubectl|terraform|gh|git|glab|remote|wget|curl|aws|gcloud|az|pytest|jest|vitest|mocha|tsc|eslint)(?:\[\d+\])?: /i,
	/^\W*(?:pip|urllib3)\._/,
	/^\W*fatal: (?:unable to access|remote error|could not read|repository|clone of)/,
	/\bError response from daemon\b|\btoomanyrequests: /,
	/\brequested URL returned error\b/,
	/^\s*#\d+ (?:ERROR|\d+\.\d+)[: ]/,
	// Whose name is said.
	/\b(?:GitHub(?!\W*(?:Copilot|Models))|GitLab|Bitbucket|Gitea|Docker(?: ?Hub)?|npmjs|PyPI|RubyGems|crates\.io|NuGet|Maven(?: Central)?|Homebrew|Slack|Discord|Telegram|Twilio|SendGrid|Mailgun|Stripe|PayPal|Shopify|Jira|Confluence|Atlassian|Notion|Figma|Sentry|Datadog|PagerDuty|Vercel|Netlify|Heroku|Let['’]?s ?Encrypt|ACME|reCAPTCHA|Elasticsearch|Redis|Postgres(?:QL)?|MySQL|MongoDB|Kubernetes)\b(?![^\n]*\bCopilot\b)/i,
	/\b(?:pull rate limit|secondary rate limit|API rate limit exceeded for|registry|package manager|while getting https?:)/i,
	/\b(?:github\.com|githubusercontent\.com|ghcr\.io|gitlab\.com|bitbucket\.org|docker\.(?:io|com)|quay\.io|gcr\.io|pkg\.dev|npmjs\.org|npmjs\.com|yarnpkg\.com|pypi\.org|pythonhosted\.org|conda\.io|anaconda\.(?:org|com)|rubygems\.org|crates\.io|golang\.org|maven\.org|apache\.org|nuget\.org|packagist\.org|gradle\.org|debian\.org|ubuntu\.com)\b(?!\/\S*copilot)/i,
	/(?<!\brouter\.|\bapi-inference\.)\bhuggingface\.co\b/i,
	/\bservice ["']?(?!generativelanguage|aiplatform|cloudaicompanion|cloudcode-pa)[\w-]+\.googleapis\.com\b/i,
	/\bwhen calling the (?!Invoke|Converse)\w+ operation\b/,
	// What a test expects.
	/\b(?:AssertionError|assertion failed|ExpectationFailed|ERR_ASSERTION)\b|\bassert(?:_\w+|Equals?|That)?\b[ (]/i,
	/\bexpect(?:ed|s)?\b[^\n]{0,200}\b(?:but|got|received|actual(?:ly)?|to (?:be|equal|have|match|include|contain|throw|reject))\b/i,
	/\bexpect\(|^\s*[-+|]?\s*(?:expected|received|actual): /i,
	/^\s*(?:FAIL(?:ED)?|PASS(?:ED)?|ok|not ok|--- (?:FAIL|PASS):|[✓✔✗✘×●❯])[ :]/i,
	/\.(?:test|spec)\.[cm]?[jt]sx?\b|\btest_\w+\.py\b|_test\.go\b/,
];

/** An agent or an API of models, by name, by its units or by its paths. */
const modelWords = new RegExp(
	[
		'\\b(?:anthropic|claude|openai|chatgpt|gpt-?\\d|codex|copilot|gemini|vertex|bedrock|mistral|deepseek|openrouter|groq|ollama|litellm|vllm|llama|qwen|grok|cohere|LLM)',
		'\\bmodels?\\b|\\b(?:input|output|prompt|completion) tokens\\b|\\btokens per (?:min|day|hour)|\\b(?:TPM|TPD|RPM|RPD)\\b',
		'/v\\d(?:beta\\d*)?/(?:messages|chat|completions|responses)\\b|/chat/completions\\b|/gateway/|:(?:stream)?generateContent\\b|/api/(?:chat|generate)\\b',
		'\\bgenerativelanguage\\b|\\baiplatform\\b|\\bcloudcode-pa\\b|\\bai\\.google\\.dev\\b|\\bapi\\.x\\.ai\\b|\\bInvokeModel',
	].join('|'),
	'i',
);

const addresses = /\bhttps?:\/\//i;
