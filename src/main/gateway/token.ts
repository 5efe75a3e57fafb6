/** Constant-time comparison with one secret. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** The returned check takes the same time whatever is given, of any length. */
export function secretCheck(secret: string): (given: string) => boolean {
	const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
	const expected = digest(secret);
	return (given) => timingSafeEqual(digest(given), expected);
}
