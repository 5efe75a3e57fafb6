/** What axe finds in the window as it stands. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
	run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

export async function axeViolations(window: Page): Promise<string[]> {
	// Evaluated by the debugger, so that the page's own policy for scripts stays as strict as it is.
	await window.evaluate(axeSource);
	return window.evaluate(async () => {
		const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
		return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
	});
}
