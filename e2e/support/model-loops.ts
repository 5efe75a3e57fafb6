/** Loops that poll with a model, each in a repository of its own, and what the window shows of their models. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { ModelChoiceView, ModelReport } from '../../src/shared/models-view.ts';
import { request } from './failover.ts';
import type { FloorProcess } from './floor-process.ts';
import { test as base } from './test.ts';

/** A polling loop, as a shell script runs it. */
export class Loop {
	readonly directory: string;
	readonly #floor: FloorProcess;

	constructor(floor: FloorProcess, directory: string) {
		this.#floor = floor;
		this.directory = directory;
	}

	/** Which model it is to use now. */
	current(): Promise<ModelChoiceView> {
		return request(this.#floor, 'model:current', { directory: this.directory });
	}

	report(
		outcome: ModelReport['outcome'],
		details: Partial<Omit<ModelReport, 'directory' | 'outcome'>> = {},
	): Promise<ModelChoiceView> {
		return request(this.#floor, 'model:report', { directory: this.directory, outcome, ...details });
	}
}

export const test = base.extend<{ loop: Loop; other: Loop }>({
	loop: async ({ floor }, use) => withLoop(floor, use),
	other: async ({ floor }, use) => withLoop(floor, use),
});

async function withLoop(floor: FloorProcess, use: (loop: Loop) => Promise<void>): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), 'agent-floor-loop-'));
	await use(new Loop(floor, directory));
	await rm(directory, { recursive: true, force: true });
}

export function modelsBadge(window: Page): Locator {
	return window.getByTestId('models-badge');
}

/** Opens the page of all chains and gives the card of one. */
export async function openCard(window: Page, preferredModel: string): Promise<Locator> {
	await modelsBadge(window).click();
	return cardOf(window, preferredModel);
}

export function cardOf(window: Page, preferredModel: string): Locator {
	return window
		.getByTestId('models-dialog')
		.getByTestId('model-chain')
		.filter({ has: window.getByRole('heading', { name: preferredModel, exact: true }) });
}
