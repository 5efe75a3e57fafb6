/**
 * One loop among many: asks for a model and reports how the call went, again and again, each time as one update of the
 * one state file. `<file> <locks directory> <name> <updates>`. Says what each update did, a line of JSON for each, when
 * it is in the file; begins again after its last one when it was killed.
 */
import { ModelBreakers } from '../../src/main/models/model-breakers.ts';
import { updateLockedFile } from '../../src/main/store/locked-file.ts';
import { modelsSettingsSchema } from '../../src/shared/models-settings.ts';
import { type ContendedFile, type ContentionLine, emptyFile, timeOf } from './model-contention-file.ts';

const [file = '', locksDirectory = '', name = '', wanted = '0'] = process.argv.slice(2);
const settings = modelsSettingsSchema.parse({
	chains: [{ preferredModel: 'm', fallbackChain: ['f1', 'f2'], cooldownMinutes: 1 }],
});
const directory = `/repository/${name}`;
/** In three of ten calls of the preferred model, and in two of ten of the others, it is limited. */
const LIMITED = { preferred: 0.3, fallback: 0.2 };

let number = 0;
let holdsModel = false;
let isFallback = false;
while (number < Number(wanted)) {
	const began = performance.now();
	const { result } = await updateLockedFile<ContentionLine>(
		file,
		{ locksDirectory, meaning: 'The update is lost.', forScripts: true, patienceMs: 120_000 },
		(bytes) => {
			const state: ContendedFile = bytes === null ? emptyFile : JSON.parse(Buffer.from(bytes).toString());
			const done = state.done[name] ?? 0;
			const now = timeOf(state.updates);
			const breakers = new ModelBreakers({ settings: () => settings, now: () => now, random: Math.random });
			breakers.restore(state.book ?? {});
			let { opened, recovered } = state;
			breakers.onEvent(({ kind }) => {
				if (kind === 'opened' || kind === 'probe-failed') opened += 1;
				if (kind === 'recovered') recovered += 1;
			});
			const did = act(breakers);
			const next: ContendedFile = {
				updates: state.updates + 1,
				done: { ...state.done, [name]: done + 1 },
				opened,
				recovered,
				book: breakers.saved(),
			};
			const result = { name, number: done + 1, update: next.updates, ms: 0, ...did };
			return { kind: 'write', bytes: Buffer.from(`${JSON.stringify(next)}\n`), result };
		},
	);
	number = result.number;
	holdsModel = result.did === 'asked' && result.model !== null;
	isFallback = result.model !== null && result.model !== 'm';
	process.stdout.write(`${JSON.stringify({ ...result, ms: performance.now() - began })}\n`);
}

/** Pure but for chance: it may be asked twice for one update. */
function act(breakers: ModelBreakers): Pick<ContentionLine, 'did' | 'model' | 'isProbe'> {
	if (!holdsModel) {
		const { model, isProbe } = breakers.current({ directory });
		return { did: 'asked', model, isProbe };
	}
	const isLimited = Math.random() < (isFallback ? LIMITED.fallback : LIMITED.preferred);
	breakers.report({ directory, outcome: isLimited ? 'rate-limit' : 'success' });
	return { did: 'reported', model: null, isProbe: false };
}
