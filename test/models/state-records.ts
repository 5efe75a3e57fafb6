/** Any state record that can be, for properties. */
import fc from 'fast-check';
import type { StateRecord } from '../../src/main/models/state-record.ts';

/** After everything that happens in these properties. */
export const NOW = Date.UTC(2027, 0, 1);

const count = fc.nat(1_000_000);
const model = fc.oneof(
	fc.constantFrom('claude-sonnet-5', 'gpt-5.4-mini', 'gpt-5-mini', 'modèle-ä', '模型', "o'<model>&"),
	fc
		.string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
		.map((text) => text.replace(/^-|[\s\p{Cc}\p{Cf}\p{Cs}]/gu, '_')),
);
const date = fc.option(fc.integer({ min: Date.UTC(2020, 0, 1), max: NOW }), { nil: null });

export const anyRecord: fc.Arbitrary<StateRecord> = fc.record({
	state: fc.constantFrom('closed', 'open', 'half-open'),
	preferredModel: model,
	fallbackChain: fc.array(model, { maxLength: 4 }),
	currentFallbackIndex: fc.nat(3),
	cooldownMinutes: fc.oneof(fc.integer({ min: 1, max: 10_080 }), fc.constantFrom(0.25, 7.5)),
	openedAt: date,
	halfOpenSuccesses: fc.nat(2),
	consecutiveFailures: count,
	metrics: fc.record({
		totalFallbacks: count,
		totalRecoveries: count,
		lastFallbackAt: date,
		lastRecoveryAt: date,
	}),
	resumeAt: date,
});
