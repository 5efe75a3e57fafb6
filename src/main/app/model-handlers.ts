/** What shell loops and the window may ask of the model breakers, answered. */
import type { RequestHandlers } from '../../shared/channels.ts';
import type { ModelCaller, ModelChoiceView, ModelReport } from '../../shared/models-view.ts';
import type { ModelControls } from '../models/model-desk.ts';

export type ModelHandlers = Pick<
	RequestHandlers,
	'model:current' | 'model:report' | 'model:probe' | 'model:hold'
>;

export interface ModelHandlerParts extends ModelControls {
	current(caller: ModelCaller): Promise<ModelChoiceView>;
	report(report: ModelReport): Promise<ModelChoiceView>;
}

/** `decided`: the operator decided about a limited chain, as a sentence. */
export function createModelHandlers(
	models: ModelHandlerParts,
	decided: (chainId: string, words: string) => void,
): ModelHandlers {
	return {
		'model:current': (caller) => models.current(caller),
		'model:report': (report) => models.report(report),
		'model:probe': ({ chainId }) => {
			models.probeNow(chainId);
			decided(chainId, 'Asked for a test call now');
			return models.view();
		},
		'model:hold': ({ chainId, held }) => {
			models.hold(chainId, held);
			decided(chainId, held ? 'Held it on its fallback' : 'Let it recover');
			return models.view();
		},
	};
}
