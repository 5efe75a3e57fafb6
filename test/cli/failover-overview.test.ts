import { describe, expect, it } from 'vitest';
import { commandWords, consentList, failoverOverview } from '../../src/main/cli/failover-overview.ts';
import type { ProviderView } from '../../src/shared/capability.ts';
import type { FailoverView } from '../../src/shared/failover-view.ts';
import { failoverViews } from '../support/failover-views.ts';

const NOW = 1_796_000_000_000;
const views = failoverViews(NOW);

function overview(change: Partial<FailoverView>): string {
	return failoverOverview({
		status: { tier: 'NORMAL', tierReason: 'Nothing is known to be down.' },
		failover: views.failover(change),
		at: NOW,
	});
}

const never: Partial<ProviderView> = {
	remote: 'unknown',
	calls: 0,
	lastSuccessAt: null,
	lastFailureAt: null,
	p95LatencyMs: null,
};

describe('what the overview says of a provider', () => {
	it.each<[string, Partial<ProviderView>, string]>([
		['that was never called', never, 'Anthropic        no call yet'],
		[
			'that was called, too long ago to know',
			{ ...never, lastSuccessAt: NOW - 12 * 60_000 },
			'Anthropic        not known: last call 12 m ago',
		],
		[
			'that only said to come later',
			{ ...never, rateLimited: 2 },
			'Anthropic        not known: no answer that says anything',
		],
		['that answers', {}, 'Anthropic        reachable     breaker closed'],
		[
			'that is down, with why',
			{ remote: 'unreachable', breaker: 'open', reason: 'Nothing answers.\u001b[2J' },
			'Anthropic        unreachable   breaker open  (Nothing answers.␛[2J)',
		],
	])('%s', (_name, change, line) => {
		expect(overview({ providers: [views.provider('anthropic', change)] }).split('\n')).toContain(`  ${line}`);
	});
});

describe('commands that wait', () => {
	it('each say whose they are, where they would run, what they are, and how they are answered', () => {
		const text = overview({
			consents: [
				views.consent('consent-1'),
				views.consent('consent-2', { agentName: 'api', directory: '', target: 'rm -rf build' }),
			],
		});
		expect(text).toContain(
			[
				'2 destructive commands wait for your consent',
				'  shop in /home/ada/code/shop, Bash',
				'    git push --force origin main',
				'    It overwrites history on a remote, which cannot be undone from here',
				'    24 s left: agent-floor failover allow|deny consent-1',
				'  api in a directory that is not known, Bash',
				'    rm -rf build',
			].join('\n'),
		);
		expect(text).toContain('allow|deny consent-2');
	});

	it('one is one', () => {
		expect(overview({ consents: [views.consent('c')] })).toContain('1 destructive command waits for');
		expect(consentList([views.consent('c', { expiresAt: NOW })], NOW)).toContain('its time is over');
	});

	it('are shown whole, line by line, and nothing of them speaks to the terminal', () => {
		const target = `echo ok\nrm -rf ~ #${'x'.repeat(4_000)}\r\u001b[1A\u001b[2Kecho harmless\u202e`;
		const text = commandWords(views.consent('c', { target, agentName: 'a\u001b]0;b', why: 'It\u0007' }));
		expect(text.split('\n')).toHaveLength(4);
		expect(text).toContain(`\n    rm -rf ~ #${'x'.repeat(4_000)}␍␛[1A␛[2Kecho harmless⟨U+202E⟩\n`);
		for (const control of ['\u0007', '\u001b', '\r']) expect(text).not.toContain(control);
	});
});
