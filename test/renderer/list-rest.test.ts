import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createListRest } from '../../src/renderer/screens/floor/list-rest.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that can be scrolled, on a screen where buttons show under the pointer, or not. */
function page(hovers = true) {
	const target = new EventTarget();
	return Object.assign(target, {
		matchMedia: () => ({ matches: hovers }),
		scroll: () => target.dispatchEvent(new Event('scroll')),
	}) as unknown as Window & { scroll(): void };
}

it('moves from the first scroll until a while after the last one, then tells once', () => {
	const rest = createListRest();
	const window = page();
	rest.follow(window);
	expect(rest.isMoving()).toBe(false);
	window.scroll();
	const told = vi.fn();
	rest.onRest(told);
	vi.advanceTimersByTime(140);
	window.scroll();
	vi.advanceTimersByTime(140);
	expect(rest.isMoving()).toBe(true);
	expect(told).not.toHaveBeenCalled();
	vi.advanceTimersByTime(20);
	expect(rest.isMoving()).toBe(false);
	window.scroll();
	vi.runAllTimers();
	expect(told).toHaveBeenCalledOnce();
});

it('tells at once when the page came to rest meanwhile, and nobody who went away', () => {
	const rest = createListRest();
	const window = page();
	rest.follow(window);
	const late = vi.fn();
	rest.onRest(late);
	expect(late).toHaveBeenCalledOnce();
	window.scroll();
	const gone = vi.fn();
	rest.onRest(gone)();
	vi.runAllTimers();
	expect(gone).not.toHaveBeenCalled();
});

it('leaves nothing out where the buttons are always seen', () => {
	const rest = createListRest();
	const window = page(false);
	rest.follow(window);
	window.scroll();
	expect(rest.isMoving()).toBe(false);
});

it('leaves no row waiting when the list goes away', () => {
	const rest = createListRest();
	const window = page();
	const leave = rest.follow(window);
	window.scroll();
	const told = vi.fn();
	rest.onRest(told);
	leave();
	expect(told).toHaveBeenCalledOnce();
	expect(vi.getTimerCount()).toBe(0);
	window.scroll();
	expect(rest.isMoving()).toBe(false);
});
