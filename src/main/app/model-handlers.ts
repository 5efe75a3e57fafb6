/** What shell loops and the window may ask of the model breakers, answered. */
import type { RequestHandlers } from '../../shared/channels.ts';
import type { ModelControls, ModelLoops } from '../models/model-desk.ts';

export type ModelHandlers = Pick<
	RequestHandlers,
	'model:current' | 'model:report' | 'model:probe' | 'model:hold'
>;

export function createModelHandlers(models: ModelLoops & ModelControls): ModelHandlers {
	return {
		'model:current': (caller) => models.current(caller),
		'model:report': (report) => models.report(report),
		'model:probe': ({ chainId }) => {
			models.probeNow(chainId);
			return models.view();
		},
		'model:hold': ({ chainId, held }) => {
			models.hold(chainId, held);
			return models.view();
		},
	};
}
