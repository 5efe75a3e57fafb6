import { describe, expect, it } from 'vitest';
import { contend } from '../support/model-contention.ts';

describe('one state file under contention', () => {
	it('loses nothing, shows nothing torn and tests with one call at a time, though processes are killed', async () => {
		const report = await contend({ processes: 8, updatesEach: 30, killed: 2 });
		expect(report.kills).toBe(2);
		expect(report).toMatchObject({ updates: 240, tornReads: 0, lost: 0 });
		expect(report.unacknowledged).toBeLessThanOrEqual(report.kills);
		expect(report.mostProbesAtOnce).toBeLessThanOrEqual(1);
		expect(report.probes).toBeGreaterThan(0);
		expect(report.openings).toBeGreaterThan(0);
		expect(report.metrics).toEqual({
			totalFallbacks: report.openings,
			totalRecoveries: report.recoveries,
		});
		expect(report.reads).toBeGreaterThan(10);
	}, 120_000);
});
