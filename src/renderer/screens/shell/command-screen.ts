/** What commands do to the document. */
import type { CommandScreen } from '../../store/command.ts';
import { focusNextDecision } from '../../widgets/decision-focus.ts';

export const commandScreen: CommandScreen = {
	focusSearch: () => document.querySelector<HTMLElement>('.main input[type="search"]')?.focus(),
	focusDecision: focusNextDecision,
};
