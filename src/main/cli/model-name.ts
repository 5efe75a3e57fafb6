/** A model's name on its way into a command line: anybody's repository may have written it into its state file. */
import { visibleText } from '../../shared/untrusted-text.ts';

/** The sentence says which name, and what is wrong with it. */
export class UnusableName extends Error {}

/** A terminal obeys control characters, scripts read lines, and programs take a dash at the beginning for an option. */
const unusable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|^-/u;

/** Throws an `UnusableName` for what is no model's name, whatever a file says. */
export function usableName(model: string): void {
	if (!unusable.test(model)) return;
	throw new UnusableName(
		`The chain names the model "${visibleText(model, { limit: 200 })}". No model is called that: a name begins with no dash and has no control characters. Nothing was printed or run. Correct it in .squad/ralph-circuit-breaker.json or in the settings.`,
	);
}
