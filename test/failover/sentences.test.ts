import { describe, expect, it } from 'vitest';
import type { CallOutcomeKind } from '../../src/main/failover/call.ts';
import { lossSentence, queuedMessage } from '../../src/main/failover/failover-words.ts';
import { fitsAgents } from '../../src/main/failover/local-gates.ts';
import { describeLoss } from '../../src/main/failover/loss.ts';
import { describeOpening, describeOutcome } from '../../src/main/failover/outcome-words.ts';
import { providerNameOf } from '../../src/shared/failover-settings.ts';
import { failureOf, modelFit } from './orchestrator-fixture.ts';
import { outcomeOf } from './provider-breaker-driver.ts';

const kinds = ['error', 'lost', 'cut', 'timeout', 'rate-limited', 'unauthorised', 'neutral', 'ok'] as const;
const last = { kind: 'error', status: 500, code: 'api_error' } as const;
const opening = { openedAt: 0, nextTrialAt: 0, failedTrials: 0, lastTrial: null };

describe('sentences about a provider whose name begins with a small letter', () => {
	it.each([
		...kinds.map((kind: CallOutcomeKind) => describeOutcome(outcomeOf(kind), 'proxy')),
		...kinds.map((kind) => describeOutcome({ ...outcomeOf(kind), code: 'x' }, 'proxy')),
		...(['lost', 'error', 'timeout', 'cut'] as const).map((kind) => lossSentence(failureOf(kind), 'proxy')),
		lossSentence({ ...failureOf('error'), cause: 'breaker-open' }, 'proxy'),
		...[
			'ECONNREFUSED',
			'ECONNRESET',
			'UND_ERR_SOCKET',
			'CERT_HAS_EXPIRED',
			'UND_ERR_HEADERS_TIMEOUT',
			'X',
		].map((code) => describeLoss(code, 'proxy')),
		describeOpening({ ...opening, cause: { kind: 'lost', last } }, 'proxy'),
		describeOpening({ ...opening, cause: { kind: 'error-rate', calls: 5, errors: 5, last } }, 'proxy'),
		describeOpening({ ...opening, cause: { kind: 'latency', calls: 5, p95Ms: 16_000 } }, 'proxy'),
		queuedMessage('proxy'),
	])('%s', (text) => {
		expect(text).toMatch(/^[A-Z0-9].*[.]$/);
	});
});

describe('the name of a provider', () => {
	it.each([
		[{ id: 'anthropic' }, 'Anthropic'],
		[{ id: 'openai' }, 'OpenAI'],
		[{ id: 'proxy' }, 'proxy'],
		[{ id: 'anthropic', name: 'Work account' }, 'Work account'],
	])('%j: %s', (settings, name) => {
		expect(providerNameOf(settings)).toBe(name);
	});
});

describe('a model that may take an agent on', () => {
	it.each([
		[{}, true],
		[{ context: { inUse: 16_384, max: null } }, true],
		[{ context: { inUse: 16_383, max: 262_144 } }, false],
		[{ context: { inUse: null, max: 262_144 } }, false],
		[{ tools: false }, false],
		[{ tools: null }, true],
		[{ fit: 'OVER' as const }, false],
	])('%j: %s', (change, fits) => {
		expect(fitsAgents(modelFit('m', change))).toBe(fits);
	});
});
