/** A program's error text as it may be kept: short, and without what lets somebody in. */
import { masked } from '../gateway/masked.ts';

const SAID_LIMIT = 300;

export function saidOf(text: string): string {
	return masked(text.trim().slice(0, SAID_LIMIT), []);
}
