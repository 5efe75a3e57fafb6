/** Variables that a read-only command line may set: none that any program or shell reads its configuration from. */

/** Uppercase names that people use for their own values. */
const OWN_NAMES =
	/^(?:[A-Z]|DIR|FILE|FILES|ROOT|SRC|REPO|BASE|BRANCH|COMMIT|NAME|PATTERN|TARGET|LINE|COUNT)$/;

/** Lowercase names with a meaning: proxies, npm's configuration, and what zsh ties to PATH and to its own state. */
const TAKEN =
	/^(?:npm_.*|.*proxy|path|fpath|cdpath|manpath|mailpath|module_path|fignore|psvar|watch|argv|status|pipestatus|prompt.*|histchars|auto_resume|commands|builtins|dirstack|dis_.*|history|modules|nameddirs|functions|aliases|galiases|saliases|options|parameters|signals|_)$/i;

/** What a command may be given in its environment: language, colour, width. */
const ENVIRONMENT =
	/^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI)$/;

/** True when assigning `name` in the shell changes nothing but the command line's own values. */
export function isOwnVariable(name: string): boolean {
	return (/^[a-z][A-Za-z0-9_]*$/.test(name) && !TAKEN.test(name)) || OWN_NAMES.test(name);
}

/** True when `name` may be set for one command (`LC_ALL=C sort f`). */
export function isHarmlessEnvironment(name: string): boolean {
	return isOwnVariable(name) || ENVIRONMENT.test(name);
}
