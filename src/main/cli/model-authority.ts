/** Whom a command asks which model is to be used. The floor, the machine-wide file and a mirror answer alike. */
import type { ModelCaller, ModelChoiceView, ModelReport, ModelsView } from '../../shared/models-view.ts';

export interface Reported {
	/** What is to be used from now on. */
	readonly choice: ModelChoiceView;
	readonly before: ModelsView;
	readonly after: ModelsView;
}

/** Everything rejects with a `ChannelError` or a `StoreError`. */
export interface ModelAuthority {
	current(caller: ModelCaller): Promise<ModelChoiceView>;
	report(report: ModelReport): Promise<Reported>;
	/** As seen from that repository. */
	view(directory: string): Promise<ModelsView>;
	probe(chainId: string): Promise<ModelsView>;
	hold(chainId: string, held: boolean): Promise<ModelsView>;
}
